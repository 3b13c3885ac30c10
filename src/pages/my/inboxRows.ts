/** Rows of the inbox: decisions with their forms, and notifications by day (behaviour §20.12). */

import { bits, holds } from '../../access/rights.ts';
import { type Kind, lineOf, type NotificationRow, sentenceOf, type Words } from '../../notifications/schema.ts';
import type { Decision, Inbox } from '../../overviews/inbox.ts';
import { localToInstant } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { group } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { statusIcon } from '../frame/components/status.ts';
import { dateIn, dayWords, fullDay, moment, momentWords, timeWords } from '../frame/components/when.ts';
import type { Forms } from '../frame/fields.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { quoted } from '../frame/widgets.ts';

export const PATH = '/notifications';
export const WORK = '#work';

export interface InboxContext {
  request: PageRequest;
  inbox: Inbox;
  clock: Clock;
  forms: Forms;
  show: Show;
}

/** Unread ones, snoozed ones, or all. */
export type Show = '' | 'snoozed' | 'all';

export function decisionRows(shown: InboxContext): Content {
  const { decisions } = shown.inbox;
  if (!decisions.length) return null;
  const title = 'Needs your approval';
  return group(
    { id: 'decisions', icon: icon('hourglass', 's'), title, count: decisions.length },
    decisions.map((one) => decisionRow(shown, one)),
  );
}

/** The actor, with the kind of notification. Only the sign if there is no actor. */
const face = (who: AvatarProps | null, sign: Html): Html =>
  html`<span class="face">${who ? html`${avatar(who, { size: 'l', beside: true })}<span class="kind">${sign}</span>` : sign}</span>`;

function decisionRow({ request, clock, forms, show }: InboxContext, one: Decision): Html {
  const { id, workspaceId, workspace, title, version, by, at, comment } = one;
  const fields = forms(`${PATH}/decide`, { itemId: id });
  const hidden = { workspaceId, itemId: id, version, show: show || null };
  const label = html`<label class="flabel" for="comment-${id}">Message to ${by?.name ?? 'the requester'}</label>`;
  const form = postForm(
    request,
    { action: `${PATH}/decide`, once: true, live: WORK, class: 'decide', hidden },
    html`${button('Approve', { kind: 'primary', small: true, icon: 'check', name: 'decision', value: 'approve', said: `Approve ${title}`, attributes: html` data-key="a"` })}<details${fields.refused && html` open`}><summary class="btn small danger" aria-label="Reject ${title}">${icon('x', 's')}Reject</summary><div class="reason">${label}<textarea class="area" id="comment-${id}" name="comment" maxlength="12000" rows="2" aria-describedby="hint-${id}"${fields.mark('comment')}>
${fields.value('comment')}</textarea>${fields.note('comment')}<p class="hint" id="hint-${id}">To reject, write what has to change.</p>
<div class="do">${button('Reject', { kind: 'danger', small: true, name: 'decision', value: 'reject', said: `Reject ${title} with this message` })}</div></div></details>`,
  );
  const asked = html`${by ? `${by.name} requests your approval` : 'Needs your approval'}${at && html`, ${moment(at, clock)}`} · ${workspace}`;
  return html`<li class="told ask" data-item="${id}">${face(by, statusIcon({ status: 'pending_approval', label: '', approval: 'pending', beside: true }))}<div class="what"><p dir="auto"><a href="${request.basePath}/workspaces/${workspaceId}/items/${id}#approve">${title}</a> <span class="num">${id}</span></p><p class="meta">${asked}</p>${
    comment && html`<blockquote class="text">${comment}</blockquote>`
  }</div><span class="when">${one.due && due(one.due, {}, clock)}</span>${form}</li>`;
}

