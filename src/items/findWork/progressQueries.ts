/** SQL of an item's children and of the sums over everything below it, for svc_get_item (behaviour §7.33). */
import { z } from 'zod';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { forecastSummaryJson } from '../forecastQueries.ts';
import { leftHours } from '../leftQueries.ts';
import { childrenOf, idsBelow } from './belowQueries.ts';
import { workRowJson } from './workRowQueries.ts';

export const MOST_CHILDREN = 100;

/** Without the tasks of a requirement, which svc_get_item lists as `tasks`. */
export const childrenJson = sql.fragment`(
  select coalesce(json_agg(${workRowJson()} order by i.id), '[]')
  from (
    select distinct child.id from root up cross join lateral (${childrenOf(sql.fragment`i.id, i.type`, sql.fragment`access.rights`)}) child
    where up.type <> 'requirement' or child.type <> 'task'
    order by child.id limit ${MOST_CHILDREN + 1}
  ) first join items i on i.id = first.id left join users a on a.id = i.assignee_id)`;

export const Progress = z.object({
  open: z.number(),
  done: z.number(),
  blocked: z.number(),
  late: z.number(),
  estimatedHours: z.number(),
  remainingHours: z.number(),
  forecastDate: z.string().optional(),
  bufferedDate: z.string().optional(),
  outlook: z.string().optional(),
  scopeNote: z.string().optional(),
});
export type Progress = z.infer<typeof Progress>;

const rounded = (hours: string) => fixedSql(`coalesce(round(sum(${hours})::numeric, 2), 0)`);

/** For a statement with `access` and `root`: Progress, or null for a task without children. `today`: a date. */
export const progressJson = (today: Fragment): Fragment => sql.fragment`(
  select case when root.type <> 'task' or sums.items > 0 then json_strip_nulls((
    sums.of::jsonb || coalesce(${forecastSummaryJson(sql.fragment`root.id`)}::jsonb, '{}'))::json) end
  from root cross join lateral (
    select count(*) as items, json_build_object(
      'open', count(*) filter (where not i.closed), 'done', count(*) filter (where i.status = 'done'),
      'blocked', count(*) filter (where i.status = 'blocked'), 'late', count(*) filter (where not i.closed and i.due < ${today}),
      'estimatedHours', ${rounded('i.estimated_hours')},
      'remainingHours', ${rounded(leftHours('i'))}) as of
    from (${idsBelow(sql.fragment`access.rights`)}) below
    -- One look by its id each, also where the planner expects so many that it would read all items.
    cross join lateral (
      select one.id, one.closed, one.status, one.due, one.estimated_hours, one.progress_percent from items one where one.id = below.id limit 1) i
  ) sums)`;
