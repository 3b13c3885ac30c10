/** The week grid: a user's week by item and UTC day (behaviour §28.1). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { holds, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { Read } from '../operations/operation.ts';
import { ownParts, placesOfOwn } from '../time/ownTimeQueries.ts';
import { addDays, CalendarDate, mondayOf } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Choice, knownChoices, knownWork } from './workForTime.ts';

const MOST_CHOICES = 50;
export const MOST_ROWS = 200;

/** Cells of the week. `entries` have minutes; a timer that `runs` counts up to now. */
const Cells = z.array(z.object({ day: z.string(), minutes: z.number(), entries: z.number(), runs: z.boolean() }));
const Row = z.object({
  itemId: z.number(),
  title: z.string(),
  workspaceId: z.number(),
  workspace: z.string(),
  rights: z.number(),
  before: z.boolean(),
  cells: Cells,
});
export type GridRow = z.infer<typeof Row>;

const Grid = z.object({
  /** In UTC. Later days have no time yet. */
  today: z.string(),
  weeklyMinutes: z.number().nullable(),
  rows: z.array(Row),
  /** All work that the reader can no longer see; null if no time of it was read. */
  hidden: Cells.nullable(),
  choices: z.array(Choice),
  rights: z.array(z.object({ workspaceId: z.number(), rights: z.number() })),
});

/** Throws Unauthenticated. */
export async function readTimesheet(tx: Tx, caller: Caller, monday: string): Promise<z.infer<typeof Grid>> {
  const sunday = addDays(monday, 6);
  const row = await tx.maybeOne(sql.type(Grid)`
    with ${accessToAll(caller)}, ${ownParts({ from: addDays(monday, -7), to: sunday })},
    ${knownWork(sql.fragment`rights & ${TIME_WRITE} = ${TIME_WRITE}`)},
    cells as (
      select i.id, p.day, sum(p.minutes)::integer as minutes, count(*) filter (where p.minutes > 0 and not p.runs)::integer as entries, bool_or(p.runs) as runs
      from parts p join time_entries e on e.id = p.entry_id ${placesOfOwn} group by i.id, p.day
    ),
    found as (
      select id, bool_or(day < ${monday}::date and minutes > 0) as before,
        coalesce(json_agg(json_build_object('day', day, 'minutes', minutes, 'entries', entries, 'runs', runs)) filter (where day >= ${monday}::date), '[]') as cells
      from cells group by id
    )
    select (clock_timestamp() at time zone 'UTC')::date as today, available_minutes(u.id, ${monday}) as "weeklyMinutes",
      (select coalesce(json_agg(one), '[]') from (
        select i.id as "itemId", i.title, i.workspace_id as "workspaceId", w.name as workspace, access.rights, f.before, f.cells
        from found f cross join lateral (select * from items where id = f.id limit 1) i join access on access.workspace_id = i.workspace_id
        join workspaces w on w.id = i.workspace_id
        order by w.name, w.id, lower(i.title), i.id limit ${MOST_ROWS}) one) as rows,
      (select cells from found where id is null) as hidden,
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
    const { rows, hidden, rights, ...facts } = await readTimesheet(tx, caller, monday);
    return {
      ...{ monday, ...facts },
      rows: [...rows.map(asRow), ...(hidden?.length ? [hiddenRow(hidden)] : [])],
      rights: new Map(rights.map((one) => [one.workspaceId, one.rights])),
    };
  },
};

const asRow = ({ rights, cells, before, ...row }: GridRow): SheetRow => ({
  ...row,
  may: holds(rights, TIME_WRITE),
  before: before && cells.length === 0,
  cells: byDay(cells),
});

/** Hidden work counts in the sums but shows no details (behaviour §9.11). */
const hiddenRow = (cells: z.infer<typeof Cells>): SheetRow => ({
  ...{ itemId: null, title: null, workspaceId: 0, workspace: '', may: false, before: false },
  cells: byDay(cells),
});

const byDay = (cells: z.infer<typeof Cells>) => new Map(cells.map(({ day, ...cell }) => [day, cell]));
