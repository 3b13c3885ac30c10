/** SQL text for the cursors of a forecast. Days are days since 1970-01-01. Only shown items are read. */
import { TASKS_WRITE } from '../../../access/rights.ts';
import { recordedMinutes } from '../../../items/leftQueries.ts';
import { ledTasks } from '../../../items/projectQueries.ts';

export const BATCH = 1_000;

export const day = (date: string) => `(${date} - date '1970-01-01')`;
const dateOf = (days: string) => `(date '1970-01-01' + ${days}::integer)`;

/** The account's holidays are for people, not for service users. */
const region = `coalesce(u.holiday_region, case when u.kind = 'person' then a.holiday_region end)`;

/** Null for users who work from Monday to Friday without exceptions. Reasons of absences are not read. */
const calendar = `
  case when u.weekdays <> 31 or coalesce(${region}, 'none') <> 'none'
    or exists (select from working_hours h where h.user_id = u.id) or exists (select from absences o where o.user_id = u.id)
  then json_build_object('weekdays', u.weekdays, 'region', ${region},
    'hours', (select coalesce(json_agg(json_build_object('firstDay', ${day('h.starts_on')}, 'weeklyMinutes', h.weekly_minutes,
        'weekdays', h.weekdays) order by h.starts_on), '[]') from working_hours h where h.user_id = u.id),
    'away', (select coalesce(json_agg(json_build_object('firstDay', ${day('o.first_day')}, 'lastDay', ${day('o.last_day')}, 'half', o.half,
        'holiday', null) order by o.first_day), '[]') from absences o where o.user_id = u.id)) end`;

/** Arguments are SQL (`$1` or a column). Returns all users of the account: old work may refer to any. The order decides ties. */
export const people = (account: string, workspaces: string): string => `
  select u.id, u.name, u.weekly_minutes as "weeklyMinutes", u.active, u.active and exists (
    select from memberships m where m.user_id = u.id and m.workspace_id = any(${workspaces}) and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE}
  ) as assignable, ${calendar} as calendar
  from users u join accounts a on a.id = u.account_id where u.account_id = ${account} order by u.id`;

/** Public holidays of the regions that the account's users have, in the years that a forecast may reach. */
export const holidays = (account: string): string => `
  select h.region, ${day('h.day')} as day, h.half, h.name from holidays h where h.region in (
    select ${region} from users u join accounts a on a.id = u.account_id where u.account_id = ${account})
  order by h.region, h.day`;

/** Open blockers of open tasks. A blocker of any type; whether the reader may see it does not matter. */
export const dependencies = (workspaces: string): string => `
  select d.item_id as "itemId", d.blocker_id as "blockerId", d.lag_days as "lagDays"
  from item_dependencies d
  join items i on i.id = d.item_id and i.type = 'task' and i.shown and not i.closed
  join items b on b.id = d.blocker_id and b.shown and not b.closed
  where d.workspace_id = any(${workspaces}) order by d.item_id, d.blocker_id`;

export const containers = (workspaces: string): string => `
  select id, type, title, status, ${day('target_date')} as "targetDay", ${day('due_date')} as "dueDay",
         case when type = 'requirement' then release_id end as "releaseId", case when type = 'requirement' then parent_id end as "parentId"
  from items where workspace_id = any(${workspaces}) and type in ('release', 'requirement', 'milestone') and shown`;

/** SQL condition for `tasksIn`: the assignee is deactivated or no member of the task's workspace. */
export const assigneeLeft = '(i.assignee_id is not null and member.user_id is null)';

/** Tasks `i` and their priorities `p`, without cancelled tasks and done tasks without links. `led`: the links of the task above with which
 *  a sub-task counts. */
export const tasksIn = (workspaces: string): string => `
    from items i left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key
    left join (
      select m.workspace_id, m.user_id from memberships m join users u on u.id = m.user_id and u.active where m.workspace_id = any(${workspaces})
    ) member on member.workspace_id = i.workspace_id and member.user_id = i.assignee_id
    left join (${ledTasks(workspaces)}) led on led.id = i.id
    where i.workspace_id = any(${workspaces}) and i.type = 'task' and i.shown and i.status <> 'cancelled'
      and (i.status <> 'done' or num_nonnulls(i.release_id, i.requirement_id, i.parent_item_id) > 0)`;

