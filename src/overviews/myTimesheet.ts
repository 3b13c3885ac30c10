/** The week grid: a user's week by item and UTC day (behaviour §28.1). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { holds, TIME_READ, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import { timeParts } from '../plans/myTimeQueries.ts';
import { addDays, CalendarDate, mondayOf } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Choice, knownChoices, knownWork } from './workForTime.ts';

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
  /** In UTC. Later days have no time yet. */
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
      select e.item_id, p.workspace_id, p.day, p.minutes, false as runs from parts p join time_entries e on e.id = p.entry_id
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
    select (clock_timestamp() at time zone 'UTC')::date as today, available_minutes(u.id, ${monday}) as "weeklyMinutes",
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

const Input = z.strictObject({ date: CalendarDate });

export interface SheetCell {
  minutes: number;
  entries: number;
  /** A running timer, counted up to now. */
  runs: boolean;
}

export interface SheetRow {
  /** null: all items that the reader can't see, as one row. */
  itemId: number | null;
  title: string | null;
  workspaceId: number;
  workspace: string;
  may: boolean;
  before: boolean;
  cells: ReadonlyMap<string, SheetCell>;
}

export interface Timesheet extends Pick<z.infer<typeof Grid>, 'today' | 'weeklyMinutes' | 'choices'> {
  monday: string;
  rows: SheetRow[];
  rights: ReadonlyMap<number, number>;
}

export const myTimesheet: Read<z.infer<typeof Input>, Timesheet> = {
  name: 'myTimesheet',
  input: Input,
  async run(tx, caller, { date }) {
    const monday = mondayOf(date);
    const { rows, rights, ...facts } = await readTimesheet(tx, caller, monday);
    const seen = rows.filter(({ itemId }) => itemId !== null).map(asRow);
    const hidden = hiddenRow(rows.filter(({ itemId, cells }) => itemId === null && cells.length > 0));
    return {
      ...{ monday, ...facts },
      rows: hidden ? [...seen, hidden] : seen,
      rights: new Map(rights.map((one) => [one.workspaceId, one.rights])),
    };
  },
};

const asRow = ({ rights, cells, before, ...row }: GridRow): SheetRow => ({
  ...row,
  may: holds(rights, TIME_WRITE),
  before: before && cells.length === 0,
  cells: new Map(cells.map(({ day, ...cell }) => [day, cell])),
});

/** Hidden work counts in the sums but shows no details (behaviour §9.11). */
function hiddenRow(rows: readonly GridRow[]): SheetRow | null {
  const [first] = rows;
  if (!first) return null;
  const cells = new Map<string, SheetCell>();
  for (const { day, minutes, entries, runs } of rows.flatMap((row) => row.cells)) {
    const held = cells.get(day);
    cells.set(day, { minutes: minutes + (held?.minutes ?? 0), entries: entries + (held?.entries ?? 0), runs: runs || held?.runs === true });
  }
  return { itemId: null, title: null, workspaceId: first.workspaceId, workspace: '', may: false, before: false, cells };
}
