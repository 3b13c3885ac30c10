/** All rows of a forecast for a scope small enough to compute during the request, in one statement with the access check. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessToAll, accessWithin, isVisible } from '../../access/queries.ts';
import { CAPACITY_RIGHTS, TASKS_WRITE } from '../../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { displayedDate, onPagesCte, PageForecast, pageForecastJson } from '../../items/forecastQueries.ts';
import { rightsAtItem } from '../../time/queries.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { statuses } from '../../workspaces/statuses.ts';
import { WEEKS } from '../forecast/weeks.ts';
import * as text from '../snapshots/computing/sourceQueries.ts';

/** Maximum numbers of rows of a scope. `ofPerson`: tasks without their texts, for a week. */
const MOST = { tasks: 5_000, ofPerson: 20_000, containers: 5_000, links: 100_000, days: 100_000, others: 20_000 };

/** Dates by project that pages show, and the name of the only workspace. No dates if it is the only one of its account. */
const OnPages = z.object({
  name: z.string().nullable(),
  forecast: PageForecast.nullable(),
  dates: z.record(z.string(), z.string().nullable()),
});

const ScopeRow = z.object({
  userId: z.number().nullable(),
  accountId: z.number().nullable(),
  writableIds: z.array(z.number()).nullable(),
  mayChangeHours: z.boolean().nullable(),
  onPages: OnPages.nullable(),
  rows: z.string().nullable(),
});

export interface ScopeQuestion {
  workspaceId: number;
  from?: string | undefined;
  personId?: number | undefined;
  /** Containers that are read even if they have no tasks. */
  containerIds?: readonly number[];
}

export interface Scope {
  userId: number;
  /** JSON, for parseScope. */
  rows: string;
  /** Workspaces of the scope in which the caller may write tasks. */
  writableIds: readonly number[];
  mayChangeHours: boolean;
  onPages: z.infer<typeof OnPages>;
}

const IDS = '(select ids from scope)::bigint[]';
const ACCOUNT = '(select account_id from scope)';
const FROM = '(select "from" from asked)';
const UNTIL = `${FROM} + ${7 * WEEKS}`;

const limited = (rows: string | Fragment, most: number) =>
  sql.fragment`as materialized (select * from (${typeof rows === 'string' ? fixedSql(rows) : rows}) every limit ${most + 1})`;

/** Sums of weeks, for people who are not left out. */
const byWeek = (rows: string, personId: number | undefined) => sql.fragment`
  select "personId", min(day) as day, sum(minutes)::integer as minutes from (${fixedSql(rows)}) d
  ${personId === undefined ? sql.fragment`` : sql.fragment`where "personId" = ${personId}`}
  group by "personId", (day - ${fixedSql(FROM)}) / 7`;

/** `visible`: to the caller. */
const waits = sql.fragment`
  select d.*, exists (select from items v join access on access.workspace_id = v.workspace_id
    where v.id = d."blockerId" and ${isVisible('v', 'access.rights')}) as visible
  from (${fixedSql(text.dependencies(IDS))} limit ${MOST.others + 1}) d`;

/** What tasks are linked to or wait for, and the releases and requirements above it. */
const links = (containerIds: readonly number[]) => sql.fragment`
  with recursive up (id) as (
    select link.id from tasks t cross join lateral (values (t."releaseId"), (t."requirementId"), (t."parentItemId")) link (id)
    where link.id is not null
    union select "blockerId" from waits
    union select given.id from unnest(${sql.array([...containerIds], 'int8')}) given (id)
    union
    select above.id from up join items i on i.id = up.id and i.type = 'requirement'
    cross join lateral (values (i.release_id), (i.parent_id)) above (id) where above.id is not null
  ) select id from up`;

const containers = fixedSql(`select c.* from links cross join lateral (${text.containers(IDS)} and items.id = links.id limit 1) c`);

/** Texts are for users who choose tasks. */
const texts = fixedSql(
  `i.title, (select s.label from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key) as "statusLabel"`,
);
const taskColumns = fixedSql(`
  i.id, i.workspace_id as "workspaceId", i.version, i.status, i.assignee_id as "assigneeId",
  ${text.assigneeLeft} as "assigneeLeft",
  i.estimated_hours as "estimatedHours", i.progress_percent as "progressPercent",
  coalesce(${text.lowering}, 0) as "recordedMinutes", p.rank as "priorityRank",
  ${text.day('i.start_date')} as "startDay", ${text.day('i.due_date')} as "dueDay",
  ${text.day("(i.completed_at at time zone 'UTC')::date")} as "completedDay", ${text.releaseId} as "releaseId",
  ${text.requirementId} as "requirementId", ${text.parentItemId} as "parentItemId"`);
