/** Days and instants as text; the title attribute has the exact value. Instants are shown in the reader's zone (behaviour §18.2). */

import { addDays, daysBetween } from '../../../values/dates.ts';
import type { Clock } from '../clock.ts';
import { type Html, html } from '../html.ts';
import { quantity } from '../widgets.ts';
import { forms, noon, ofDay } from './dateForms.ts';

type Told = Pick<Clock, 'today' | 'locale'>;

/** "Yesterday", "Today", "Tomorrow", "Friday" within the next week, "Mon 30 Nov", "18 Jan 2027" in another year. */
export function dayWords(date: string, clock: Told): string {
  const ahead = daysBetween(clock.today, date);
  const form = ofDay(clock);
  if (ahead === 0) return 'Today';
  if (ahead === 1) return 'Tomorrow';
  if (ahead === -1) return 'Yesterday';
  if (ahead > 1 && ahead < 7) return form.weekday(noon(date));
  return date.slice(0, 4) === clock.today.slice(0, 4) ? form.short(noon(date)) : form.withYear(noon(date));
}

/** For use inside a sentence: "until today". */
export const within = (words: string): string => words.replace(/^(?:Today|Tomorrow|Yesterday)\b/, (day) => day.toLowerCase());

export const shortDay = (date: string, clock: Told): string => ofDay(clock).short(noon(date));

export const longDay = (date: string, clock: Told): string => ofDay(clock).long(noon(date));

/** "Friday 27 November", plus the year if it is another one. */
export const fullDay = (date: string, clock: Told): string =>
  date.slice(0, 4) === clock.today.slice(0, 4) ? ofDay(clock).full(noon(date)) : longDay(date, clock);

export const monthWords = (date: string, clock: Told): string => ofDay(clock).month(noon(date));

export function day(date: string, clock: Told): Html {
  return html`<time datetime="${date}" title="${longDay(date, clock)}">${dayWords(date, clock)}</time>`;
}

/** For use inside a sentence: "approved today". */
export const dayWithin = (date: string, clock: Told): Html =>
  html`<time datetime="${date}" title="${longDay(date, clock)}">${within(dayWords(date, clock))}</time>`;

/** The reader's calendar day at this instant. */
export const dateIn = (iso: string, { locale, zone }: Clock): string => forms(locale, zone).date(Date.parse(iso));

export const timeWords = (iso: string, { locale, zone }: Clock): string => forms(locale, zone).time(Date.parse(iso));

/** "Today 09:14", "Yesterday 09:05", "Fri 27 Nov 14:20"; other years without time: "18 Jan 2025". */
export function momentWords(iso: string, clock: Clock): string {
  const date = dateIn(iso, clock);
  const near = Math.abs(daysBetween(clock.today, date)) <= 1;
  const words = near || date.slice(0, 4) !== clock.today.slice(0, 4) ? dayWords(date, clock) : ofDay(clock).short(noon(date));
  return date.slice(0, 4) === clock.today.slice(0, 4) || near ? `${words} ${timeWords(iso, clock)}` : words;
}

/** "Friday 27 November 2026 14:20, Europe/Berlin" */
export function exactly(iso: string, clock: Clock): string {
  return `${longDay(dateIn(iso, clock), clock)} ${timeWords(iso, clock)}, ${clock.zone}`;
}

/** `absent`: text for null. */
export const moment = (iso: string | null, clock: Clock, absent = 'never'): Html =>
  iso === null ? html`${absent}` : html`<time datetime="${iso}" title="${exactly(iso, clock)}">${momentWords(iso, clock)}</time>`;

/** For use inside a sentence: "created today 09:14". */
export const momentWithin = (iso: string, clock: Clock): Html =>
  html`<time datetime="${iso}" title="${exactly(iso, clock)}">${within(momentWords(iso, clock))}</time>`;

/** "3 min ago", "2 h ago"; momentWords() from 12 hours on. */
export function agoWords(iso: string, clock: Clock): string {
  const minutes = Math.floor((clock.now - Date.parse(iso)) / 60_000);
  // The database's clock may be slightly ahead.
  if (minutes < -2 || minutes >= 720) return momentWords(iso, clock);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

export function ago(iso: string | null, clock: Clock, absent = 'never'): Html {
  if (iso === null) return html`${absent}`;
  return html`<time datetime="${iso}" title="${exactly(iso, clock)}">${agoWords(iso, clock)}</time>`;
}

/** "45 min", "2 h", "2 h 52". */
export function hours(minutes: number): string {
  const whole = Math.round(Math.abs(minutes));
  const [full, rest] = [Math.floor(whole / 60), whole % 60];
  const sign = minutes < 0 && whole > 0 ? '−' : '';
  if (full === 0) return `${sign}${rest} min`;
  return rest === 0 ? `${sign}${full} h` : `${sign}${full} h ${String(rest).padStart(2, '0')}`;
}

export const figure = (minutes: number): string =>
  minutes > 0 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}` : '';

/** Hours, minutes and seconds: "0:57:12". */
export function running(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Estimated hours: "4 h", "0.25 h", "1,240 h". */
export function estimate(inHours: number): string {
  // Shortcut: number formatting would take half of the time of a cell.
  if (Number.isInteger(inHours) && inHours >= 1 && inHours < 1000) return `${inHours} h`;
  return `${(Math.abs(inHours) < 10 ? fine : figures).format(inHours)} h`;
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

/** Column heading of a day: "Mon 23". */
export const weekdayName = (date: string, clock: Told): string =>
  `${ofDay(clock).weekday(noon(date)).slice(0, 3)} ${Number(date.slice(8))}`;

export const weekDays = (monday: string, clock: Told): { date: string; name: string }[] =>
  Array.from({ length: 7 }, (_, n) => addDays(monday, n)).map((date) => ({ date, name: weekdayName(date, clock) }));