/** Workspaces in which people have open work. */
export const workspaces = (ids: string): string => `
  select assignee_id as "personId", json_agg(distinct workspace_id) as ids from items
  where workspace_id = any(${ids}) and type = 'task' and shown and not closed and assignee_id is not null and estimated_hours > 0
  group by assignee_id`;

/** SQL of the links that decide a task's project, for `tasksIn`. */
export const releaseId = 'coalesce(i.release_id, led.release_id)';
export const requirementId = 'coalesce(i.requirement_id, led.requirement_id)';
export const parentItemId = 'coalesce(led.parent_item_id, i.parent_item_id)';

/** SQL of the time recorded on a task that lowers what is left of it. */
export const lowering = `case when not i.closed and i.progress_percent is null then ${recordedMinutes('i')} end`;

/** One row for each thousand tasks with an array of each column: reading a million small values is slow. */
export const tasks = (workspaces: string): string => `
  select json_agg(id) as id, coalesce(json_agg(id) filter (where assignee_left), '[]') as "leftIds",
         coalesce(json_object_agg(id, recorded) filter (where recorded > 0), '{}') as "recordedMinutes",
         json_agg(status) as status, json_agg(assignee_id) as "assigneeId", json_agg(estimated_hours) as "estimatedHours",
         json_agg(progress_percent) as "progressPercent", json_agg(rank) as "priorityRank", json_agg(${day('start_date')}) as "startDay",
         json_agg(${day('due_date')}) as "dueDay", json_agg(${day("(completed_at at time zone 'UTC')::date")}) as "completedDay",
         json_agg(release_id) as "releaseId", json_agg(requirement_id) as "requirementId", json_agg(parent_item_id) as "parentItemId"
  from (
    select (row_number() over () - 1) / ${BATCH} as batch, p.rank, i.id, i.status, i.assignee_id, ${assigneeLeft} as assignee_left, ${lowering} as recorded,
           i.estimated_hours, i.progress_percent, i.start_date, i.due_date, i.completed_at,
           ${releaseId} as release_id, ${requirementId} as requirement_id, ${parentItemId} as parent_item_id
    ${tasksIn(workspaces)}) t
  group by batch`;

/** `from`, `to`: day numbers; `to` is excluded. */
export const recorded = (workspaces: string, from: string, to: string): string => `
  select user_id as "personId", ${day('t.day')} as day, sum(minutes)::integer as minutes
  from time_parts t where workspace_id = any(${workspaces}) and t.day >= ${dateOf(from)} and t.day < ${dateOf(to)} group by user_id, t.day`;

/** Like `recorded`. Reads from one day earlier, because a block lasts at most a day. */
export const planned = (workspaces: string, from: string, to: string): string => `
  select b.user_id as "personId", ${day('part.day')} as day, sum(part.minutes)::integer as minutes
  from plan_blocks b, split_by_utc_day(b.starts_at, b.ends_at) part
  where b.workspace_id = any(${workspaces}) and b.state <> 'cancelled'
    and b.starts_at >= ${dateOf(from)} - 1 and b.starts_at < ${dateOf(to)}
    and part.day >= ${dateOf(from)} and part.day < ${dateOf(to)}
  group by b.user_id, part.day`;

/** $1 workspaces, $2 today. */
export const trend = `
  select project_id as "projectId", ${day('t.day')} as day, scope_hours as "scopeHours", remaining_hours as "remainingHours",
         weighted_progress as "weightedProgress"
  from trend_points t where workspace_id = any($1::bigint[]) and t.day >= ${dateOf('$2')} - 63 and t.day < ${dateOf('$2')}`;

/** JSON of tasks, one in each line, in the order of the ids in $1. JSON escapes line breaks, so lines are safe to split. */
export const work = `
  select string_agg(row_to_json(w)::text, e'\\n' order by n) as lines from unnest($1::bigint[]) with ordinality wanted (id, n) cross join lateral (
    select id, title, status, assignee_id as "assigneeId", start_date as "startDate", due_date as "dueDate",
           estimated_hours as "estimatedHours", progress_percent as "progressPercent"
    from items where items.id = wanted.id) w`;
