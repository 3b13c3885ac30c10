/** My day: a user's work across workspaces, and the time of one day and its week (behaviour §20.1). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { itemTypes, PLANS_READ } from '../access/rights.ts';
import { fixedSql, listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { decisions } from '../items/approvalQueries.ts';
import { leftHours } from '../items/leftQueries.ts';
import { visible } from '../items/queries.ts';
import type { Read } from '../operations/operation.ts';
import { blockColumns } from '../plans/queries.ts';
import { asBlock, BlockRow, type PlanBlock } from '../plans/schema.ts';
import { ownDays, ownEntries, ownNow, ownParts, ownTimer } from '../time/ownTimeQueries.ts';
import { asEntry, EntryRow, type TimeEntry } from '../time/schema.ts';
import { addDays, CalendarDate, startOfDay, todayIn, weekRange, Zone } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { statuses } from '../workspaces/statuses.ts';

export const MOST_WORK = 100;
const MOST_DECISIONS = 50;
const MOST_TIMES = 300;
const AHEAD = sql.fragment`interval '8 days'`;

const DayItem = z.object({
  id: z.number(),
  workspaceId: z.number(),
  workspace: z.string(),
  rights: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  version: z.number(),
  status: z.enum(statuses),
  statusKey: z.string(),
  statusLabel: z.string(),
  /** The status key that "done" sets in one step; null if the workflow has none for the type. */
  doneKey: z.string().nullable(),
  blockedReason: z.string().nullable(),
  priorityKey: z.string().nullable(),
  priorityLabel: z.string().nullable(),
  rank: z.number().nullable(),
  /** The due date, otherwise the target date (`byTarget`). */
  due: z.string().nullable(),
  byTarget: z.boolean(),
  estimatedHours: z.number().nullable(),
  progressPercent: z.number().nullable(),
  /** Of the estimate; null without one. */
  leftHours: z.number().nullable(),
  above: z.string().nullable(),
  assigneeId: z.number().nullable(),
  assigneeName: z.string().nullable(),
  owned: z.boolean(),
  asked: z.boolean(),
  askedBy: z.string().nullable(),
});
export type DayItem = z.infer<typeof DayItem>;

const Row = z.object({
  now: z.string(),
  weeklyMinutes: z.number().nullable(),
  /** By day, including decisions and items planned for the next days. */
  items: z.array(DayItem),
  more: z.boolean(),
  days: z.array(z.object({ date: z.string(), minutes: z.number() })),
  entries: z.array(EntryRow),
  timer: EntryRow.nullable(),
  blocks: z.array(BlockRow),
  upcoming: z.array(z.object({ itemId: z.number(), startsAt: z.string() })),
  rights: z.array(z.object({ workspaceId: z.number(), rights: z.number() })),
});
export type DayRow = z.infer<typeof Row>;

export interface DaySpan {
  /** The first and last UTC day that contain displayed time. */
  from: string;
  to: string;
  monday: string;
  sunday: string;
  /** The week in the user's time zone, as instants, the end excluded. */
  weekStarts: string;
  weekEnds: string;
  /** The day in the user's time zone: its date and instants. */
  day: string;
  dayStarts: string;
  dayEnds: string;
}

const whose = sql.fragment`(i.assignee_id = access.user_id or i.owner_id = access.user_id)`;

/** For a statement with `access` to all workspaces, a CTE: ids of the caller's open work, the earliest due first. */
export const mine = sql.fragment`
  mine as (
    select one.id, one.due from access cross join lateral (
      (select i.id, i.due from items i where ${visible} and i.assignee_id = access.user_id and not i.closed
       order by i.due, i.id limit ${MOST_WORK + 1})
      union all
      (select i.id, i.due from items i where ${visible} and i.owner_id = access.user_id and i.owner_id is distinct from i.assignee_id and not i.closed
       order by i.due, i.id limit ${MOST_WORK + 1})
    ) one order by one.due, one.id limit ${MOST_WORK + 1}
  )`;

const work = sql.fragment`
  ${mine},
  asked as (${decisions(MOST_DECISIONS)}),
  upcoming as (
    select b.item_id, b.starts_at from access
    join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
    where access.rights & ${PLANS_READ} <> 0 and b.state in ('scheduled', 'running') and b.ends_at > clock_timestamp()
      and b.starts_at > now() - interval '24 hours' and b.starts_at < now() + ${AHEAD}
    order by b.starts_at, b.id limit ${MOST_TIMES}
  ),
  ids as (
    select id, bool_or(asked) as asked from (
      (select id, false as asked from mine order by due, id limit ${MOST_WORK})
      union all
      select id, true from asked
      union all
      select b.item_id, false from upcoming b where exists (
        select from access join items i on i.id = b.item_id and ${visible} and ${whose} and not i.closed)
    ) found group by id
  )`;