const tasksOfScope = fixedSql(text.tasksIn(IDS));

/** Only this person's tasks decide their weeks, unless tasks of the scope wait for each other. */
const ofPerson = (personId: number) =>
  sql.fragment`and (i.assignee_id = ${personId} or exists (select from item_dependencies d where d.workspace_id = any(${fixedSql(IDS)})))`;

const listOf = (name: string) => `coalesce((select json_agg(r) from ${name} r), '[]')`;
const lists = ['people', 'holidays', 'waits', 'containers', 'tasks', 'recorded', 'planned'] as const;
const json = fixedSql(
  `json_build_object('from', asked."from", 'today', current_date - date '1970-01-01', ${lists
    .map((name) => `'${name === 'waits' ? 'dependencies' : name}', ${listOf(name)}`)
    .join(', ')})::text`,
);
const isMore = (name: string, most: number) => sql.fragment`(select count(*) > ${most} from ${sql.identifier([name])})`;

const onPagesJson = sql.fragment`json_build_object(
  'name', (select w.name from workspaces w where w.id = scope.ids[1]), 'forecast', ${pageForecastJson},
  'dates', (select coalesce(json_object_agg(p.project_id, ${displayedDate('p')}), '{}') from on_pages o
    join capacity_projects p on p.snapshot_id = o.id join items i on i.id = p.project_id and i.workspace_id = any(scope.ids)
    where cardinality(o.ids) > 1))`;

const nothingOnPages: Scope['onPages'] = { name: null, forecast: null, dates: {} };

/** Throws Unauthenticated, Forbidden for an empty scope, InvalidRequest for a scope that is too large. */
export async function readScope(tx: Tx, caller: Caller, { workspaceId, from, personId, containerIds = [] }: ScopeQuestion): Promise<Scope> {
  const most = personId === undefined ? MOST.tasks : MOST.ofPerson;
  const row = await tx.one(sql.type(ScopeRow)`
    with ${accessWithin(caller, workspaceId || null)},
    scope as (
      select min(account_id) as account_id, coalesce(array_agg(workspace_id order by workspace_id), '{}') as ids,
             array_agg(workspace_id) filter (where rights & ${TASKS_WRITE} = ${TASKS_WRITE}) as writable_ids
      from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
    ),
    asked as (select date_trunc('week', coalesce(${from ?? null}::date, current_date))::date - date '1970-01-01' as "from"),
    tasks as materialized (
      select ${taskColumns}, ${personId === undefined ? texts : sql.fragment`'' as title, '' as "statusLabel"`}
      ${tasksOfScope} ${personId === undefined ? sql.fragment`` : ofPerson(personId)}
      order by i.id limit ${most + 1}),
    waits as materialized (${waits}),
    links ${limited(links(containerIds), MOST.links)},
    containers ${limited(containers, MOST.containers)},
    days ${limited(`select 1 from absences where account_id = ${ACCOUNT} union all select 1 from working_hours where account_id = ${ACCOUNT}`, MOST.days)},
    people ${limited(text.people(ACCOUNT, IDS), MOST.others)},
    holidays ${limited(text.holidays(ACCOUNT), MOST.others)},
    recorded ${limited(byWeek(text.recorded(IDS, FROM, UNTIL), personId), MOST.others)},
    planned ${limited(byWeek(text.planned(IDS, FROM, UNTIL), personId), MOST.others)},
    ${onPagesCte(sql.fragment`select scope.account_id, who.user_id from scope, who where scope.account_id is not null`)}
    select (select user_id from who) as "userId", scope.account_id as "accountId", scope.writable_ids as "writableIds",
           exists (select from who join users u on u.id = who.user_id and u.account_role in ('owner', 'admin')) as "mayChangeHours",
           ${personId === undefined ? onPagesJson : sql.fragment`null::json`} as "onPages",
           case when ${isMore('tasks', most)} or ${isMore('waits', MOST.others)} or ${isMore('links', MOST.links)}
             or ${isMore('containers', MOST.containers)} or ${isMore('days', MOST.days)} or ${isMore('people', MOST.others)}
             or ${isMore('holidays', MOST.others)} or ${isMore('recorded', MOST.others)} or ${isMore('planned', MOST.others)}
           then null else ${json} end as rows
    from scope cross join asked`);
  const { userId, accountId, rows, writableIds, mayChangeHours, onPages } = row;
  if (userId === null) throw new CredentialRefused();
  if (accountId === null) throw new Forbidden();
  if (rows === null)
    throw new InvalidRequest(
      ['workspaceId'],
      `choose a smaller scope: what-if computes at most ${MOST.tasks} tasks and as many requirements, releases and milestones with tasks, ${MOST.others} dependencies and ${MOST.days} absences; a person's week at most ${MOST.ofPerson} tasks.`,
    );
  return { userId, rows, writableIds: writableIds ?? [], mayChangeHours: mayChangeHours ?? false, onPages: onPages ?? nothingOnPages };
}

