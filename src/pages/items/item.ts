/** /workspaces/:id/items/:itemId: an item, and what is done to it besides editing (behaviour §12.1). */
import { addComment } from '../../comments/addComment.ts';
import { approve, reject, requestApproval } from '../../items/approval.ts';
import { removeItem } from '../../items/removeItem.ts';
import { checkMentions } from '../../notifications/checkMentions.ts';
import { watchItem } from '../../notifications/watchItem.ts';
import { InvalidRequest, VersionConflict } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { formLabels } from './form.ts';
import { idsOf, openItem } from './open.ts';
import { showItem } from './show.ts';
import { whoChanged } from './whoChanged.ts';

/** Said by the version that was sent, and what is stored now. */
const movedOn = (who: string) =>
  `${who} has changed this in the meantime. This is what it looks like now: look at it again, and then decide.`;

/** What is refused is told on the item's page, as it is by then. */
const told = (request: PageRequest) => ({
  labels: formLabels,
  async again(refusal: Refusal) {
    if (!(refusal.error instanceof VersionConflict)) return showItem(request, refusal);
    const { history } = await openItem(request);
    return showItem(request, { ...refusal, problem: movedOn(whoChanged(history.changes, request.form.number('version') ?? 0)) });
  },
});

const back = ({ params }: PageRequest, notice: string): Redirect => ({
  redirect: `/workspaces/${params.id}/items/${params.itemId}`,
  notice,
});

async function commentOf(request: PageRequest) {
  const given = { ...idsOf(request), body: request.form.raw('body').trim() };
  if (given.body.includes('@')) await call(request, checkMentions, given);
  return given;
}

const comment = (request: PageRequest): Promise<Answer> =>
  submitted(request, addComment, () => commentOf(request), {
    done: () => back(request, 'commented'),
    ...told(request),
  });

async function archive(request: PageRequest): Promise<Answer> {
  // The address names a workspace, too: the item must be in it.
  const { item, workspace } = await openItem(request);
  return submitted(request, removeItem, (form) => ({ id: item.id, version: form.number('version') }), {
    done: () => ({ redirect: `${workspace.path}?type=${item.type}`, notice: 'archived' }),
    ...told(request),
  });
}

const decisions = {
  request: { operation: requestApproval, notice: 'requested' },
  approve: { operation: approve, notice: 'approved' },
  reject: { operation: reject, notice: 'rejected' },
} as const;

function decide(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const chosen = form.text('decision');
  if (!Object.hasOwn(decisions, chosen)) throw new InvalidRequest(['decision'], 'choose request, approve or reject.');
  const { operation, notice } = decisions[chosen as keyof typeof decisions];
  const input = () => ({ ...idsOf(request), version: form.number('version'), comment: form.raw('comment').trim() });
  return submitted(request, operation, input, { done: () => back(request, notice), ...told(request) });
}

const watch = (request: PageRequest): Promise<Answer> =>
  submitted(request, watchItem, (form) => ({ ...idsOf(request), watching: form.text('watching') === 'yes' }), {
    done: ({ watching }) => back(request, watching ? 'watched' : 'unwatched'),
    ...told(request),
  });

export const itemRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId', handle: (request) => showItem(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments', handle: comment },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/archive', handle: archive },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/watch', handle: watch },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/approval', handle: decide },
];
