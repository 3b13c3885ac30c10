/** /settings/notifications, and /unsubscribe for links in mails (behaviour §10.23, §10.25). */
import {
  type Choices,
  chooseNotifications,
  listChoices,
  type Mails,
  type NotificationChoices,
  type Subscription,
  stopMails,
  subscriptionOf,
} from '../../notifications/choose.ts';
import { allowedChoices, type Choice, type Kind, kinds } from '../../notifications/schema.ts';
import { perform } from '../../operations/perform.ts';
import { section } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { table } from '../frame/components/row.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, PublicRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { option, problemBox } from '../frame/widgets.ts';
import { workspaceChoiceWords } from '../workspace/notices.ts';
import { profileTabs } from './profile.ts';

const PATH = '/settings/notifications';

const kindWords: Record<Kind, string> = {
  mentioned: 'I am mentioned in a comment or note',
  approval_requested: 'My approval is requested',
  assigned: 'An item is assigned to me',
  owner: 'I become the owner of an item',
  approved_changed: 'An item that I approved is changed',
  approval_decided: 'My approval request is approved or rejected',
  commented: 'There is a comment on an item that I watch, own, commented on or am assigned to',
  status_changed: 'The status changes on an item that I watch, own, commented on or am assigned to',
  unblocked: 'The last blocker of an item of mine is closed',
  away: 'The assignee of an item that I created, own or watch is away when it is due',
  outlook: 'The forecast of a release or milestone that I own or watch becomes at risk or overcommitted, or recovers',
  outlook_week: 'Each Monday, a summary of the releases and milestones that I own',
  series_paused: 'A recurring task that I set up is paused',
  due_tomorrow: 'An item of mine is due tomorrow',
  overdue: 'An item of mine is overdue',
  block_starts: 'Planned time is about to start',
  block_ends: 'Planned time is about to end',
  block_missed: 'Planned time was missed',
  timer_long: 'My timer has been running for a long time',
  webhook_rests: 'A webhook was paused',
  password_link: 'A password link was created for me',
  password_set: 'My password was set with a link',
};

const choiceWords: Record<Choice, string> = {
  page: 'Inbox',
  mail: 'Inbox and email',
  digest: 'Inbox and daily email',
  off: 'Off',
};

const withoutMail = (choice: Choice): Choice => (choice === 'off' ? 'off' : 'page');

async function show(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const mails = request.deps.config.mail.smtpUrl !== undefined;
  const { choices: chosen, workspaces } = await call(request, listChoices, {});
  const form = postForm(
    request,
    { action: PATH, live: '#told' },
    html`<div class="scroll"><table class="cards"><thead><tr><th scope="col">Event</th><th scope="col">Notify me</th></tr></thead>
<tbody>${kinds.map((kind) => row(kind, mails, chosen))}</tbody></table></div><button>Save</button>`,
  );
  return {
    title: 'Notification settings',
    status: refusal?.status ?? 200,
    body: html`${profileTabs(request, PATH)}<section id="told">${problemBox(refusal?.problem)}
<p>${mails ? `Emails go to ${request.user.email}. The daily email is sent at 08:00 (${request.user.timezone}).` : 'This installation sends no email. Notifications appear in your inbox.'}</p>
${form}</section>${workspacesPart(request, workspaces)}<p><a href="${request.basePath}/notifications">Open inbox</a></p>`,
  };
}

/** Only workspaces with fewer notifications. */
function workspacesPart({ basePath }: PageRequest, workspaces: NotificationChoices['workspaces']): Content {
  if (workspaces.length === 0) return null;
  const rows = workspaces.map(({ id, name, choice }) => [
    name,
    workspaceChoiceWords[choice ?? ''],
    linkButton(`${basePath}/workspaces/${id}/settings/notices`, 'Change', { small: true, said: `Change notifications of ${name}` }),
  ]);
  const columns = [{ label: 'Workspace' }, { label: 'Notifications' }, { label: 'Change', quiet: true }];
  return section({ title: 'By workspace', id: 'workspaces' }, table({ caption: 'By workspace', columns }, rows));
}

function row(kind: Kind, mails: boolean, chosen: Choices): Content {
  const now = mails ? chosen[kind] : withoutMail(chosen[kind]);
  const ways = allowedChoices(kind).filter((choice) => mails || withoutMail(choice) === choice);
  return html`<tr><th scope="row">${kindWords[kind]}</th><td data-label="Notify me"><input type="hidden" name="was-${kind}" value="${now}">
<select name="${kind}" aria-label="${kindWords[kind]}">${ways.map((choice) => option(choice, choiceWords[choice], now))}</select></td></tr>`;
}

/** Sends only changed choices: without a mail server, stored mail choices must stay. */
const choose = handlersOn(show)(
  chooseNotifications,
  (sent) => {
    const changed = kinds.filter((kind) => sent.has(kind) && sent.text(kind) !== sent.text(`was-${kind}`));
    return { choices: Object.fromEntries(changed.map((kind) => [kind, sent.text(kind)])) };
  },
  { redirect: PATH, notice: 'saved' },
);

const title = 'Unsubscribe';
const wordsOf = (mails: Mails): string => (mails === 'digest' ? 'the daily email' : `emails about “${kindWords[mails]}”`);

/** GET changes nothing, because mail scanners open links. Only the form or a mail program's POST does. */
function askToStop(request: PublicRequest): Answer {
  const token = request.query.get('t') ?? '';
  const subscription = subscriptionOf(request.deps.config, token);
  if (!subscription) return notOurs(request);
  return {
    title,
    body: html`<p>Stop ${wordsOf(subscription.mails)}? You still get these notifications in your inbox.</p>
${postForm(request, { action: `/unsubscribe?t=${encodeURIComponent(token)}`, class: 'plain' }, html`<button>Unsubscribe</button>`)}`,
  };
}

async function stop(request: PublicRequest): Promise<Answer> {
  const subscription = subscriptionOf(request.deps.config, request.query.get('t') ?? '');
  if (!subscription) return notOurs(request);
  await stopFor(request, subscription);
  return {
    title,
    body: html`<p role="status">Unsubscribed from ${wordsOf(subscription.mails)}.</p><p><a href="${request.basePath}${PATH}">Notification settings</a></p>`,
  };
}

/** The signature authorizes the request, only for this person and these mails. */
const stopFor = ({ deps }: PublicRequest, { userId, mails }: Subscription) =>
  perform(deps.db, { kind: 'user', userId }, stopMails, { mails });

const notOurs = ({ basePath }: PublicRequest): Answer => ({
  title,
  status: 400,
  body: html`<p class="error" role="alert">This link is incomplete or expired, so nothing was changed. Sign in to change your notification settings.</p><p><a href="${basePath}${PATH}">Notification settings</a></p>`,
});

export const notificationRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: (request) => show(request) },
  { method: 'POST', path: PATH, handle: choose },
  { method: 'GET', path: '/unsubscribe', public: true, handle: async (request) => askToStop(request) },
  { method: 'POST', path: '/unsubscribe', public: true, handle: stop },
];
