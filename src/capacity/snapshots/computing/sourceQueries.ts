/** What the forecast is made from, as SQL text for cursors. Days are counts of days since 1970-01-01; only what is shown is read. */
import { bits } from '../../../access/rights.ts';

/** Rows that are taken over at once. */
export const BATCH = 1_000;

const TASKS_WRITE = bits('tasks', 'write');
const day = (date: string) => `(${date} - date '1970-01-01')`;
const dateOf = (parameter: string) => `(date '1970-01-01' + ${parameter}::integer)`;

/** Everyone of the account, for anyone of it may be named by old work. $1 account, $2 workspaces. */
export const people = `
  select u.id, u.name, u.weekly_minutes as "weeklyMinutes", u.active and exists (
    select from memberships m where m.user_id = u.id and m.workspace_id = any($2::bigint[]) and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE}
  ) as assignable
  from users u where u.account_id = $1`;

/** $1 workspaces. */
export const containers = `
  select id, type, title, status, ${day('target_date')} as "targetDay", ${day('due_date')} as "dueDay",
         case when type = 'requirement' then release_id end as "releaseId", case when type = 'requirement' then parent_id end as "parentId"
  from items where workspace_id = any($1::bigint[]) and type in ('release', 'requirement', 'milestone') and shown`;

/** One row per thousand tasks, a column of it holding a value of each of them: a million small values cost more to take over than to add up.
 *  $1 workspaces. What is cancelled, and what is done without belonging to anything, plays no part. */
export const tasks = `
  select json_agg(id) as id, json_agg(status) as status, json_agg(assignee_id) as "assigneeId", json_agg(estimated_hours) as "estimatedHours",
         json_agg(progress_percent) as "progressPercent", json_agg(rank) as "priorityRank", json_agg(${day('start_date')}) as "startDay",
         json_agg(${day('due_date')}) as "dueDay", json_agg(${day("(completed_at at time zone 'UTC')::date")}) as "completedDay",
         json_agg(release_id) as "releaseId", json_agg(requirement_id) as "requirementId", json_agg(parent_item_id) as "parentItemId"
  from (
    select (row_number() over () - 1) / ${BATCH} as batch, p.rank, i.id, i.status, i.assignee_id, i.estimated_hours, i.progress_percent,
           i.start_date, i.due_date, i.completed_at, i.release_id, i.requirement_id, i.parent_item_id
    from items i left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key
    where i.workspace_id = any($1::bigint[]) and i.type = 'task' and i.shown and i.status <> 'cancelled'
      and (i.status <> 'done' or num_nonnulls(i.release_id, i.requirement_id, i.parent_item_id) > 0)) t
  group by batch`;

/** $1 workspaces, $2 first day, $3 the day after the last. */
export const recorded = `
  select user_id as "personId", ${day('t.day')} as day, sum(minutes)::integer as minutes
  from time_parts t where workspace_id = any($1::bigint[]) and t.day >= ${dateOf('$2')} and t.day < ${dateOf('$3')} group by user_id, t.day`;

/** $1 workspaces, $2 first day, $3 the day after the last. No block is longer than a day. */
export const planned = `
  select b.user_id as "personId", ${day('part.day')} as day, sum(part.minutes)::integer as minutes
  from plan_blocks b, split_by_utc_day(b.starts_at, b.ends_at) part
  where b.workspace_id = any($1::bigint[]) and b.state <> 'cancelled'
    and b.starts_at >= ${dateOf('$2')} - 1 and b.starts_at < ${dateOf('$3')}
    and part.day >= ${dateOf('$2')} and part.day < ${dateOf('$3')}
  group by b.user_id, part.day`;

/** $1 workspaces, $2 today. */
export const trend = `
  select project_id as "projectId", ${day('t.day')} as day, scope_hours as "scopeHours", remaining_hours as "remainingHours",
         weighted_progress as "weightedProgress"
  from trend_points t where workspace_id = any($1::bigint[]) and t.day >= ${dateOf('$2')} - 63 and t.day < ${dateOf('$2')}`;

/** The texts of tasks, a line each, in the order of $1, their ids. A line break inside a text is written as `\n` in JSON. */
export const work = `
  select string_agg(row_to_json(w)::text, e'\\n' order by n) as lines from unnest($1::bigint[]) with ordinality wanted (id, n) cross join lateral (
    select id, title, status, assignee_id as "assigneeId", start_date as "startDate", due_date as "dueDate",
           estimated_hours as "estimatedHours", progress_percent as "progressPercent"
    from items where items.id = wanted.id) w`;
