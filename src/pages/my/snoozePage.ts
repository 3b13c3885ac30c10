/** /notifications/snooze: when a notification comes back. A menu with script, a sheet on phones, a page without script (behaviour §20.13). */
import { returnNotification, snoozeNotification } from '../../notifications/choose.ts';
import { addDays, instantToLocal, isDate, localToInstant, mondayOf } from '../../values/dates.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { notice } from '../frame/components/boxes.ts';
import { button } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menuTitle, option } from '../frame/components/palette.ts';
import { momentWords } from '../frame/components/when.ts';
import type { Form } from '../frame/forms.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute, Redirect } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { handlersOn, type Refusal } from '../frame/submitted.ts';
import { undoOf } from '../frame/toast.ts';
import { PATH, type Show, WORK } from './inboxRows.ts';

const SNOOZE = `${PATH}/snooze`;

// When a snoozed notification comes back: later today, tomorrow or next week, in the person's zone.

interface SnoozeChoice {
  name: 'later' | 'tomorrow' | 'next-week';
  label: string;
  /** Instant. */
  until: string;
}

const LATER_MS = 3 * 3_600_000;
const LAST_HOUR = 22;

/** A skipped hour of a clock change: the next hour. */
function instantAt(date: string, hour: number, zone: string): string {
  const local = (at: number) => `${date}T${String(at).padStart(2, '0')}:00`;
  const instant = localToInstant(local(hour), zone);
  return instant === 'skipped' ? instantAt(date, hour + 1, zone) : instant;
}

const MOST_DAYS = 366;

/** 9:00 on a chosen day; null unless it is from tomorrow to a year ahead. */
function snoozeDay(date: string, now: number, zone: string): string | null {
  const today = instantToLocal(now, zone).slice(0, 10);
  if (!isDate(date) || date <= today || date > addDays(today, MOST_DAYS)) return null;
  return instantAt(date, 9, zone);
}

/** Late in the evening there is no "later today". */
function snoozeChoices(now: number, zone: string): SnoozeChoice[] {
  const today = instantToLocal(now, zone).slice(0, 10);
  const later = instantToLocal(now + LATER_MS, zone);
  const hour = Number(later.slice(11, 13));
  const isToday = later.startsWith(today) && hour <= LAST_HOUR;
  return [
    ...(isToday ? [{ name: 'later' as const, label: 'Later today', until: instantAt(today, hour, zone) }] : []),
    { name: 'tomorrow', label: 'Tomorrow', until: instantAt(addDays(today, 1), 9, zone) },
    { name: 'next-week', label: 'Next week', until: instantAt(addDays(mondayOf(today), 7), 9, zone) },
  ];
}

export const showIn = (text: string | null): Show => (text === 'all' || text === 'snoozed' ? text : '');

/** The list that a form came from, with Undo for one notification. */
export const backToInbox = ({ form }: PageRequest, notice: string, id?: number): Redirect => ({
  redirect: showIn(form.text('show')) ? `${PATH}?show=${showIn(form.text('show'))}` : PATH,
  notice,
  ...(id !== undefined && { undo: undoOf.told({ id }) }),
});

function show(request: PageRequest, refusal?: Refusal): Answer {
  const { query, form } = request;
  const clock = clockOf(request);
  const hidden = {
    notificationId: form.text('notificationId') || (query.get('notificationId') ?? ''),
    show: showIn(form.text('show') || query.get('show')) || null,
  };
  const inForm = (content: Content) => postForm(request, { action: SNOOZE, live: WORK, hidden }, content);
  const options = snoozeChoices(clock.now, clock.zone).map(({ name, label, until }, at) =>
    option(label, { name: 'until', value: name, note: momentWords(until, clock), icon: icon('alarm-clock', 's'), key: String(at + 1) }),
  );
  const [first, last] = [addDays(clock.today, 1), addDays(clock.today, MOST_DAYS)];
  const date = html`<div class="typed"><label><span class="flabel">Choose a date</span><input class="input" type="date" name="on" required min="${first}" max="${last}" value="${form.text('on')}"></label>${button('Snooze', { small: true })}</div>`;
  return {
    title: 'Snooze',
    status: refusal?.status ?? 200,
    body: html`<section id="change" class="change" aria-label="Snooze until">${menuTitle('Snooze until', 'H')}${refusal && notice('error', refusal.problem)}${inForm(html`<div class="opts">${options}</div>`)}${inForm(date)}</section>`,
  };
}

/** Null ends the snooze. */
function untilIn({ form, user }: PageRequest): string | null | undefined {
  if (form.text('until') === 'now') return null;
  const now = Date.now();
  if (!form.has('on')) return snoozeChoices(now, user.timezone).find(({ name }) => name === form.text('until'))?.until;
  const until = snoozeDay(form.text('on'), now, user.timezone);
  if (until === null) throw new InvalidRequest(['until'], `choose a day from tomorrow on, at most ${MOST_DAYS} days ahead.`);
  return until;
}

export const idOfNotification = (sent: Form) => ({ notificationId: sent.id('notificationId') });

const form = handlersOn(show, { until: 'Snooze' });

const snooze = form(
  snoozeNotification,
  (sent, request) => ({ ...idOfNotification(sent), until: untilIn(request) }),
  ({ until, notificationId }, request) =>
    until === null ? backToInbox(request, 'broughtBack') : backToInbox(request, 'snoozed', notificationId),
);

/** Undo of done and of snooze. */
const undo = form(returnNotification, idOfNotification, (_, request) => backToInbox(request, 'broughtBack'));

export const snoozeRoutes: PageRoute[] = [
  { method: 'GET', path: SNOOZE, handle: async (request) => show(request) },
  { method: 'POST', path: SNOOZE, handle: snooze },
  { method: 'POST', path: `${PATH}/undo`, handle: undo },
];