// A subquery per row. With a join, the planner might read all items, because it does not know how few there are.
const rows = sql.fragment`
  select i.id, i.workspace_id as "workspaceId", w.name as workspace, access.rights, i.type, i.title, i.version, i.status,
    i.status_key as "statusKey", s.label as "statusLabel", i.blocked_reason as "blockedReason", i.priority_key as "priorityKey",
    p.label as "priorityLabel", p.rank, i.due,
    i.type in ('goal', 'release') or i.due_date is null and i.target_date is not null as "byTarget", i.estimated_hours as "estimatedHours", i.progress_percent as "progressPercent",
    ${fixedSql(leftHours('i'))} as "leftHours", i.assignee_id as "assigneeId", a.name as "assigneeName", i.owner_id is not distinct from access.user_id as owned,
    ids.asked, (select q.by from asked q where q.id = ids.id limit 1) as "askedBy",
    (select d.key from statuses d where d.workspace_id = i.workspace_id and d.status = 'done' and i.type = any(d.types)
     order by d.position, d.key limit 1) as "doneKey",
    -- A user who may read an item may read the items above it, except the goals above a goal.
    case when i.type <> 'goal' then (select up.title from items up
      where up.id = coalesce(i.parent_item_id, i.requirement_id, i.parent_id, i.release_id)) end as above
  from ids
  cross join lateral (select * from items i where i.id = ids.id limit 1) i
  join access on access.workspace_id = i.workspace_id
  join workspaces w on w.id = i.workspace_id
  join statuses s on s.workspace_id = i.workspace_id and s.key = i.status_key
  left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key
  left join users a on a.id = i.assignee_id
  order by i.due, p.rank desc nulls last, i.id`;

/** Throws Unauthenticated. */
export async function readMyDay(tx: Tx, caller: Caller, span: DaySpan): Promise<DayRow> {
  const { from, to, monday, sunday, weekStarts, weekEnds, day, dayStarts, dayEnds } = span;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    ${work},
    ${ownParts({ from, to })}
    select ${ownNow} as now, available_minutes(u.id, ${monday}) as "weeklyMinutes",
      ${listOf(rows)} as items, (select count(*) > ${MOST_WORK} from mine) as more,
      ${listOf(sql.fragment`select * from (${ownDays}) found where date between ${monday}::date and ${sunday}::date`)} as days,
      ${listOf(sql.fragment`
        ${ownEntries} and e.id in (select entry_id from parts) and case e.kind when 'manual' then e.day = ${day}::date
          else e.started_at < ${dayEnds}::timestamptz and e.ended_at > ${dayStarts}::timestamptz end
        order by e.started_at, e.id limit ${MOST_TIMES}`)} as entries,
      ${ownTimer} as timer,
      ${listOf(sql.fragment`
        select ${blockColumns} from access
        join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
        left join items i on i.id = b.item_id and ${visible}
        where access.rights & ${PLANS_READ} <> 0 and b.state <> 'cancelled' and b.starts_at > ${weekStarts}::timestamptz - interval '24 hours'
          and b.starts_at < ${weekEnds}::timestamptz and b.ends_at > ${weekStarts}::timestamptz
        order by b.starts_at, b.id limit ${MOST_TIMES}`)} as blocks,
      ${listOf(sql.fragment`select item_id as "itemId", starts_at as "startsAt" from upcoming`)} as upcoming,
      ${listOf(sql.fragment`select workspace_id as "workspaceId", rights from access`)} as rights
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}

/** A day in the user's time zone. */
const Input = z.strictObject({ day: CalendarDate, zone: Zone });
type Input = z.infer<typeof Input>;

export interface MyDay extends Pick<DayRow, 'now' | 'weeklyMinutes' | 'items' | 'more'> {
  day: string;
  /** The day's limits as instants, the end excluded. A day has 23 to 25 hours. */
  starts: string;
  ends: string;
  /** Minutes recorded in the week, by UTC day, the running timer's up to now included. */
  days: ReadonlyMap<string, number>;
  entries: TimeEntry[];
  timer: TimeEntry | null;
  /** Blocks of the week, without cancelled ones. */
  blocks: PlanBlock[];
  planned: ReadonlyMap<number, string>;
  rights: ReadonlyMap<number, number>;
}

export const myDay: Read<Input, MyDay> = {
  name: 'myDay',
  input: Input,
  async run(tx, caller, { day, zone }) {
    const span = spanOf(day, zone);
    return asDay(await readMyDay(tx, caller, span), span);
  },
};

function spanOf(day: string, zone: string): DaySpan {
  const week = weekRange(day);
  const [dayStarts, dayEnds] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
  const [first, last] = [todayIn('UTC', dayStarts), todayIn('UTC', dayEnds)];
  return {
    ...{ day, dayStarts, dayEnds, monday: week.from, sunday: week.to },
    from: first < week.from ? first : week.from,
    to: last > week.to ? last : week.to,
    weekStarts: startOfDay(week.from, zone),
    weekEnds: startOfDay(addDays(week.to, 1), zone),
  };
}

const asDay = (row: DayRow, { day, dayStarts, dayEnds }: DaySpan): MyDay => ({
  ...{ day, starts: dayStarts, ends: dayEnds, now: row.now, weeklyMinutes: row.weeklyMinutes, items: row.items, more: row.more },
  days: new Map(row.days.map(({ date, minutes }) => [date, minutes])),
  entries: row.entries.map((entry) => asEntry(entry, row.now)),
  timer: row.timer && asEntry(row.timer, row.now),
  blocks: row.blocks.map(asBlock),
  // Reversed because the earliest block of an item must win.
  planned: new Map(row.upcoming.toReversed().map(({ itemId, startsAt }) => [itemId, new Date(startsAt).toISOString()])),
  rights: new Map(row.rights.map(({ workspaceId, rights }) => [workspaceId, rights])),
});
