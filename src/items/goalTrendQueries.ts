/** SQL of goals' values over time, from recorded changes (sql/0071_goal_trends.sql), for a visible items row `i`. */
import { sql } from '../database/sql.ts';

/** The first known value: before the first recorded change, or after it if there was none before; null if none is recorded. */
export const firstValue = sql.fragment`(
  select coalesce(c.fields -> 'current' ->> 0, c.fields -> 'current' ->> 1)::float8 from changes c
  where c.item_id = i.id and c.fields ? 'current' order by c.version limit 1)`;

export const trendJson = (most: number) => sql.fragment`(
  select json_build_object('since', case when count(*) < ${most} then i.created_at end,
    'changes', coalesce(json_agg(row_to_json(told) order by c.version), '[]'))
  from (select c.version, c.at, c.fields -> 'current' as values, c.actor_id from changes c where c.item_id = i.id and c.fields ? 'current'
    order by c.version desc limit ${most}) c
  cross join lateral (select c.at, c.values -> 0 as before, c.values -> 1 as after, (select u.name from users u where u.id = c.actor_id) as by) told)`;
