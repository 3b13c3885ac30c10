/** /: the workspaces you belong to and your notifications (behaviour §12.1). */

import { listNotifications } from '../../notifications/listNotifications.ts';
import { markNotificationsRead } from '../../notifications/markNotificationsRead.ts';
import type { Notification } from '../../notifications/schema.ts';
import { parseInput } from '../../operations/input.ts';
import { JsonText } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { listRunUnseen } from '../../workspaces/administer.ts';
import { listWorkspaces } from '../../workspaces/listWorkspaces.ts';
import type { RunWorkspace } from '../../workspaces/settingsQueries.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import { csrfField, onceField } from '../frame/layout.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { moment } from '../frame/widgets.ts';

async function show(request: PageRequest): Promise<Answer> {
  const { deps, caller, user, csrf } = request;
  const { basePath } = deps.config;
  const found = await perform(deps.db, caller, listWorkspaces, {});
  const { workspaces } = (found instanceof JsonText ? found.parse() : found) as {
    workspaces: { id: number; name: string; sample: boolean }[];
  };
  const { notifications } = (await perform(deps.db, caller, listNotifications, { unreadOnly: false, limit: 20 })) as {
    notifications: Notification[];
  };
  return {
    title: `Hello, ${user.name}`,
    body: html`
<h2>Your workspaces</h2>
${
  workspaces.length
    ? html`<ul>${workspaces.map((one) => html`<li><a href="${basePath}/workspaces/${one.id}">${one.name}</a>${one.sample && ' (sample)'}</li>`)}</ul>`
    : html`<p>You belong to no workspace yet.${user.accountRole === 'member' && ' Ask an administrator to add you to one.'}</p>`
}
${user.accountRole !== 'member' && newWorkspace(basePath, csrf)}
${unseenWorkspaces(basePath, await call<RunWorkspace[]>(request, listRunUnseen, {}))}
<h2>Notifications</h2>
${notifications.length ? list(basePath, csrf, notifications) : html`<p>Nothing to tell.</p>`}`,
  };
}

/** Archived ones, and to administrators those they are not in: their settings can be opened still. */
function unseenWorkspaces(basePath: string, unseen: RunWorkspace[]): Content {
  if (!unseen.length) return null;
  return html`<details><summary>Other workspaces that you run</summary><ul>${unseen.map(
    ({ id, name, archived }) => html`<li><a href="${basePath}/workspaces/${id}/settings">${name}</a>${archived && ' (archived)'}</li>`,
  )}</ul></details>`;
}

const newWorkspace = (
  basePath: string,
  csrf: string,
) => html`<form method="post" action="${basePath}/workspaces" class="plain narrow">${csrfField(csrf)}${onceField()}
<fieldset role="group"><input name="name" required maxlength="200" aria-label="Name of a new workspace" placeholder="Name of a new workspace"><button>Create</button></fieldset></form>`;

function list(basePath: string, csrf: string, notifications: Notification[]): Content {
  const unread = notifications.some((one) => one.readAt === null);
  return html`<ul>${notifications.map(
    (
      one,
    ) => html`<li>${one.readAt === null ? html`<strong>${one.text}</strong>` : one.text} <small class="muted">${moment(one.createdAt)}</small>
${one.itemId !== null && html` <a href="${basePath}/workspaces/${one.workspaceId}/items/${one.itemId}">Open the item</a>`}</li>`,
  )}</ul>
${unread && html`<form method="post" action="${basePath}/notifications/read" class="plain">${csrfField(csrf)}<input type="hidden" name="upToId" value="${notifications[0]!.id}"><button class="secondary outline">Mark as read</button></form>`}`;
}

async function markRead({ deps, caller, form }: PageRequest): Promise<Answer> {
  await perform(deps.db, caller, markNotificationsRead, parseInput(markNotificationsRead.input, { upToId: form.id('upToId') }));
  return { redirect: '/', notice: 'read' };
}

export const homeRoutes: PageRoute[] = [
  { method: 'GET', path: '/', handle: show },
  { method: 'POST', path: '/notifications/read', handle: markRead },
];