export function notificationRows(shown: InboxContext): Content {
  const { inbox, clock } = shown;
  const days = Map.groupBy(inbox.notifications, ({ created_at: at }) => dateIn(at, clock));
  const latestFirst = [...days].sort(([one], [other]) => other.localeCompare(one));
  return latestFirst.map(([date, rows]) => {
    const name = dayWords(date, clock);
    const title = Math.abs(Date.parse(clock.today) - Date.parse(date)) <= DAY_MS ? name : fullDay(date, clock);
    return group(
      { id: `told-${date}`, title, count: rows.length },
      rows.map((one) => notificationRow(shown, one)),
    );
  });
}

const DAY_MS = 86_400_000;

const signs: Record<Kind, IconName> = {
  mentioned: 'at-sign',
  approval_requested: 'hourglass',
  assigned: 'user',
  owner: 'user',
  approval_decided: 'circle-check',
  approved_changed: 'circle-alert',
  commented: 'message-square',
  status_changed: 'refresh-cw',
  unblocked: 'circle-check',
  away: 'sun',
  outlook: 'gauge',
  outlook_week: 'gauge',
  series_paused: 'triangle-alert',
  due_tomorrow: 'calendar',
  overdue: 'triangle-alert',
  block_starts: 'clock',
  block_ends: 'clock',
  block_missed: 'triangle-alert',
  timer_long: 'timer',
  password_link: 'key-round',
  password_set: 'key-round',
  webhook_rests: 'webhook',
};

function notificationRow(shown: InboxContext, row: NotificationRow): Html {
  const { request, clock } = shown;
  const text = sentenceOf(row, wordsOf(clock));
  const unread = row.read_at === null;
  const place = placeOf(row);
  const said = place ? html`<a href="${request.basePath}${place.path}">${quoted(text)}</a>` : quoted(text);
  const back = unread ? row.snoozed_until : null;
  const time = back ?? row.created_at;
  return html`<li class="told${unread && ' unread'}" data-item="n${row.id}">${face(actorOf(row), icon(signs[row.kind], 's'))}<div class="what"><p>${unread && html`<span class="vh">Unread: </span>`}${said}</p>${summaryPart(shown, row)}</div><span class="when">${shown.show === 'snoozed' ? 'until ' : back && html`${icon('alarm-clock', 's')}<span class="vh">Snoozed until </span>`}<time datetime="${time}" title="${momentWords(time, clock)}">${shown.show === 'snoozed' ? momentWords(time, clock) : timeWords(time, clock)}</time></span><div class="does">${
    place && linkButton(`${request.basePath}${place.path}`, place.label, { small: true, kind: 'quiet', said: `${place.label}: ${text}` })
  }${replyTo(shown, row, text)}${unwatch(shown, row, text)}${unread && [readOne(shown, row, text), snooze(shown, row, text)]}</div></li>`;
}

/** The items of a Monday summary. */
const summaryPart = ({ request, clock }: InboxContext, { summary }: NotificationRow): Content =>
  summary &&
  html`<ul class="summary">${summary.map(
    (line) =>
      html`<li><a href="${request.basePath}/workspaces/${line.workspace_id}/items/${line.item_id}">${quoted(lineOf(line, wordsOf(clock)))}</a></li>`,
  )}</ul>`;

const actorOf = ({ actor_id: id, actor: name, actor_kind: kind, via, credential }: NotificationRow): AvatarProps | null => {
  if (id === null || name === null || kind === null) return null;
  return via === 'agent' ? { id, name: credential ?? name, kind: 'agent' } : { id, name, kind };
};

function wordsOf(clock: Clock): Words {
  const day = (date: string) => fullDay(date, clock);
  const moment = (iso: string) => `${timeWords(iso, clock)} on ${day(dateIn(iso, clock))}`;
  const local = (text: string, zone: string) => {
    const instant = localToInstant(text.slice(0, 16), zone);
    return instant === 'skipped' ? `${text.slice(11, 16)} on ${day(text.slice(0, 10))} (${zone})` : moment(instant);
  };
  return { day, moment, local };
}

