/** /notifications: decisions that wait for the user, and notifications (behaviour §10.20, §20.12). */

import { approve, reject } from '../../items/approval.ts';
import { markNotificationRead, markNotificationsRead, watchItem } from '../../notifications/choose.ts';
import { checkMentions } from '../../notifications/mentions.ts';
import { replyToNotification } from '../../notifications/reply.ts';
import { inbox } from '../../overviews/inbox.ts';
import { MOST_IN_BADGE } from '../../overviews/signedIn.ts';
import { AppError, VersionConflict } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { kbd } from '../frame/components/marks.ts';
import { formsOf } from '../frame/fields.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { handlersOn, orAgain, type Refusal } from '../frame/submitted.ts';
import { counted, idIn } from '../frame/widgets.ts';
import { decisionRows, type InboxContext, notificationRows, PATH, WORK } from './inboxRows.ts';
import { backToInbox, idOfNotification, showIn, snoozeRoutes } from './snoozePage.ts';

const PAGE = 50;
const labels = { comment: 'Message', body: 'Reply', version: '', status: '' } as const;

async function showInbox(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { query, form, basePath, user } = request;
  const show = showIn(form.text('show') || query.get('show'));
  const before = idIn(query.get('before'));
  const found = await call(request, inbox, { unreadOnly: show === '', snoozed: show === 'snoozed', before, limit: PAGE });
  const shown: InboxContext = { request, inbox: found, clock: clockOf(request), forms: formsOf(request, labels, refusal), show };
  return {
    title: 'Inbox',
    sheets: ['inbox'],
    scripts: ['touch'],
    follow: 'mine',
    status: refusal?.status ?? 200,
    wide: true,
    ...(refusal && { notice: notice('error', refusal.problem) }),
    ...(user.unread > 0 && { meta: html`<span class="vh-phone">${counted(user.unread, MOST_IN_BADGE)} unread</span>` }),
    actions: html`${segments('Filter notifications', [
      { href: `${basePath}${PATH}`, label: 'Unread', current: show === '' },
      { href: `${basePath}${PATH}?show=snoozed`, label: 'Snoozed', current: show === 'snoozed' },
      { href: `${basePath}${PATH}?show=all`, label: 'All', current: show === 'all' },
    ])}${linkButton(`${basePath}/settings/notifications`, 'Notification settings', { icon: 'settings', iconOnPhone: true })}`,
    body: html`<div class="inbox" id="work">${decisionRows(shown)}${notificationList(shown, before)}${legend(request)}</div>`,
  };
}

const legendKeys = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'open'],
  ['A', 'approve'],
  ['R', 'reply'],
  ['E', 'done'],
  ['H', 'snooze'],
] as const;

/** On wide screens, unless the reader has turned single keys off. */
const legend = ({ user }: PageRequest): Content =>
  user.singleKeys && html`<p class="legend at-wide">${legendKeys.map(([key, word]) => html`<span>${kbd(key)} ${word}</span>`)}</p>`;

function notificationList(shown: InboxContext, before: number | null): Content {
  const { request, inbox: found, show } = shown;
  const { notifications, more } = found;
  const [newest, oldest] = [notifications[0], notifications.at(-1)];
  if (!newest || !oldest) return nothing(shown, before);
  const unread = notifications.some(({ read_at: at }) => at === null);
  const earlier = `${request.basePath}${PATH}?${show ? `show=${show}&` : ''}before=${oldest.id}`;
  return html`${before === null && unread && show !== 'snoozed' && readAll(shown, newest.id)}${notificationRows(shown)}${
    more && html`<p class="more">${linkButton(earlier, 'Show older')}</p>`
  }`;
}

function nothing({ request, inbox: found, show }: InboxContext, before: number | null): Content {
  if (before !== null) return html`<p class="more">No older notifications.</p>`;
  const everything = linkButton(`${request.basePath}${PATH}?show=all`, 'Show all');
  if (show === 'snoozed') return empty({ icon: 'alarm-clock', title: 'Nothing is snoozed', action: everything });
  if (show === '')
    return empty({
      icon: 'inbox',
      title: found.decisions.length ? 'No other unread notifications' : 'No unread notifications',
      action: everything,
    });
  return empty({
    icon: 'inbox',
    title: 'No notifications',
    text: 'Assignments, mentions, approvals and due dates that concern you appear here.',
  });
}

const readAll = ({ request, show }: InboxContext, upToId: number): Content =>
  postForm(
    request,
    { action: `${PATH}/read-all`, live: WORK, class: 'read-all', hidden: { upToId, show: show || null } },
    button('Mark all as done', { small: true, icon: 'check' }),
  );

async function replyOf(request: PageRequest): Promise<object> {
  const comment = { ...idsIn(request.form), body: request.form.raw('body').trim() };
  if (comment.body.includes('@')) await call(request, checkMentions, comment);
  return { ...comment, ...idOfNotification(request.form) };
}

/** Uses the version shown; if the item has changed since, the decision is refused. */
const decide = (request: PageRequest): Promise<Answer> =>
  orAgain(
    async () => {
      const { form: sent } = request;
      const [operation, notice] = sent.text('decision') === 'approve' ? [approve, 'approved'] : [reject, 'rejected'];
      const input = { ...idsIn(sent), version: sent.number('version'), comment: sent.text('comment') };
      await call(request, operation, input).catch((error: unknown) => {
        throw error instanceof VersionConflict ? new AppError('conflict', movedOn(input.id)) : error;
      });
      return backToInbox(request, notice);
    },
    { labels, again: (refusal) => showInbox(request, refusal) },
  );

const movedOn = (id: number): string =>
  `Item ${id} has changed since you opened this page, so your decision was not saved. Open the item, then decide again.`;

const form = handlersOn(showInbox, labels);
const idsIn = (sent: Form) => ({ workspaceId: sent.id('workspaceId'), id: sent.id('itemId') });

export const inboxRoutes: PageRoute[] = [
  ...snoozeRoutes,
  { method: 'GET', path: PATH, handle: (request) => showInbox(request) },
  {
    method: 'POST',
    path: `${PATH}/read-one`,
    handle: form(markNotificationRead, idOfNotification, ({ notificationId }, request) => backToInbox(request, 'read', notificationId)),
  },
  {
    method: 'POST',
    path: `${PATH}/read-all`,
    handle: form(
      markNotificationsRead,
      (sent) => ({ upToId: sent.id('upToId') }),
      (_, request) => backToInbox(request, 'read'),
    ),
  },
  {
    method: 'POST',
    path: `${PATH}/reply`,
    handle: form(
      replyToNotification,
      (_, request) => replyOf(request),
      (_, request) => backToInbox(request, 'commented'),
    ),
  },
  {
    method: 'POST',
    path: `${PATH}/unwatch`,
    handle: form(
      watchItem,
      (sent) => ({ ...idsIn(sent), watching: false }),
      (_, request) => backToInbox(request, 'unwatched'),
    ),
  },
  { method: 'POST', path: `${PATH}/decide`, handle: decide },
];
