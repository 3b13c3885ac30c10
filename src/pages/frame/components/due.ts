import { daysBetween } from '../../../values/dates.ts';
import { capital } from '../../../values/text.ts';
import type { Clock } from '../clock.ts';
import { type Html, html } from '../html.ts';
import { quantity } from '../widgets.ts';
import { icon } from './icon.ts';
import { dayWords, longDay } from './when.ts';

interface DueProps {
  /** The user's current day, if it differs from the clock's. */
  today?: string;
  /** Done or cancelled items are never late. */
  closed?: boolean;
  /** Text for a missing date ("no due date"). */
  absent?: string;
  /** Hidden from screen readers, because another element contains dueText(). */
  beside?: boolean;
}

type DueState = 'none' | 'late' | 'today' | 'later';

export function dueState(date: string | null, today: string, closed = false): DueState {
  if (date === null) return 'none';
  if (closed || date > today) return 'later';
  return date === today ? 'today' : 'late';
}

/** "5 days late", "1 day late", "Today", "Tomorrow", "Friday", "Mon 30 Nov" (behaviour §18.3). */
export function dueWords(date: string, { today = '', closed = false }: DueProps, clock: Pick<Clock, 'today' | 'locale'>): string {
  const from = today || clock.today;
  if (dueState(date, from, closed) !== 'late') return dayWords(date, { today: from, locale: clock.locale });
  const days = daysBetween(date, from);
  return `${quantity(days, 'day')} late`;
}

/** The due date as text, without markup. */
export function dueText(date: string | null, props: DueProps, clock: Pick<Clock, 'today' | 'locale'>): string {
  if (date === null) return props.absent ?? usualAbsent;
  const late = dueState(date, props.today ?? clock.today, props.closed) === 'late';
  return `${late ? 'Overdue: ' : ''}${dueWords(date, props, clock)}`;
}

const usualAbsent = 'no due date';

export function due(date: string | null, props: DueProps, clock: Pick<Clock, 'today' | 'locale'>): Html {
  const { today = clock.today, closed = false, absent = usualAbsent, beside } = props;
  const state = dueState(date, today, closed);
  if (date === null)
    return html`<span class="due none" title="${capital(absent)}">–${!beside && html`<span class="vh"> ${absent}</span>`}</span>`;
  const sign = state === 'late' ? 'triangle-alert' : state === 'today' ? 'clock' : 'calendar';
  const words = dueWords(date, { today, closed }, clock);
  return html`<span class="due${state !== 'later' && ` ${state}`}" title="${longDay(date, clock)}">${icon(sign, 's')}${
    state === 'late' && !beside && html`<span class="vh">Overdue: </span>`
  }<time datetime="${date}">${words}</time></span>`;
}
