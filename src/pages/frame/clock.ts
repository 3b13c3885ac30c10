/** What time it is for whoever reads a page: the present, and the zone and the form in which they are told of it. */
import { todayIn } from '../../values/dates.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** YYYY-MM-DD in their zone. */
  today: string;
  /** An IANA name. */
  zone: string;
  /** A BCP 47 tag: its region decides about the form of dates and times, whose words are English. */
  locale: string;
}

export const usualLocale = 'en-GB';

export function clockAt(now: number, zone: string, locale: string = usualLocale): Clock {
  return { now, today: todayIn(zone, now), zone, locale };
}
