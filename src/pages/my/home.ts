/** /: the workspaces you belong to the making of one, and your notifications (behaviour §12.1). */

import { listNotifications } from '../../notifications/listNotifications.ts';
import { markNotificationsRead } from '../../notifications/markNotificationsRead.ts';
import type { Notification } from '../../notifications/schema.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { listWorkspaces } from '../../workspaces/listWorkspaces.ts';
import { firstSteps } from '../account/firstSteps.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { type FormContext, postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { moment, problemBox } from '../frame/widgets.ts';

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { deps, caller, user, basePath } = request;
  const { workspaces } = outputOf(await perform(deps.db, caller, listWorkspaces, {}));
  const { notifications } = outputOf(await perform(deps.db, caller, listNotifications, { unreadOnly: false, limit: 20 }));
  return {
    title: `Hello, ${user.name}`,
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
${firstSteps(request)}
<h2>Your workspaces</h2>
${
  workspaces.length
    ? html`<ul>${workspaces.map((one) => html`<li><a href="${basePath}/workspaces/${one.id}">${one.name}</a>${one.sample && ' (sample)'}</li>`)}</ul>`
    : html`<p>You belong to no workspace yet.${user.accountRole === 'member' && ' Ask an administrator to add you to one.'}</p>`
}
<p><a href="${basePath}/workspaces">All workspaces, and new ones</a></p>
<h2>Notifications</h2>
${notifications.length ? html`${list(request, notifications)}<p><a href="${basePath}/notifications?show=all">All that you were told</a></p>` : html`<p>Nothing to tell.</p>`}`,
  };
}

function list(context: FormContext, notifications: Notification[]): Content {
  const unread = notifications.some((one) => one.readAt === null);
  return html`<ul>${notifications.map(
    (
      one,
    ) => html`<li>${one.readAt === null ? html`<strong>${one.text}</strong>` : one.text} <small class="muted">${moment(one.createdAt)}</small>
${one.itemId !== null && html` <a href="${context.basePath}/workspaces/${one.workspaceId}/items/${one.itemId}">Open the item</a>`}</li>`,
  )}</ul>
${unread && readForm(context, notifications[0]!.id)}`;
}

const readForm = (context: FormContext, upToId: number): Content =>
  postForm(
    context,
    { action: '/notifications/read', hidden: { upToId }, class: 'plain' },
    html`<button class="secondary outline">Mark as read</button>`,
  );

const markRead = (request: PageRequest): Promise<Answer> =>
  submitted(request, markNotificationsRead, (form) => ({ upToId: form.id('upToId') }), {
    done: () => ({ redirect: '/', notice: 'read' }),
    again: (refusal) => show(request, refusal),
  });

export const homeRoutes: PageRoute[] = [
  { method: 'GET', path: '/', handle: show },
  { method: 'POST', path: '/notifications/read', handle: markRead },
];
