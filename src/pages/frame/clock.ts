import type { Context } from 'koa';
import { todayIn } from '../../values/dates.ts';

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

export const usualLocale = 'en-GB';

export function clockAt(now: number, zone: string, locale: string = usualLocale): Clock {
  return { now, today: todayIn(zone, now), zone, locale };
}

/** The first English locale with a region in Accept-Language; `usualLocale` if there is none. */
function localeOf(acceptLanguage: string): string {
  for (const part of acceptLanguage.slice(0, 500).split(',')) {
    const region = /^\s*en-([a-z]{2}|\d{3})\s*(?:;|$)/i.exec(part)?.[1];
    if (region) return `en-${region.toUpperCase()}`;
  }
  return usualLocale;
}

/** The clock of a page request. Visitors get UTC. */
export const clockOf = ({ ctx, user }: { ctx: Context; user?: { timezone: string } | null }): Clock =>
  clockAt(Date.now(), user?.timezone ?? 'UTC', localeOf(ctx.get('Accept-Language')));
