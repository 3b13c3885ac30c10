/** Date and time formatters, one set per locale and zone. */
import { LRUCache } from 'lru-cache';
import { type Clock, usualLocale } from '../clock.ts';

type Form = (instant: number | Date) => string;

export interface Forms {
  /** "09:14" */
  time: Form;
  /** "Fri 27 Nov" */
  short: Form;
  /** "27 Nov 2027" */
  withYear: Form;
  /** "Friday" */
  weekday: Form;
  /** "Friday 27 November" */
  full: Form;
  /** "Friday 27 November 2026" */
  long: Form;
  /** "November 2026" */
  month: Form;
  /** YYYY-MM-DD, for counting days. */
  date: Form;
}

// Creating a formatter costs more than a hundred uses. Users choose zones and locales, so the cache has a limit.
const cache = new LRUCache<string, Forms>({ max: 64 });

/** English with the region of `locale`. An invalid locale gives `usualLocale`. */
export function formOf(locale: string): string {
  try {
    const region = new Intl.Locale(locale).maximize().region;
    return region ? new Intl.Locale('en', { region }).toString() : usualLocale;
  } catch {
    return usualLocale;
  }
}

/** Removes the comma of "Fri, 27 Nov" to save space. */
const inShort = (text: string): string => text.replace(/^(\p{L}+),/u, '$1');

function make(locale: string, timeZone: string): Forms {
  const form = (options: Intl.DateTimeFormatOptions, of = locale) =>
    new Intl.DateTimeFormat(of, { calendar: 'gregory', timeZone, ...options });
  const twelve = form({ hour: 'numeric' }).resolvedOptions().hour12 === true;
  const time = form({ hour: twelve ? 'numeric' : '2-digit', minute: '2-digit' });
  const short = form({ weekday: 'short', day: 'numeric', month: 'short' });
  const withYear = form({ day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = form({ weekday: 'long' });
  const full = form({ weekday: 'long', day: 'numeric', month: 'long' });
  const month = form({ month: 'long', year: 'numeric' });
  const long = form({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const date = form({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
  return {
    time: (instant) => time.format(instant),
    short: (instant) => inShort(short.format(instant)),
    withYear: (instant) => withYear.format(instant),
    weekday: (instant) => weekday.format(instant),
    full: (instant) => inShort(full.format(instant)),
    long: (instant) => inShort(long.format(instant)),
    month: (instant) => month.format(instant),
    date: (instant) => date.format(instant),
  };
}

export function forms(locale: string, zone: string): Forms {
  const key = `${locale} ${zone}`;
  const known = cache.get(key);
  if (known) return known;
  const made = make(formOf(locale), zone);
  cache.set(key, made);
  return made;
}

/** Formats calendar days in UTC, because they have no zone. */
export const ofDay = ({ locale }: Pick<Clock, 'locale'>): Forms => forms(locale, 'UTC');
export const noon = (date: string): number => Date.parse(date) + 43_200_000;
