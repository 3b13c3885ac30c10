/** SQL of the time recorded on an item and on the work below it (behaviour §21.10). */
import { z } from 'zod';
import { bits } from '../access/rights.ts';
import { sql } from '../database/sql.ts';
import { oversees } from '../items/forecastQueries.ts';

/** In minutes, without running timers. */
export const ItemTime = z.object({
  /** The reader's time; null if they may not read time. */
  own: z.number().nullable(),
  /** All users' time, if the reader may oversee capacity. */
  all: z.number().nullable(),
  more: z.boolean(),
});
export type ItemTime = z.infer<typeof ItemTime>;

export const RunningTimer = z.object({ userId: z.number(), name: z.string(), startedAt: z.string() });
export type RunningTimer = z.infer<typeof RunningTimer>;

/** For a statement with `access` and `self`: other users' timers on the item for an owner of the workspace; otherwise null. */
export const othersTimersJson = sql.fragment`case when access.role = 'owner' then (
  select coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name, 'startedAt', e.started_at) order by u.name, u.id), '[]')
  from self join time_entries e on e.item_id = self.id and e.minutes is null and e.user_id <> access.user_id join users u on u.id = e.user_id) end`;

const MOST_ENTRIES = 5_000;

/** JSON of ItemTime, for a statement with `access`, `self` and `below_ids`. Contains sums only, no entries and no users. */
export const itemTimeJson = sql.fragment`(
  select json_build_object('own', case when access.rights & ${bits('time', 'read')} <> 0 then coalesce(sum(e.minutes) filter (where e.user_id = access.user_id), 0) end,
    'all', case when ${oversees} then coalesce(sum(e.minutes), 0) end, 'more', count(*) > ${MOST_ENTRIES})
  from (
    select e.user_id, e.minutes from (select self.id from self union all select id from below_ids) own
    cross join lateral (select * from time_entries e where e.item_id = own.id and e.minutes is not null) e limit ${MOST_ENTRIES + 1}) e)`;
