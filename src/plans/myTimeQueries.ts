import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { PLANS_READ, TIME_READ } from '../access/rights.ts';
import { type Fragment, listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { zoneOf } from '../items/findWork/queries.ts';
import { visible } from '../items/queries.ts';
import { entryColumnsIn, ownEntryIn, ownPartIn } from '../time/queries.ts';
import { EntryRow } from '../time/schema.ts';
import { CredentialRefused } from '../values/errors.ts';
import { blockColumns } from './queries.ts';
import { BlockRow } from './schema.ts';

const Reader = z.object({ zone: z.string(), now: z.string(), today: z.string(), rights: z.number() });

/** The caller's time zone, clock and `rights`, which combine all their workspaces. Throws Unauthenticated. */
export async function readReader(tx: Tx, caller: Caller): Promise<z.infer<typeof Reader>> {
  const row = await tx.maybeOne(sql.type(Reader)`
    with ${accessToAll(caller)}
    select ${zoneOf(caller)} as zone, clock_timestamp() as now, (clock_timestamp() at time zone 'UTC')::date as today,
           (select coalesce(bit_or(rights), 0) from access) as rights
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

export interface TimeWindow {
  /** UTC days, both included. */
  from: string;
  to: string;
  /** Instants, the end excluded: the same days in the caller's time zone, or another period. */
  starts: string;
  ends: string;
}

/** Of entries and blocks together. */
export const ROWS_ON_PAGE = 500;

export const MyTimeRow = z.object({
  days: z.array(z.object({ date: z.string(), minutes: z.number() })),
  entries: z.array(EntryRow),
  timer: EntryRow.nullable(),
  blocks: z.array(BlockRow),
});

/** For a statement with `access` to all workspaces: the caller's entries that they may read. Conditions may follow. */
const ofEntries = sql.fragment`
  select ${entryColumnsIn('access.workspace_id')} from access
  join time_entries e on e.user_id = access.user_id and ${ownEntryIn('access')}
  left join items i on i.id = e.item_id and ${visible}
  where access.rights & ${TIME_READ} <> 0`;

/** A CTE for a statement with `access` to all workspaces: the caller's minutes on these UTC days that they may read now. */
const timeParts = ({ from, to }: Pick<TimeWindow, 'from' | 'to'>): Fragment => sql.fragment`
  parts as (
    select p.entry_id, p.day, p.minutes, access.workspace_id from access join time_parts p on p.user_id = access.user_id and ${ownPartIn('access')}
    where access.rights & ${TIME_READ} <> 0 and p.day between ${from}::date and ${to}::date
  )`;

/** For a statement with `access` to all workspaces: the caller's blocks in this period that they may read. Conditions may follow. */
export const ofBlocks = ({ starts, ends }: Pick<TimeWindow, 'starts' | 'ends'>): Fragment => sql.fragment`
  select ${blockColumns} from access
  join plan_blocks b on b.user_id = access.user_id and b.workspace_id = access.workspace_id
  left join items i on i.id = b.item_id and ${visible}
  where access.rights & ${PLANS_READ} <> 0 and b.starts_at > ${starts}::timestamptz - interval '24 hours'
    and b.starts_at < ${ends}::timestamptz and b.ends_at > ${starts}::timestamptz`;

const entriesOfParts = sql.fragment`${ofEntries} and e.id in (select entry_id from parts)`;

const MyTimePage = MyTimeRow.extend({ last_id: z.number().nullable() });

/** A page of entries and blocks, by id. `last_id`: of the page, if there are more. Days and timer are complete in each. */
export function readMyTime(tx: Tx, caller: Caller, window: TimeWindow, afterId: number): Promise<z.infer<typeof MyTimePage>> {
  const onPage = (id: Fragment) => sql.fragment`and ${id} > ${afterId} and ${id} <= coalesce((select id from last), ${id})`;
  const [entryId, blockId] = [sql.fragment`e.id`, sql.fragment`b.id`];
  const first = (rows: Fragment, id: Fragment) => sql.fragment`(${rows} and ${id} > ${afterId} order by ${id} limit ${ROWS_ON_PAGE + 1})`;
  return tx.one(sql.type(MyTimePage)`
    with ${accessToAll(caller)}, ${timeParts(window)},
    last as materialized (
      select id - 1 as id from (
        select id from ${first(entriesOfParts, entryId)} e union all select id from ${first(ofBlocks(window), blockId)} b) row
      order by row.id offset ${ROWS_ON_PAGE} limit 1)
    select ${listOf(sql.fragment`select day as date, sum(minutes) as minutes from parts group by day order by day`)} as days,
      ${listOf(sql.fragment`${entriesOfParts} ${onPage(entryId)} order by e.day, e.started_at, e.id`)} as entries,
      (select to_json(row) from (${ofEntries} and e.minutes is null) row) as timer,
      ${listOf(sql.fragment`${ofBlocks(window)} ${onPage(blockId)} order by b.starts_at, b.id`)} as blocks, (select id from last) as last_id`);
}
