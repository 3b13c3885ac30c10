/** Days, moments and lengths of time in a reader's words: "Tomorrow", "Today 09:14", "2 h 52". The exact one stands in the title.
 *  A day is a calendar day wherever the reader is; a moment is told in their zone (behaviour §18.2). */
import { addDays, daysBetween } from '../../../values/dates.ts';
import type { Clock } from '../clock.ts';
import { type Html, html } from '../html.ts';
import { kept } from '../kept.ts';
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

/** Within a sentence: "until today". */
export const within = (words: string): string => words.replace(/^(?:Today|Tomorrow|Yesterday)\b/, (day) => day.toLowerCase());

/** "Fri 27 Nov" */
export const shortDay = (date: string, clock: Told): string => ofDay(clock).short(noon(date));

/** "Friday 27 November 2026" */
export const longDay = (date: string, clock: Told): string => ofDay(clock).long(noon(date));

/** "Friday 27 November", with the year where it is another. */
export const fullDay = (date: string, clock: Told): string =>
  date.slice(0, 4) === clock.today.slice(0, 4) ? ofDay(clock).full(noon(date)) : longDay(date, clock);

/** "November 2026" */
export const monthWords = (date: string, clock: Told): string => ofDay(clock).month(noon(date));

export function day(date: string, clock: Told): Html {
  return html`<time datetime="${date}" title="${longDay(date, clock)}">${dayWords(date, clock)}</time>`;
}

/** The day that an instant falls on in the reader's zone. */
export const dateIn = (iso: string, { locale, zone }: Clock): string => forms(locale, zone).date(Date.parse(iso));

/** "09:14" in the reader's zone. */
export const timeWords = (iso: string, { locale, zone }: Clock): string => forms(locale, zone).time(Date.parse(iso));

/** "Today 09:14", "Yesterday 09:05", "Fri 27 Nov 14:20"; another year without its hour: "18 Jan 2025". */
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

/** `absent` where there has been none. */
export const moment: (iso: string | null, clock: Clock, absent?: string) => Html = kept(
  (iso, { today, locale, zone }, absent) => `${iso} ${today} ${locale} ${zone} ${absent}`,
  (iso: string | null, clock: Clock, absent = 'never') =>
    iso === null ? html`${absent}` : html`<time datetime="${iso}" title="${exactly(iso, clock)}">${momentWords(iso, clock)}</time>`,
);

/** Within a sentence: "created today 09:14". */
export const momentWithin = (iso: string, clock: Clock): Html =>
  html`<time datetime="${iso}" title="${exactly(iso, clock)}">${within(momentWords(iso, clock))}</time>`;

/** "3 min ago", "2 h ago", then as momentWords; for what has just been. */
export function agoWords(iso: string, clock: Clock): string {
  const minutes = Math.floor((clock.now - Date.parse(iso)) / 60_000);
  // The database's clock may be a little ahead of this one.
  if (minutes < -2 || minutes >= 720) return momentWords(iso, clock);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

export function ago(iso: string | null, clock: Clock, absent = 'never'): Html {
  if (iso === null) return html`${absent}`;
  return html`<time datetime="${iso}" title="${exactly(iso, clock)}">${agoWords(iso, clock)}</time>`;
}

/** Minutes as "45 min", "2 h", "2 h 52". */
export function hours(minutes: number): string {
  const whole = Math.round(Math.abs(minutes));
  const [full, rest] = [Math.floor(whole / 60), whole % 60];
  const sign = minutes < 0 && whole > 0 ? '−' : '';
  if (full === 0) return `${sign}${rest} min`;
  return rest === 0 ? `${sign}${full} h` : `${sign}${full} h ${String(rest).padStart(2, '0')}`;
}

/** Minutes in a table: "1:30"; '' for none. */
export const figure = (minutes: number): string =>
  minutes > 0 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}` : '';

/** A clock that runs: "0:57:12". */
export function running(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Hours of an estimate or of a sum: "4 h", "0.25 h", "1,240 h". */
export function estimate(inHours: number): string {
  // Most are whole and small, and formatting them would be half of what their cell costs.
  if (Number.isInteger(inHours) && inHours >= 1 && inHours < 1000) return `${inHours} h`;
  return `${(Math.abs(inHours) < 10 ? fine : figures).format(inHours)} h`;
}

/** "in 14 days", "tomorrow", "today", "5 days ago" */
export function distance(date: string, today: string): string {
  const ahead = daysBetween(today, date);
  if (ahead === 0) return 'today';
  if (Math.abs(ahead) === 1) return ahead > 0 ? 'tomorrow' : 'yesterday';
  return ahead > 0 ? `in ${ahead} days` : `${-ahead} days ago`;
}

/** "10 days early", "1 day late"; null on the very day. */
export function earlyOrLate(date: string, target: string): string | null {
  const late = daysBetween(target, date);
  if (late === 0) return null;
  const days = Math.abs(late) === 1 ? '1 day' : `${Math.abs(late)} days`;
  return `${days} ${late > 0 ? 'late' : 'early'}`;
}

/** The days of a week from its Monday, as they are written over columns: "Mon 23". */
export function weekDays(monday: string, clock: Told): { date: string; name: string }[] {
  return Array.from({ length: 7 }, (_, i) => {
    const date = addDays(monday, i);
    return {
      date,
      name: `${ofDay(clock).weekday(noon(date)).slice(0, 3)} ${Number(date.slice(8))}`,
    };
  });
}
