import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { visibleById } from '../access/itemQueries.ts';
import { accessToAll } from '../access/queries.ts';
import { bits } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { timeParts } from '../plans/myTimeQueries.ts';
import { addDays } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Choice, knownChoices, knownWork } from './workForTimeQueries.ts';

const TIME_READ = bits('time', 'read');
const TIME_WRITE = bits('time', 'write');
const MOST_CHOICES = 50;
export const MOST_ROWS = 200;

const Row = z.object({
  itemId: z.number().nullable(),
  title: z.string().nullable(),
  workspaceId: z.number(),
  workspace: z.string(),
  rights: z.number(),
  before: z.boolean(),
  /** Cells of the week. `entries` have minutes; a timer that `runs` counts up to now. */
  cells: z.array(z.object({ day: z.string(), minutes: z.number(), entries: z.number(), runs: z.boolean() })),
});
export type GridRow = z.infer<typeof Row>;

const Grid = z.object({
  today: z.string(),
  weeklyMinutes: z.number().nullable(),
  rows: z.array(Row),
  choices: z.array(Choice),
  rights: z.array(z.object({ workspaceId: z.number(), rights: z.number() })),
});

/** Throws Unauthenticated. */
export async function readTimesheet(tx: Tx, caller: Caller, monday: string): Promise<z.infer<typeof Grid>> {
  const sunday = addDays(monday, 6);
  const row = await tx.maybeOne(sql.type(Grid)`
    with ${accessToAll(caller)}, ${timeParts({ from: addDays(monday, -7), to: sunday })},
    ${knownWork(sql.fragment`rights & ${TIME_WRITE} = ${TIME_WRITE}`)},
    held as (
      select e.item_id, e.workspace_id, p.day, p.minutes, false as runs from parts p join time_entries e on e.id = p.entry_id
      union all
      select e.item_id, e.workspace_id, r.day, r.minutes, true from access
      join time_entries e on e.user_id = access.user_id and e.workspace_id = access.workspace_id and e.minutes is null
      cross join lateral split_by_utc_day(e.started_at, greatest(e.started_at, clock_timestamp())) r
      where access.rights & ${TIME_READ} <> 0 and r.day between ${monday}::date and ${sunday}::date
    ),
    cells as (
      select item_id, workspace_id, day, sum(minutes)::integer as minutes, count(*) filter (where minutes > 0 and not runs)::integer as entries,
        bool_or(runs) as runs
      from held group by item_id, workspace_id, day
    ),
    found as (
      select item_id, workspace_id, bool_or(day < ${monday}::date and minutes > 0) as before,
        coalesce(json_agg(json_build_object('day', day, 'minutes', minutes, 'entries', entries, 'runs', runs)) filter (where day >= ${monday}::date), '[]') as cells
      from cells group by item_id, workspace_id
    )
    select (clock_timestamp() at time zone 'UTC')::date as today, u.weekly_minutes as "weeklyMinutes",
      (select coalesce(json_agg(one), '[]') from (
        select case when i.title is not null then f.item_id end as "itemId", i.title, f.workspace_id as "workspaceId", w.name as workspace,
          access.rights, f.before, f.cells
        from found f join access on access.workspace_id = f.workspace_id join workspaces w on w.id = f.workspace_id
        left join lateral (select i.title from items i where i.id = f.item_id and ${visibleById} limit 1) i on true
        order by w.name, w.id, lower(i.title) nulls last, f.item_id limit ${MOST_ROWS}) one) as rows,
      ${knownChoices([], MOST_CHOICES)} as choices,
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'rights', rights)), '[]') from access) as rights
    from who join users u on u.id = who.user_id`);
  if (!row) throw new CredentialRefused();
  return row;
}
