/** Days and instants as elements; the title attribute has the exact value (behaviour §18.2). */

import { addDays, daysBetween } from '../../../values/dates.ts';
import {
  agoWords,
  type Clock,
  type DayClock,
  dayWords,
  exactly,
  longDay,
  momentWords,
  weekdayName,
  within,
} from '../../../values/dateWords.ts';
import { type Html, html } from '../html.ts';
import { quantity } from '../widgets.ts';

export {
  agoWords,
  dateIn,
  dayWords,
  exactly,
  fullDay,
  longDay,
  momentWords,
  monthDay,
  monthWords,
  shortDay,
  timeWords,
  weekdayName,
  within,
} from '../../../values/dateWords.ts';
export { estimate, figure, hours, running } from '../../../values/lengths.ts';

export function day(date: string, clock: DayClock): Html {
  return html`<time datetime="${date}" title="${longDay(date, clock)}">${dayWords(date, clock)}</time>`;
}

/** For use inside a sentence: "approved today". */
export const dayWithin = (date: string, clock: DayClock): Html =>
  html`<time datetime="${date}" title="${longDay(date, clock)}">${within(dayWords(date, clock))}</time>`;

/** `absent`: text for null. */
export const moment = (iso: string | null, clock: Clock, absent = 'never'): Html =>
  iso === null ? html`${absent}` : html`<time datetime="${iso}" title="${exactly(iso, clock)}">${momentWords(iso, clock)}</time>`;

/** For use inside a sentence: "created today 09:14". */
export const momentWithin = (iso: string, clock: Clock): Html =>
  html`<time datetime="${iso}" title="${exactly(iso, clock)}">${within(momentWords(iso, clock))}</time>`;

export function ago(iso: string | null, clock: Clock, absent = 'never'): Html {
  if (iso === null) return html`${absent}`;
  return html`<time datetime="${iso}" title="${exactly(iso, clock)}">${agoWords(iso, clock)}</time>`;
}

/** "in 14 days", "tomorrow", "today", "5 days ago" */
export function distance(date: string, today: string): string {
  const ahead = daysBetween(today, date);
  if (ahead === 0) return 'today';
  if (Math.abs(ahead) === 1) return ahead > 0 ? 'tomorrow' : 'yesterday';
  return ahead > 0 ? `in ${quantity(ahead, 'day')}` : `${quantity(-ahead, 'day')} ago`;
}

/** "10 days early", "1 day late"; null if on time. */
export function earlyOrLate(date: string, target: string): string | null {
  const late = daysBetween(target, date);
  if (late === 0) return null;
  const days = quantity(Math.abs(late), 'day');
  return `${days} ${late > 0 ? 'late' : 'early'}`;
}

export const weekDays = (monday: string, clock: DayClock): { date: string; name: string }[] =>
  Array.from({ length: 7 }, (_, n) => addDays(monday, n)).map((date) => ({ date, name: weekdayName(date, clock) }));
