/** A person's recorded and planned time in a week, by item, for callers who oversee it. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo, accessToAll, isVisible } from '../../access/queries.ts';
import { CAPACITY_RIGHTS } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';

const MOST = 50;

const Share = z.object({
  /** Null if the caller may not see it. */
  item: z.object({ id: z.number(), workspaceId: z.number(), title: z.string() }).nullable(),
  minutes: z.number(),
});
export type Share = z.infer<typeof Share>;

const Row = z.object({ recorded: z.array(Share), planned: z.array(Share) });

/** `monday`: YYYY-MM-DD. Most minutes first. Plan blocks count by their overlap with the week in UTC. */
export function readWeekTime(tx: Tx, caller: Caller, workspaceId: number, personId: number, monday: string): Promise<z.infer<typeof Row>> {
  const shares = sql.fragment`
    select coalesce(json_agg(json_build_object('item', case when ${isVisible('i', 's.rights')} then
             json_build_object('id', i.id, 'workspaceId', i.workspace_id, 'title', i.title) end, 'minutes', s.minutes) order by s.minutes desc, i.id), '[]')`;
  return tx.one(sql.type(Row)`
    with ${workspaceId === 0 ? accessToAll(caller) : accessTo(caller, workspaceId)},
    scope as materialized (select workspace_id, rights from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}),
    week as (select ${monday}::date as first),
    recorded as (
      select e.item_id, s.rights, sum(t.minutes)::integer as minutes
      from week, time_parts t join scope s on s.workspace_id = t.workspace_id join time_entries e on e.id = t.entry_id
      where t.user_id = ${personId} and t.day >= week.first and t.day < week.first + 7
      group by e.item_id, s.rights order by 3 desc limit ${MOST}),
    planned as (
      select b.item_id, s.rights, sum(p.minutes)::integer as minutes
      from week, plan_blocks b join scope s on s.workspace_id = b.workspace_id, split_by_utc_day(b.starts_at, b.ends_at) p
      where b.user_id = ${personId} and b.state <> 'cancelled' and b.starts_at >= week.first - 1 and b.starts_at < week.first + 7
        and p.day >= week.first and p.day < week.first + 7
      group by b.item_id, s.rights order by 3 desc limit ${MOST})
    select (${shares} from recorded s left join items i on i.id = s.item_id) as recorded,
           (${shares} from planned s left join items i on i.id = s.item_id) as planned`);
}
