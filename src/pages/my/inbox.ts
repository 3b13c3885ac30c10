/** /notifications: what one was told, to be read, acted on and put away (behaviour §10.20). */
import { listNotifications } from '../../notifications/listNotifications.ts';
import { markNotificationRead, markNotificationsRead } from '../../notifications/markNotificationsRead.ts';
import type { Notification } from '../../notifications/schema.ts';
import { call } from '../frame/call.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { moment, problemBox } from '../frame/widgets.ts';

const PATH = '/notifications';
const PAGE = 50;

const idOf = (text: string | null): number | undefined => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { query, basePath } = request;
  const unreadOnly = query.get('show') !== 'all';
  const before = idOf(query.get('before'));
  const { notifications } = await call(request, listNotifications, { unreadOnly, ...(before && { before }), limit: PAGE });
  const more = unreadOnly ? '' : 'show=all&';
  const tab = (to: string, label: string, current: boolean) =>
    html`<li><a href="${basePath}${PATH}${to}"${current && html` aria-current="page"`}>${label}</a></li>`;
  const last = notifications.at(-1);
  return {
    title: 'Inbox',
    status: refusal?.status ?? 200,
    body: html`${problemBox(refusal?.problem)}
<nav class="tabs" aria-label="What is shown"><ul>${tab('', 'Unread', unreadOnly)}${tab('?show=all', 'All', !unreadOnly)}</ul></nav>
${notifications.length ? table(request, notifications) : html`<p>${unreadOnly ? 'Nothing unread.' : 'Nothing to tell.'}</p>`}
${before === undefined && notifications.some(unread) && readAll(request, notifications[0]!.id)}
${notifications.length === PAGE && html`<p><a href="${basePath}${PATH}?${more}before=${last!.id}">Earlier ones</a></p>`}
<p><a href="${basePath}/settings/notifications">What you are told, and how</a></p>`,
  };
}

const unread = ({ readAt }: Notification) => readAt === null;

const table = (request: PageRequest, all: Notification[]): Content =>
  html`<div class="scroll"><table class="cards"><thead><tr><th scope="col">What</th><th scope="col">When</th><th scope="col">Act</th></tr></thead>
<tbody>${all.map((one) => row(request, one))}</tbody></table></div>`;

function row(request: PageRequest, one: Notification): Content {
  const text = unread(one) ? html`<strong>${one.text}</strong>` : one.text;
  return html`<tr><th scope="row">${text}</th><td data-label="When">${moment(one.createdAt)}</td>
<td data-label="Act"><div class="actions">${acts(request, one)}${unread(one) && readOne(request, one)}</div></td></tr>`;
}

/** Where it is answered: the item, at the place that it is about; and no more of it. */
function acts(request: PageRequest, { kind, workspaceId, itemId, text }: Notification): Content {
  if (itemId === null) return null;
  const path = `/workspaces/${workspaceId}/items/${itemId}`;
  const [place, label] = placeOf(kind);
  const followed = kind === 'commented' || kind === 'status_changed';
  return html`<a href="${request.basePath}${path}${place}" aria-label="${label}: ${text}">${label}</a>
${followed && postForm(request, { action: `${path}/watch`, hidden: { watching: 'no' }, class: 'plain' }, html`<button class="secondary outline" aria-label="Unwatch: ${text}">Unwatch</button>`)}`;
}

function placeOf(kind: Notification['kind']): [place: string, label: string] {
  if (kind === 'commented' || kind === 'mentioned') return ['#comments', 'Answer'];
  return kind === 'approval_requested' ? ['#approval', 'Decide'] : ['', 'Open'];
}

const readOne = (request: PageRequest, { id, text }: Notification): Content =>
  postForm(
    request,
    { action: `${PATH}/read-one`, hidden: { notificationId: id, show: request.query.get('show') }, class: 'plain' },
    html`<button class="secondary outline" aria-label="Mark as read: ${text}">Mark as read</button>`,
  );

const readAll = (request: PageRequest, upToId: number): Content =>
  postForm(
    request,
    { action: `${PATH}/read-all`, hidden: { upToId, show: request.query.get('show') }, class: 'plain' },
    html`<button class="secondary">Mark all as read</button>`,
  );

const back = ({ form }: PageRequest) => ({ redirect: form.text('show') === 'all' ? `${PATH}?show=all` : PATH, notice: 'read' });

const markOne = (request: PageRequest): Promise<Answer> =>
  submitted(request, markNotificationRead, (form) => ({ notificationId: form.id('notificationId') }), {
    done: () => back(request),
    again: (refusal) => show(request, refusal),
  });

const markAll = (request: PageRequest): Promise<Answer> =>
  submitted(request, markNotificationsRead, (form) => ({ upToId: form.id('upToId') }), {
    done: () => back(request),
    again: (refusal) => show(request, refusal),
  });

export const inboxRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/read-one`, handle: markOne },
  { method: 'POST', path: `${PATH}/read-all`, handle: markAll },
];
