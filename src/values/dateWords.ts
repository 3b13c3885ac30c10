/** Days and instants in words, the same on pages, in mails and in browser scripts (behaviour §18.2). Instants are shown in the reader's
 *  zone. Pure. */
import { forms, noon, ofDay } from './dateForms.ts';
import { dayOf } from './workdays.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** YYYY-MM-DD in `zone`. */
  today: string;
  /** An IANA name. */
  zone: string;
  /** A BCP 47 tag. The region sets the date and time format; words are always English. */
  locale: string;
}

export type DayClock = Pick<Clock, 'today' | 'locale'>;

const sameYear = (date: string, { today }: DayClock): boolean => date.slice(0, 4) === today.slice(0, 4);

/** "Yesterday", "Today", "Tomorrow", "Friday" within the next week, "Mon 30 Nov", "18 Jan 2027" in another year. */
export function dayWords(date: string, clock: DayClock): string {
  const ahead = dayOf(date) - dayOf(clock.today);
  const form = ofDay(clock);
  if (ahead === 0) return 'Today';
  if (ahead === 1) return 'Tomorrow';
  if (ahead === -1) return 'Yesterday';
  if (ahead > 1 && ahead < 7) return form.weekday(noon(date));
  return sameYear(date, clock) ? form.short(noon(date)) : form.withYear(noon(date));
}

/** For use inside a sentence: "until today". */
export const within = (words: string): string => words.replace(/^(?:Today|Tomorrow|Yesterday)\b/, (day) => day.toLowerCase());

export const shortDay = (date: string, clock: DayClock): string => ofDay(clock).short(noon(date));

export const longDay = (date: string, clock: DayClock): string => ofDay(clock).long(noon(date));

/** "Friday 27 November", plus the year if it is another one. */
export const fullDay = (date: string, clock: DayClock): string =>
  sameYear(date, clock) ? ofDay(clock).full(noon(date)) : longDay(date, clock);

export const monthWords = (date: string, clock: DayClock): string => ofDay(clock).month(noon(date));

/** "15 Dec", "15 Dec 2027" in another year. */
export const monthDay = (date: string, clock: DayClock): string =>
  sameYear(date, clock) ? ofDay(clock).dayMonth(noon(date)) : ofDay(clock).withYear(noon(date));

/** "Fri 15 Dec 2026": always with the year. */
export const datedDay = (date: string, clock: Pick<Clock, 'locale'>): string => ofDay(clock).dated(noon(date));

/** The reader's calendar day at this instant. */
export const dateIn = (iso: string, { locale, zone }: Pick<Clock, 'locale' | 'zone'>): string => forms(locale, zone).date(Date.parse(iso));

export const timeWords = (iso: string, { locale, zone }: Clock): string => forms(locale, zone).time(Date.parse(iso));

/** "Today 09:14", "Yesterday 09:05", "Fri 27 Nov 14:20"; other years without time: "18 Jan 2025". */
export function momentWords(iso: string, clock: Clock): string {
  const date = dateIn(iso, clock);
  const near = Math.abs(dayOf(date) - dayOf(clock.today)) <= 1;
  const words = near || !sameYear(date, clock) ? dayWords(date, clock) : ofDay(clock).short(noon(date));
  return sameYear(date, clock) || near ? `${words} ${timeWords(iso, clock)}` : words;
}

/** "Friday 27 November 2026 14:20, Europe/Berlin" */
export function exactly(iso: string, clock: Clock): string {
  return `${longDay(dateIn(iso, clock), clock)} ${timeWords(iso, clock)}, ${clock.zone}`;
}

/** "3 min ago", "2 h ago"; momentWords() from 12 hours on. */
export function agoWords(iso: string, clock: Clock): string {
  const minutes = Math.floor((clock.now - Date.parse(iso)) / 60_000);
  // The database's clock may be slightly ahead.
  if (minutes < -2 || minutes >= 720) return momentWords(iso, clock);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

/** Column heading of a day: "Mon 23". */
export const weekdayName = (date: string, clock: DayClock): string =>
  `${ofDay(clock).weekday(noon(date)).slice(0, 3)} ${Number(date.slice(8))}`;
