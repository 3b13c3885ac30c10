/** /workspaces/:id/items/:itemId: an item, and what is done to it besides editing (behaviour §12.1). */
import { addComment } from '../../comments/addComment.ts';
import { approve, reject, requestApproval } from '../../items/approval.ts';
import { removeItem } from '../../items/removeItem.ts';
import { InvalidRequest, VersionConflict } from '../../values/errors.ts';
import { call, orShow } from '../frame/call.ts';
import { problemOf } from '../frame/faults.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { formLabels } from './form.ts';
import { idsOf, openItem } from './open.ts';
import { showItem } from './show.ts';

const movedOn = 'Somebody has changed this in the meantime. This is what it looks like now: look at it again, and then decide.';

/** Does `work` and goes on to where it leads; what is refused is told on the item's page, as it is by then. */
async function change(request: PageRequest, work: () => Promise<Redirect>): Promise<Answer> {
  try {
    return await orShow<Answer>(work, (refusal, status) => showItem(request, problemOf(refusal, formLabels), status));
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    return showItem(request, movedOn, 409);
  }
}

const back = ({ params }: PageRequest, notice: string): Redirect => ({
  redirect: `/workspaces/${params.id}/items/${params.itemId}`,
  notice,
});

function comment(request: PageRequest): Promise<Answer> {
  const input = { ...idsOf(request), body: request.form.raw('body').trim() };
  return change(request, async () => {
    await call(request, addComment, input);
    return back(request, 'commented');
  });
}

async function archive(request: PageRequest): Promise<Answer> {
  // The address names a workspace, too: the item must be in it.
  const { item, workspace } = await openItem(request);
  const input = { id: item.id, version: request.form.number('version') };
  return change(request, async () => {
    await call(request, removeItem, input);
    return { redirect: `${workspace.path}?type=${item.type}`, notice: 'archived' };
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
  const input = { ...idsOf(request), version: form.number('version'), comment: form.raw('comment').trim() };
  return change(request, async () => {
    await call(request, operation, input);
    return back(request, notice);
  });
}

export const itemRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId', handle: (request) => showItem(request) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments', handle: comment },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/archive', handle: archive },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/approval', handle: decide },
];