/** Link to where the notification can be answered. */
function placeOf({
  kind,
  read_at: readAt,
  workspace_id: workspaceId,
  item_id: itemId,
  block_id: blockId,
}: NotificationRow): { path: string; label: string } | null {
  if (itemId === null) return blockId === null ? null : { path: '/my', label: 'Open week' };
  const path = `/workspaces/${workspaceId}/items/${itemId}`;
  if (kind === 'commented' || kind === 'mentioned') return { path: `${path}#comments`, label: 'Open' };
  return kind === 'approval_requested' && readAt === null ? { path: `${path}#approve`, label: 'Decide' } : { path, label: 'Open' };
}

const followed: readonly Kind[] = ['commented', 'status_changed', 'outlook'];

const unwatch = (
  { request, show }: InboxContext,
  { kind, workspace_id: workspaceId, item_id: itemId }: NotificationRow,
  text: string,
): Content =>
  itemId !== null &&
  followed.includes(kind) &&
  postForm(
    request,
    { action: `${PATH}/unwatch`, live: WORK, hidden: { workspaceId, itemId, show: show || null } },
    button('Unwatch', { small: true, kind: 'quiet', said: `Unwatch: ${text}` }),
  );

const readOne = ({ request, show }: InboxContext, { id }: NotificationRow, text: string): Content =>
  postForm(
    request,
    { action: `${PATH}/read-one`, live: WORK, hidden: { notificationId: id, show: show || null } },
    button('Done', {
      small: true,
      kind: 'quiet',
      icon: 'check',
      said: `Done: ${text}`,
      attributes: html` data-key="e" data-swipe="right" data-verb="Done"`,
    }),
  );

/** Where the reader may comment. Workspaces beyond the sidebar's have the link alone. */
function replyTo(
  { request, show, forms }: InboxContext,
  { id, kind, workspace_id: workspaceId, item_id: itemId }: NotificationRow,
  text: string,
): Content {
  const workspace = request.user.frame?.workspaces.find((one) => one.id === workspaceId);
  if ((kind !== 'commented' && kind !== 'mentioned') || itemId === null || !workspace) return null;
  if (!holds(workspace.rights, bits('comments', 'write'))) return null;
  const fields = forms(`${PATH}/reply`, { notificationId: id });
  const form = postForm(
    request,
    {
      action: `${PATH}/reply`,
      once: true,
      live: WORK,
      class: 'reason',
      hidden: { notificationId: id, workspaceId, itemId, show: show || null },
    },
    html`<label class="flabel" for="reply-${id}">Reply</label><textarea class="area" id="reply-${id}" name="body" required maxlength="12000" rows="2" data-send${fields.mark('body')}>
${fields.value('body')}</textarea>${fields.note('body')}<div class="do">${button('Reply', { kind: 'primary', small: true, key: 'Ctrl Enter' })}</div>`,
  );
  return html`<details class="reply" data-focus${fields.refused && html` open`}><summary class="btn small quiet" aria-label="Reply: ${text}" data-key="r">${icon('corner-up-left', 's')}Reply</summary>${form}</details>`;
}

/** Opens the times to choose from; a sheet on phones. */
function snooze({ request, show }: InboxContext, { id }: NotificationRow, text: string): Content {
  if (show === 'snoozed') return unsnooze(request, id, text);
  const href = `${request.basePath}${PATH}/snooze?notificationId=${id}${show && `&show=${show}`}`;
  const attributes = html` data-menu data-key="h" data-swipe="left" data-verb="Snooze"`;
  return linkButton(href, 'Snooze', { small: true, kind: 'quiet', icon: 'alarm-clock', said: `Snooze: ${text}`, attributes });
}

const unsnooze = (request: PageRequest, notificationId: number, text: string): Content =>
  postForm(
    request,
    { action: `${PATH}/snooze`, live: WORK, hidden: { notificationId, show: 'snoozed' } },
    button('Unsnooze', { small: true, kind: 'quiet', name: 'until', value: 'now', said: `Unsnooze: ${text}` }),
  );
