/** /workspaces/:id/items/:itemId/dependencies: adds or removes a blocker (behaviour §33.10). */
import { changeRelations } from '../../items/relations.ts';
import { InvalidRequest } from '../../values/errors.ts';
import type { Form } from '../frame/forms.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { backTo, refusalOf, submitted } from '../frame/submitted.ts';
import { changedAnswer } from './change/open.ts';
import { idsOf } from './pageOf.ts';
import { formRefusal } from './show.ts';

function blockersIn(form: Form) {
  if (form.has('remove')) return { add: [], remove: [form.number('remove')] };
  const [, number] = /^#?([1-9]\d{0,14})(?:\s|$)/.exec(form.text('blocker')) ?? [];
  if (!number) throw new InvalidRequest(['blocker'], 'give the number of an item, such as #33.');
  return { add: [{ id: Number(number), lagDays: form.number('lagDays') ?? 0 }], remove: [] };
}

async function change(request: PageRequest): Promise<Answer> {
  const { workspaceId, id } = idsOf(request);
  const version = request.form.number('version');
  const refusal = formRefusal(request);
  const input = (form: Form) => ({ workspaceId, items: [{ id, version }], blockedBy: blockersIn(form) });
  return submitted(request, changeRelations, input, {
    ...refusal,
    done({ items }) {
      const back = backTo(request.form.text('back'), request, `/workspaces/${workspaceId}/items/${id}`);
      return changedAnswer(back, workspaceId, [{ id, version }], items);
    },
    // The blocker is absent or hidden. If the item itself is, showing it again answers so.
    gone: () => refusal.again(refusalOf(new InvalidRequest(['blocker'], 'no item has this number; give another number.'), refusal.labels)),
  });
}

export const dependencyRoutes: PageRoute[] = [{ method: 'POST', path: '/workspaces/:id/items/:itemId/dependencies', handle: change }];
