/** All rows of a forecast for a scope small enough to compute during the request, in one statement with the access check. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessToAll, accessWithin, isVisible } from '../../access/queries.ts';
import { CAPACITY_RIGHTS, TASKS_WRITE } from '../../access/rights.ts';
import { fixedSql, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { rightsAtItem } from '../../time/queries.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { statuses } from '../../workspaces/statuses.ts';
import type { ContainerRow, HolidayRow, MinutesRow, PersonRow } from '../forecast/rows.ts';
import { WEEKS } from '../forecast/weeks.ts';
import * as text from '../snapshots/computing/sourceQueries.ts';

/** Maximum number of tasks: computing them takes a few hundredths of a second of the web process. */
export const MOST_TASKS = 5_000;

const Person: z.ZodType<PersonRow> = z.object({
  id: z.number(),
  name: z.string(),
  weeklyMinutes: z.number().nullable(),
  assignable: z.boolean(),
  active: z.boolean(),
  calendar: z
    .object({
      weekdays: z.number(),
      region: z.string().nullable(),
      hours: z.array(z.object({ firstDay: z.number(), weeklyMinutes: z.number(), weekdays: z.number() })),
      away: z.array(z.object({ firstDay: z.number(), lastDay: z.number(), half: z.boolean(), holiday: z.string().nullable() })),
    })
    .nullable(),
});
const Holiday: z.ZodType<HolidayRow> = z.object({ region: z.string(), day: z.number(), half: z.boolean(), name: z.string() });
const Dependency = z.object({ itemId: z.number(), blockerId: z.number(), lagDays: z.number(), visible: z.boolean().default(true) });
const Container: z.ZodType<ContainerRow> = z.object({
  id: z.number(),
  type: z.enum(['release', 'requirement', 'milestone']),
  title: z.string(),
  status: z.string(),
  targetDay: z.number().nullable(),
  dueDay: z.number().nullable(),
  releaseId: z.number().nullable(),
  parentId: z.number().nullable(),
});
const Minutes: z.ZodType<MinutesRow> = z.object({ personId: z.number(), day: z.number(), minutes: z.number() });
const ScopeTask = z.object({
  id: z.number(),
  workspaceId: z.number(),
  title: z.string(),
  version: z.number(),
  status: z.enum(statuses),
  statusLabel: z.string(),
  assigneeId: z.number().nullable(),
  assigneeLeft: z.boolean(),
  estimatedHours: z.number().nullable(),
  progressPercent: z.number().nullable(),
  priorityRank: z.number().nullable(),
  startDay: z.number().nullable(),
  dueDay: z.number().nullable(),
  completedDay: z.number().nullable(),
  releaseId: z.number().nullable(),
  requirementId: z.number().nullable(),
  parentItemId: z.number().nullable(),
});
export type ScopeTask = z.infer<typeof ScopeTask>;

const ScopeRow = z.object({
  userId: z.number().nullable(),
  accountId: z.number().nullable(),
  workspaceIds: z.array(z.number()).nullable(),
  writableIds: z.array(z.number()).nullable(),
  mayChangeHours: z.boolean().nullable(),
  from: z.number(),
  today: z.number(),
  people: z.array(Person),
  holidays: z.array(Holiday),
  dependencies: z.array(Dependency),
  containers: z.array(Container),
  tasks: z.array(ScopeTask),
  recorded: z.array(Minutes),
  planned: z.array(Minutes),
});

export interface ScopeQuestion {
  workspaceId: number;
  from?: string | undefined;
  personId?: number | undefined;
}

export type ScopeRows = Omit<z.infer<typeof ScopeRow>, 'userId' | 'accountId' | 'workspaceIds' | 'writableIds' | 'mayChangeHours'> & {
  userId: number;
  workspaceId: number;
  /** Workspaces of the scope in which the caller may write tasks. */
  writableIds: readonly number[];
  mayChangeHours: boolean;
};

const IDS = '(select ids from scope)::bigint[]';
const FROM = '(select "from" from asked)';
const listOf = (rows: string) => fixedSql(`coalesce((select json_agg(r) from (${rows}) r), '[]')`);

const people = listOf(text.people('(select account_id from scope)', IDS));
const holidays = listOf(text.holidays('(select account_id from scope)'));
/** `visible`: to the caller. */
const dependencies = sql.fragment`coalesce((select json_agg(r) from (
  select d.*, exists (select from items v join access on access.workspace_id = v.workspace_id
    where v.id = d."blockerId" and ${isVisible('v', 'access.rights')}) as visible
  from (${fixedSql(text.dependencies(IDS))}) d) r), '[]')`;
const containers = listOf(text.containers(IDS));
const recorded = listOf(text.recorded(IDS, FROM, `${FROM} + ${7 * WEEKS}`));
const planned = listOf(text.planned(IDS, FROM, `${FROM} + ${7 * WEEKS}`));
const taskColumns = fixedSql(`
  i.id, i.workspace_id as "workspaceId", i.title, i.version, i.status,
  (select s.label from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key) as "statusLabel", i.assignee_id as "assigneeId",
  ${text.assigneeLeft} as "assigneeLeft",
  i.estimated_hours as "estimatedHours", i.progress_percent as "progressPercent", p.rank as "priorityRank",
  ${text.day('i.start_date')} as "startDay", ${text.day('i.due_date')} as "dueDay",
  ${text.day("(i.completed_at at time zone 'UTC')::date")} as "completedDay", i.release_id as "releaseId",
  i.requirement_id as "requirementId", i.parent_item_id as "parentItemId"`);
