import type { Context } from 'koa';
import { englishOf, usualLocale } from '../../values/dateForms.ts';
import { todayIn } from '../../values/dates.ts';
import type { Clock } from '../../values/dateWords.ts';

export type { Clock };

export function clockAt(now: number, zone: string, locale: string = usualLocale): Clock {
  return { now, today: todayIn(zone, now), zone, locale };
}

/** The clock of a page request. Visitors get UTC. */
export const clockOf = ({ ctx, user }: { ctx: Context; user?: { timezone: string } | null }): Clock =>
  clockAt(Date.now(), user?.timezone ?? 'UTC', englishOf(ctx.get('Accept-Language').slice(0, 500).split(',')));
