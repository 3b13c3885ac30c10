import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { type TimeWindow, timeParts } from '../plans/myTimeQueries.ts';
import { StoredInstant } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';

const Row = z.object({
  now: z.string(),
  weeklyMinutes: z.number().nullable(),
  /** By UTC day; a running timer counts up to now. */
  days: z.array(z.object({ date: z.string(), minutes: z.number() })),
  blocks: z.array(z.object({ startsAt: StoredInstant, endsAt: StoredInstant })),
});
export type MonthRow = z.infer<typeof Row>;

/** Throws Unauthenticated. */
export async function readMonth(tx: Tx, caller: Caller, window: TimeWindow): Promise<MonthRow> {
  const { from, to, starts, ends } = window;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)}, ${timeParts(window)},
    held as (
      select day, minutes from parts
      union all
      select r.day, r.minutes from access
      join time_entries e on e.user_id = access.user_id and e.workspace_id = access.workspace_id and e.minutes is null
      cross join lateral split_by_utc_day(e.started_at, greatest(e.started_at, clock_timestamp())) r
      where access.rights & ${bits('time', 'read')} <> 0 and r.day between ${from}::date and ${to}::date
    )
    select clock_timestamp() as now, u.weekly_minutes as "weeklyMinutes",
      (select coalesce(json_agg(one), '[]') from (select day as date, sum(minutes)::integer as minutes from held group by day) one) as days,
      (select coalesce(json_agg(one), '[]') from (
        select b.starts_at as "startsAt", b.ends_at as "endsAt" from access
        join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
        where access.rights & ${bits('plans', 'read')} <> 0 and b.state not in ('cancelled', 'missed')
          and b.starts_at > ${starts}::timestamptz - interval '24 hours' and b.starts_at < ${ends}::timestamptz
          and b.ends_at > ${starts}::timestamptz
      ) one) as blocks
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}
