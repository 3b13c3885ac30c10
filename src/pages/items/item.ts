/** /workspaces/:id/items/:itemId: the item's page and its actions, except editing (behaviour §12.1, §21). */
import { addComment } from '../../comments/addComment.ts';
import { deleteComment, editComment, reactToComment } from '../../comments/ownComments.ts';
import { approve, reject, requestApproval } from '../../items/approval.ts';
import { removeItem } from '../../items/archiveItems.ts';
import { recordOpened } from '../../items/stars.ts';
import { watchItem } from '../../notifications/choose.ts';
import { checkMentions } from '../../notifications/mentions.ts';
import { stopMembersTimer } from '../../time/timer.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { ownValue } from '../../values/records.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { submitted } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { pageOrArchived } from './archived.ts';
import { hereInList, idsOf, inList, openItem } from './pageOf.ts';
import { logTime, planTime } from './recordTime.ts';
import { formRefusal, showItem } from './show.ts';

const back = (request: PageRequest, notice: string): Redirect => ({
  redirect: hereInList(request),
  notice,
});

async function commentOf(request: PageRequest) {
  const given = { ...idsOf(request), body: request.form.raw('body').trim() };
  if (given.body.includes('@')) await call(request, checkMentions, given);
  return given;
}

async function ownComment(request: PageRequest): Promise<Answer> {
  const given = { ...idsOf(request), id: Number(request.params.commentId), body: request.form.raw('body').trim() };
  if (given.body.includes('@')) await call(request, checkMentions, { ...idsOf(request), body: given.body });
  return submitted(request, editComment, () => given, {
    done: ({ itemId }) => toComment(request, itemId, 'commentSaved'),
    ...formRefusal(request),
  });
}

const removeOwn = (request: PageRequest): Promise<Answer> =>
  submitted(request, deleteComment, () => commentIds(request), {
    done: ({ itemId }) => toComment(request, itemId, 'commentDeleted'),
    ...formRefusal(request),
  });

function react(request: PageRequest): Promise<Answer> {
  const [reaction, on] = request.form.text('reaction').split(' ');
  return submitted(request, reactToComment, () => ({ ...commentIds(request), reaction, on: on === 'yes' }), {
    done: ({ itemId }) => toComment(request, itemId),
    ...formRefusal(request),
  });
}

const commentIds = ({ params }: PageRequest) => ({ workspaceId: Number(params.id), id: Number(params.commentId) });

const toComment = (request: PageRequest, itemId: number, notice?: string): Redirect => ({
  redirect: `/workspaces/${request.params.id}/items/${itemId}${inList(request)}`,
  ...(notice && { notice }),
});

const comment = (request: PageRequest): Promise<Answer> =>
  submitted(request, addComment, () => commentOf(request), {
    done: () => back(request, 'commented'),
    ...formRefusal(request),
  });

async function archive(request: PageRequest): Promise<Answer> {
  // Throws Forbidden if the item is not in the workspace of the URL.
  const { item, workspace } = await openItem(request);
  return submitted(request, removeItem, (form) => ({ id: item.id, version: form.number('version') }), {
    done: ({ version }) => ({
      redirect: `${workspace.path}?type=${item.type}`,
      undo: undoOf.items({ workspaceId: workspace.id, itemId: item.id, version }),
      notice: 'archived',
    }),
    ...formRefusal(request),
  });
}

const stopTimer = (request: PageRequest): Promise<Answer> =>
  submitted(request, stopMembersTimer, (form) => ({ ...idsOf(request), userId: form.id('userId') }), {
    done: () => back(request, 'stopped'),
    ...formRefusal(request),
  });

const decisions = {
  request: { operation: requestApproval, notice: 'requested' },
  approve: { operation: approve, notice: 'approved' },
  reject: { operation: reject, notice: 'rejected' },
} as const;

function decide(request: PageRequest): Promise<Answer> {
  const { form } = request;
  const decision = ownValue(decisions, form.text('decision'));
  if (!decision) throw new InvalidRequest(['decision'], 'choose request, approve or reject.');
  const { operation, notice } = decision;
  const input = () => ({ ...idsOf(request), version: form.number('version'), comment: form.raw('comment').trim() });
  return submitted(request, operation, input, { done: () => back(request, notice), ...formRefusal(request) });
}

const watch = (request: PageRequest): Promise<Answer> =>
  submitted(request, watchItem, (form) => ({ ...idsOf(request), watching: form.text('watching') === 'yes' }), {
    done: ({ watching }) => back(request, watching ? 'watched' : 'unwatched'),
    ...formRefusal(request),
  });

/** Stores the visit while the page is read. Requests of scripts, such as live updates, do not count. */
async function opened(request: PageRequest): Promise<Answer> {
  const { ctx, user } = request;
  const isNewest = user.frame?.recent[0]?.id === Number(request.params.itemId);
  const [answer] = await Promise.all([
    showItem(request),
    ctx.method === 'GET' &&
      !ctx.get('HX-Request') &&
      ctx.get('Purpose') !== 'prefetch' &&
      !isNewest &&
      call(request, recordOpened, idsOf(request)),
  ]);
  return answer;
}

/** Records the visit of a prefetched page when it is shown (navigate.ts). */
async function noteVisit(request: PageRequest): Promise<Answer> {
  await call(request, recordOpened, idsOf(request));
  return { data: {} };
}

export const itemRoutes: PageRoute[] = [
  { method: 'GET', path: '/workspaces/:id/items/:itemId', handle: (request) => pageOrArchived(request, () => opened(request)) },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments', handle: comment },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments/:commentId', handle: ownComment },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments/:commentId/delete', handle: removeOwn },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/comments/:commentId/reactions', handle: react },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/archive', handle: archive },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/opened', handle: noteVisit },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/watch', handle: watch },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/approval', handle: decide },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/timer/stop', handle: stopTimer },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/log', handle: logTime },
  { method: 'POST', path: '/workspaces/:id/items/:itemId/plan', handle: planTime },
];
