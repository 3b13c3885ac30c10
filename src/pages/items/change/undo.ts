/** /workspaces/:id/undo: reverts the user's last change (behaviour §23.3). */

import { undoChange } from '../../../items/undoChange.ts';
import { chosenItems } from '../../../overviews/chosenItems.ts';
import type { VersionConflicts } from '../../../values/errors.ts';
import { notice } from '../../frame/components/boxes.ts';
import { linkButton } from '../../frame/components/button.ts';
import { html } from '../../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../../frame/page.ts';
import { call } from '../../frame/session.ts';
import { backTo, type Refusal, submitted } from '../../frame/submitted.ts';
import { asOpened } from '../../workspace/openWorkspace.ts';
import { formLabels } from '../form.ts';
import { conflictPage, isConflict } from './conflict.ts';

function undo(request: PageRequest): Promise<Answer> {
  const { params, form, basePath } = request;
  const workspaceId = Number(params.id);
  const back = backTo(form.text('back'), { basePath }, `/workspaces/${workspaceId}`);
  return submitted(request, undoChange, () => ({ workspaceId, itemId: form.id('itemId'), version: form.number('version') }), {
    labels: formLabels,
    done: () => ({ redirect: back, notice: 'undone' }),
    again: (refusal) => (isConflict(refusal.error) ? movedOn(request, back, refusal.error) : refused(request, back, refusal)),
  });
}

const refused = ({ basePath }: PageRequest, back: string, { problem, status }: Refusal): Answer => ({
  title: 'Undo failed',
  status,
  body: html`${notice('error', problem)}<p class="actions">${linkButton(basePath + back, 'Go back')}</p>`,
});

async function movedOn(request: PageRequest, back: string, error: VersionConflicts): Promise<Answer> {
  const workspaceId = Number(request.params.id);
  const conflicts = error.details.conflicts ?? [];
  const found = await call(request, chosenItems, { workspaceId, ids: conflicts.map(({ id }) => id), history: true });
  // Undo expected the version before the current one.
  const sent = conflicts.map(({ id, currentVersion }) => ({ id, version: currentVersion - 1 }));
  return conflictPage(request, {
    opened: { items: found.items, workspace: asOpened(request, found.membership) },
    sent,
    error,
    action: '',
    back,
    title: 'Undo failed',
    said: 'The item has changed again since, so nothing was undone.',
  });
}

export const undoRoutes: PageRoute[] = [{ method: 'POST', path: '/workspaces/:id/undo', handle: undo }];
