/** SQL of staged rows: the items of a run in the order of writing, and their problems (behaviour §36.21). */
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import type { Container, PlannedItem, PlannedStatus } from '../sources/planned.ts';
import type { NewRow, RowLinks, Run } from './schema.ts';

/** Keeps existing rows: a resumed run reads the file again from its beginning. */
export const insertRows = (tx: Tx, run: Run, rows: readonly NewRow[]): Promise<void> => insertRowsJson(tx, run, JSON.stringify(rows));

export async function insertRowsJson(tx: Tx, { id, accountId }: Run, rows: string): Promise<void> {
  await tx.query(sql.unsafe`
    insert into import_rows (account_id, import_id, n, line, key, kind, planned, problem, refused)
    select ${accountId}, ${id}, r.n, r.line, r.key, r.kind, r.planned, r.problem, r.problem is not null
    from json_to_recordset(${rows}::json) as r (n integer, line integer, key text, kind text, planned json, problem text)
    on conflict do nothing`);
}

export async function setStaged(tx: Tx, id: number, staged: number): Promise<void> {
  await tx.query(sql.unsafe`update imports set staged = greatest(staged, ${staged}) where id = ${id}`);
}

/** Ends staging. `placed`: JSON of all rows that will be written, in this order, in pieces. */
export async function placeRows(tx: Tx, id: number, placed: readonly { rows: string; count: number }[], refused: number): Promise<void> {
  let from = 0;
  for (const { rows, count } of placed) {
    await tx.query(sql.unsafe`
      update import_rows r set place = ${from} + p.place, links = p.links
      from rows from (json_to_recordset(${rows}::json) as (n integer, links json)) with ordinality as p (n, links, place)
      where r.import_id = ${id} and r.n = p.n`);
    from += count;
  }
  await tx.query(sql.unsafe`update imports set staged = null, total = ${from}, refused = ${refused} where id = ${id}`);
}

const Text = z.object({ row: z.string() });

interface Of<Kind, Planned> {
  kind: Kind;
  n: number;
  place: number;
  key: string | null;
  planned: Planned;
  links: RowLinks | null;
}
export type AnyRow = Of<'issue', PlannedItem> | Of<'container', Container> | Of<'links', { blockedBy: string[] }>;

/** The next rows after `done`: up to `most`, and up to a size that memory and statement timeouts allow. */
export async function nextRows(tx: Tx, id: number, done: number, most: number, mostCharacters: number): Promise<AnyRow[]> {
  const texts = await tx.anyFirst(sql.type(Text)`
    select row_to_json(one)::text as row from (
      select n, place, key, kind, planned, links,
        sum(length(planned::text)) over (order by place rows between unbounded preceding and 1 preceding) as before
      from (select * from import_rows where import_id = ${id} and place > ${done} order by place limit ${most}) r
    ) one where coalesce(one.before, 0) < ${mostCharacters} order by one.place`);
  const rows = texts.map((text): AnyRow => JSON.parse(text));
  // Later dependencies are set once their items are written.
  return rows.filter(({ kind }) => (kind === 'links') === (rows[0]?.kind === 'links'));
}

const Key = z.object({ key: z.string() });

/** Those of the keys that the run's file has. */
export const readStagedKeys = (tx: Tx, id: number, keys: readonly string[]): Promise<readonly string[]> =>
  tx.anyFirst(
    sql.type(Key)`select coalesce(key, '') as key from import_rows where import_id = ${id} and key = any(${sql.array([...keys], 'text')})`,
  );

export interface Note {
  n: number;
  problem: string;
  /** The row was not written. Otherwise a part of it was left out. */
  refused: boolean;
  /** The item of the row. The problem is shown to users who may read it. Null: the row makes a new one. */
  itemId: number | null;
}

export async function noteProblems(tx: Tx, id: number, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  await tx.query(sql.unsafe`
    update import_rows r set problem = concat_ws(' ', r.problem, p.problem), refused = r.refused or p.refused, item_id = coalesce(r.item_id, p.item_id)
    from (
      select n, string_agg(problem, ' ' order by place) as problem, bool_or(refused) as refused, max("itemId") as item_id
      from rows from (json_to_recordset(${JSON.stringify(notes)}::json) as (n integer, problem text, refused boolean, "itemId" bigint))
        with ordinality as p (n, problem, refused, "itemId", place) group by n
    ) p
    where r.import_id = ${id} and r.n = p.n`);
}

/** Deletes the rows of a finished run, except those with a problem. */
export async function dropRows(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`delete from import_rows where import_id = ${id} and problem is null`);
}

/** Labels and statuses of staged rows that the workspace lacks. */
export async function readWanted(tx: Tx, id: number): Promise<{ labels: string[]; statuses: PlannedStatus[] }> {
  const rows = sql.fragment`import_rows r where r.import_id = ${id} and r.kind = 'issue' and not r.refused`;
  const text = await tx.oneFirst(sql.type(Text)`
    select json_build_object(
      'labels', (select coalesce(json_agg(distinct l.name), '[]') from (select r.planned from ${rows}) r, json_array_elements_text(r.planned -> 'newLabels') l (name)),
      'statuses', (select coalesce(json_agg(s.one), '[]') from (
        select distinct on (r.planned -> 'newStatus' ->> 'key') r.planned -> 'newStatus' as one from ${rows} and json_typeof(r.planned -> 'newStatus') = 'object') s))::text as row`);
  return JSON.parse(text);
}
