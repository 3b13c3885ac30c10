/** Date and time formatters, one set per locale and zone, for the service and browser scripts (behaviour §18.2). Nothing else makes them. */

export const usualLocale = 'en-GB';

type Form = (instant: number | Date) => string;

export interface Forms {
  /** "09:14" */
  time: Form;
  /** "Fri 27 Nov" */
  short: Form;
  /** "Fri 27 Nov 2026" */
  dated: Form;
  /** "27 Nov" */
  dayMonth: Form;
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
  /** "Nov" */
  monthName: Form;
  /** YYYY-MM-DD, for counting days. */
  date: Form;
}

// Creating a formatter costs more than a hundred uses. Users choose zones and locales, so the cache has a limit.
const MOST_CACHED = 64;
const cache = new Map<string, Forms>();

/** English with the region of `locale`. An invalid locale gives `usualLocale`. */
function formOf(locale: string): string {
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
  const dated = form({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const dayMonth = form({ day: 'numeric', month: 'short' });
  const monthName = form({ month: 'short' });
  const withYear = form({ day: 'numeric', month: 'short', year: 'numeric' });
  const weekday = form({ weekday: 'long' });
  const full = form({ weekday: 'long', day: 'numeric', month: 'long' });
  const month = form({ month: 'long', year: 'numeric' });
  const long = form({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const date = form({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
  return {
    time: (instant) => time.format(instant),
    short: (instant) => inShort(short.format(instant)),
    dated: (instant) => inShort(dated.format(instant)),
    dayMonth: (instant) => dayMonth.format(instant),
    withYear: (instant) => withYear.format(instant),
    weekday: (instant) => weekday.format(instant),
    full: (instant) => inShort(full.format(instant)),
    long: (instant) => inShort(long.format(instant)),
    month: (instant) => month.format(instant),
    monthName: (instant) => monthName.format(instant),
    date: (instant) => date.format(instant),
  };
}

export function forms(locale: string, zone: string): Forms {
  const key = `${locale} ${zone}`;
  const known = cache.get(key);
  if (known) return known;
  const made = make(formOf(locale), zone);
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(key, made);
  return made;
}

/** Formats calendar days in UTC, because they have no zone. */
export const ofDay = ({ locale }: { locale: string }): Forms => forms(locale, 'UTC');
export const noon = (date: string): number => Date.parse(date) + 43_200_000;

/** The first English locale with a region; `usualLocale` if there is none. */
export function englishOf(locales: readonly string[]): string {
  for (const locale of locales) {
    const region = /^\s*en-([a-z]{2}|\d{3})\s*(?:;|$)/i.exec(locale)?.[1];
    if (region) return `en-${region.toUpperCase()}`;
  }
  return usualLocale;
}