const MOST_SHARES = 50;

const Share = z.object({
  /** Null if the caller may not see it. */
  item: z.object({ id: z.number(), workspaceId: z.number(), title: z.string() }).nullable(),
  minutes: z.number(),
});
export type Share = z.infer<typeof Share>;

const WeekTask = z.object({
  id: z.number(),
  workspaceId: z.number(),
  title: z.string(),
  status: z.enum(statuses),
  statusLabel: z.string(),
  minutes: z.number(),
  mayWrite: z.boolean(),
});
export type WeekTask = z.infer<typeof WeekTask>;

const WeekParts = z.object({ tasks: z.array(WeekTask), recorded: z.array(Share), planned: z.array(Share) });

interface WeekQuestion {
  workspaceId: number;
  personId: number;
  /** YYYY-MM-DD. */
  monday: string;
  tasks: readonly { id: number; minutes: number }[];
}

/** The tasks with their texts, and a person's recorded and planned time in a week by item, for callers who oversee it. Most minutes first.
 *  Plan blocks count by their overlap with the week in UTC. */
export function readWeekParts(
  tx: Tx,
  caller: Caller,
  { workspaceId, personId, monday, tasks }: WeekQuestion,
): Promise<z.infer<typeof WeekParts>> {
  const shares = sql.fragment`
    select coalesce(json_agg(json_build_object('item', case when ${isVisible('i', sql.fragment`(${rightsAtItem('s')})`)} then
             json_build_object('id', i.id, 'workspaceId', i.workspace_id, 'title', i.title) end, 'minutes', s.minutes) order by s.minutes desc, i.id), '[]')`;
  const ids = sql.array(
    tasks.map(({ id }) => id),
    'int8',
  );
  const minutes = sql.array(
    tasks.map((task) => task.minutes),
    'float8',
  );
  return tx.one(sql.type(WeekParts)`
    with ${accessToAll(caller)},
    scope as materialized (select workspace_id, rights from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
      and (${workspaceId} = 0 or workspace_id = ${workspaceId})),
    week as (select ${monday}::date as first),
    tasks as (
      select i.id, i.workspace_id as "workspaceId", i.title, i.status, wanted.minutes, scope.rights & ${TASKS_WRITE} = ${TASKS_WRITE} as "mayWrite",
        (select s.label from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key) as "statusLabel"
      from unnest(${ids}, ${minutes}) wanted (id, minutes)
      join items i on i.id = wanted.id and i.shown join scope on scope.workspace_id = i.workspace_id),
    recorded as (
      select e.item_id, s.workspace_id, s.rights, sum(t.minutes)::integer as minutes
      from week, time_parts t join scope s on s.workspace_id = t.workspace_id join time_entries e on e.id = t.entry_id
      where t.user_id = ${personId} and t.day >= week.first and t.day < week.first + 7
      group by e.item_id, s.workspace_id, s.rights order by 4 desc limit ${MOST_SHARES}),
    planned as (
      select b.item_id, s.workspace_id, s.rights, sum(p.minutes)::integer as minutes
      from week, plan_blocks b join scope s on s.workspace_id = b.workspace_id, split_by_utc_day(b.starts_at, b.ends_at) p
      where b.user_id = ${personId} and b.state <> 'cancelled' and b.starts_at >= week.first - 1 and b.starts_at < week.first + 7
        and p.day >= week.first and p.day < week.first + 7
      group by b.item_id, s.workspace_id, s.rights order by 4 desc limit ${MOST_SHARES})
    select (select coalesce(json_agg(t order by t.minutes desc, t.id), '[]') from tasks t) as tasks,
           (${shares} from recorded s left join items i on i.id = s.item_id) as recorded,
           (${shares} from planned s left join items i on i.id = s.item_id) as planned`);
}
