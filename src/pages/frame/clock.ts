/** What time it is for whoever reads a page: the present, and the zone and the form in which they are told of it. */
import type { Context } from 'koa';
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

/** Of what the browser asks for, the first English that tells its region. */
export function localeOf(acceptLanguage: string): string {
  for (const part of acceptLanguage.slice(0, 500).split(',')) {
    const region = /^\s*en-([a-z]{2}|\d{3})\s*(?:;|$)/i.exec(part)?.[1];
    if (region) return `en-${region.toUpperCase()}`;
  }
  return usualLocale;
}

/** Of a request for a page. A visitor's zone is not known: theirs is UTC. */
export const clockOf = ({ ctx, user }: { ctx: Context; user?: { timezone: string } | null }): Clock =>
  clockAt(Date.now(), user?.timezone ?? 'UTC', localeOf(ctx.get('Accept-Language')));
