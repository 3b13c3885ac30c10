/** How days and moments are written in a reader's region: one set of formatters for each locale and zone. */
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
  /** YYYY-MM-DD, to count days by. */
  date: Form;
}

// Making a formatter costs more than a hundred uses of it. Zones and locales come from people, hence the bound.
const cache = new LRUCache<string, Forms>({ max: 64 });

/** The pages' words are English; how dates and times are written is the region's. */
export function formOf(locale: string): string {
  try {
    const region = new Intl.Locale(locale).maximize().region;
    return region ? new Intl.Locale('en', { region }).toString() : usualLocale;
  } catch {
    return usualLocale;
  }
}

/** "Fri, 27 Nov" is longer than it need be in a row. */
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

/** A calendar day knows no zone: it is written as it is in UTC. */
export const ofDay = ({ locale }: Pick<Clock, 'locale'>): Forms => forms(locale, 'UTC');
export const noon = (date: string): number => Date.parse(date) + 43_200_000;
