/** /notifications: decisions that wait for the user, and notifications (behaviour §10.20, §20.12). */

import { approve, reject } from '../../items/approval.ts';
import { markNotificationRead, markNotificationsRead, watchItem } from '../../notifications/choose.ts';
import { inbox } from '../../overviews/inbox.ts';
import { MOST_BESIDE } from '../../overviews/signedIn.ts';
import { AppError, VersionConflict } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { formsOf } from '../frame/fields.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { orAgain, type Refusal, submitted } from '../frame/submitted.ts';
import { counted } from '../frame/widgets.ts';
import { decisionRows, type InboxContext, notificationRows, PATH, WORK } from './inboxRows.ts';

const PAGE = 50;
const labels = { comment: 'Message', version: '', status: '' } as const;

const idOf = (text: string | null): number | null => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const { query, form, basePath, user } = request;
  const all = (form.text('show') || query.get('show')) === 'all';
  const before = idOf(query.get('before'));
  const found = await call(request, inbox, { unreadOnly: !all, before, limit: PAGE });
  const shown: InboxContext = { request, inbox: found, clock: clockOf(request), forms: formsOf(request, labels, refusal), all };
  return {
    title: 'Inbox',
    sheets: ['inbox'],
    follow: 'mine',
    status: refusal?.status ?? 200,
    wide: true,
    ...(refusal && { notice: notice('error', refusal.problem) }),
    ...(user.unread > 0 && { meta: `${counted(user.unread, MOST_BESIDE)} unread` }),
    actions: html`${segments('Filter notifications', [
      { href: `${basePath}${PATH}`, label: 'Unread', current: !all },
      { href: `${basePath}${PATH}?show=all`, label: 'All', current: all },
    ])}${linkButton(`${basePath}/settings/notifications`, 'Notification settings', { icon: 'settings', iconOnPhone: true })}`,
    body: html`<div class="inbox" id="work">${decisionRows(shown)}${found.notifications.length > 0 ? notificationList(shown, before) : nothing(shown, before)}</div>`,
  };
}

function notificationList(shown: InboxContext, before: number | null): Content {
  const { request, inbox: found, all } = shown;
  const { notifications, more } = found;
  const unread = notifications.some(({ read_at: at }) => at === null);
  const earlier = `${request.basePath}${PATH}?${all ? 'show=all&' : ''}before=${notifications.at(-1)!.id}`;
  return html`${before === null && unread && readAll(shown, notifications[0]!.id)}${notificationRows(shown)}${
    more && html`<p class="more">${linkButton(earlier, 'Show older')}</p>`
  }`;
}

function nothing({ request, inbox: found, all }: InboxContext, before: number | null): Content {
  if (before !== null) return html`<p class="more">No older notifications.</p>`;
  const everything = linkButton(`${request.basePath}${PATH}?show=all`, 'Show all');
  if (!all)
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

const readAll = ({ request, all }: InboxContext, upToId: number): Content =>
  postForm(
    request,
    { action: `${PATH}/read-all`, live: WORK, class: 'read-all', hidden: { upToId, show: all ? 'all' : null } },
    button('Mark all as read', { small: true, icon: 'check' }),
  );

const back = ({ form }: PageRequest, notice: string): Redirect => ({
  redirect: form.text('show') === 'all' ? `${PATH}?show=all` : PATH,
  notice,
});

const markOne = (request: PageRequest): Promise<Answer> =>
  submitted(request, markNotificationRead, (form) => ({ notificationId: form.id('notificationId') }), {
    done: () => back(request, 'read'),
    again: (refusal) => show(request, refusal),
  });

const markAll = (request: PageRequest): Promise<Answer> =>
  submitted(request, markNotificationsRead, (form) => ({ upToId: form.id('upToId') }), {
    done: () => back(request, 'read'),
    again: (refusal) => show(request, refusal),
  });

const unwatch = (request: PageRequest): Promise<Answer> =>
  submitted(request, watchItem, (form) => ({ workspaceId: form.id('workspaceId'), id: form.id('itemId'), watching: false }), {
    done: () => back(request, 'unwatched'),
    again: (refusal) => show(request, refusal),
  });

/** Uses the version shown; if the item has changed since, the decision is refused. */
const decide = (request: PageRequest): Promise<Answer> =>
  orAgain(
    async () => {
      const { form } = request;
      const [operation, notice] = form.text('decision') === 'approve' ? [approve, 'approved'] : [reject, 'rejected'];
      const input = {
        workspaceId: form.id('workspaceId'),
        id: form.id('itemId'),
        version: form.number('version'),
        comment: form.text('comment'),
      };
      await call(request, operation, input).catch((error: unknown) => {
        throw error instanceof VersionConflict ? new AppError('conflict', movedOn(input.id)) : error;
      });
      return back(request, notice);
    },
    { labels, again: (refusal) => show(request, refusal) },
  );

const movedOn = (id: number): string =>
  `Item ${id} has changed since you opened this page, so your decision was not saved. Open the item, then decide again.`;

export const inboxRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: `${PATH}/read-one`, handle: markOne },
  { method: 'POST', path: `${PATH}/read-all`, handle: markAll },
  { method: 'POST', path: `${PATH}/unwatch`, handle: unwatch },
  { method: 'POST', path: `${PATH}/decide`, handle: decide },
];