const tasksOfScope = fixedSql(text.tasksIn(IDS));

/** Only this person's tasks decide their weeks, unless tasks of the scope wait for each other. */
const ofPerson = (personId: number) =>
  sql.fragment`and (i.assignee_id = ${personId} or exists (select from item_dependencies d where d.workspace_id = any(${fixedSql(IDS)})))`;

/** Throws Unauthenticated, Forbidden for an empty scope, InvalidRequest for a scope that is too large. */
export async function readScopeRows(tx: Tx, caller: Caller, { workspaceId, from, personId }: ScopeQuestion): Promise<ScopeRows> {
  const most = personId === undefined ? MOST_TASKS : 4 * MOST_TASKS;
  const row = await tx.one(sql.type(ScopeRow)`
    with ${accessWithin(caller, workspaceId || null)},
    scope as (
      select min(account_id) as account_id, coalesce(array_agg(workspace_id order by workspace_id), '{}') as ids,
             array_agg(workspace_id) filter (where rights & ${TASKS_WRITE} = ${TASKS_WRITE}) as writable_ids
      from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
    ),
    asked as (select date_trunc('week', coalesce(${from ?? null}::date, current_date))::date - date '1970-01-01' as "from"),
    tasks as (
      select ${taskColumns} ${tasksOfScope} ${personId === undefined ? sql.fragment`` : ofPerson(personId)}
      order by i.id limit ${most + 1})
    select (select user_id from who) as "userId", scope.account_id as "accountId", scope.ids as "workspaceIds", scope.writable_ids as "writableIds",
           exists (select from who join users u on u.id = who.user_id and u.account_role in ('owner', 'admin')) as "mayChangeHours",
           asked."from", current_date - date '1970-01-01' as today,
           ${people} as people, ${holidays} as holidays, ${dependencies} as dependencies, ${containers} as containers, ${recorded} as recorded, ${planned} as planned,
           coalesce((select json_agg(t) from tasks t), '[]') as tasks
    from scope cross join asked`);
  const { userId } = row;
  if (userId === null) throw new CredentialRefused();
  if (row.accountId === null) throw new Forbidden();
  if (row.tasks.length > most)
    throw new InvalidRequest(
      ['workspaceId'],
      `choose a scope of at most ${MOST_TASKS} tasks, or a person: this scope is too large for what-if.`,
    );
  const { accountId: _account, workspaceIds: _ids, writableIds, mayChangeHours, ...rows } = row;
  return { ...rows, userId, workspaceId, writableIds: writableIds ?? [], mayChangeHours: mayChangeHours ?? false };
}

/** A person's recorded and planned time in a week, by item, for callers who oversee it. */
const MOST = 50;

const Share = z.object({
  /** Null if the caller may not see it. */
  item: z.object({ id: z.number(), workspaceId: z.number(), title: z.string() }).nullable(),
  minutes: z.number(),
});
export type Share = z.infer<typeof Share>;

const WeekTimeRow = z.object({ recorded: z.array(Share), planned: z.array(Share) });

/** `monday`: YYYY-MM-DD. Most minutes first. Plan blocks count by their overlap with the week in UTC. */
export function readWeekTime(
  tx: Tx,
  caller: Caller,
  workspaceId: number,
  personId: number,
  monday: string,
): Promise<z.infer<typeof WeekTimeRow>> {
  const shares = sql.fragment`
    select coalesce(json_agg(json_build_object('item', case when ${isVisible('i', sql.fragment`(${rightsAtItem('s')})`)} then
             json_build_object('id', i.id, 'workspaceId', i.workspace_id, 'title', i.title) end, 'minutes', s.minutes) order by s.minutes desc, i.id), '[]')`;
  return tx.one(sql.type(WeekTimeRow)`
    with ${accessToAll(caller)},
    scope as materialized (select workspace_id, rights from access where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}
      and (${workspaceId} = 0 or workspace_id = ${workspaceId})),
    week as (select ${monday}::date as first),
    recorded as (
      select e.item_id, s.workspace_id, s.rights, sum(t.minutes)::integer as minutes
      from week, time_parts t join scope s on s.workspace_id = t.workspace_id join time_entries e on e.id = t.entry_id
      where t.user_id = ${personId} and t.day >= week.first and t.day < week.first + 7
      group by e.item_id, s.workspace_id, s.rights order by 4 desc limit ${MOST}),
    planned as (
      select b.item_id, s.workspace_id, s.rights, sum(p.minutes)::integer as minutes
      from week, plan_blocks b join scope s on s.workspace_id = b.workspace_id, split_by_utc_day(b.starts_at, b.ends_at) p
      where b.user_id = ${personId} and b.state <> 'cancelled' and b.starts_at >= week.first - 1 and b.starts_at < week.first + 7
        and p.day >= week.first and p.day < week.first + 7
      group by b.item_id, s.workspace_id, s.rights order by 4 desc limit ${MOST})
    select (${shares} from recorded s left join items i on i.id = s.item_id) as recorded,
           (${shares} from planned s left join items i on i.id = s.item_id) as planned`);
}
