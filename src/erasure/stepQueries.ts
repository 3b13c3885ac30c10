/** Steps of an erasure. Statements are short, so that none holds locks for long, and may run twice. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** Does one piece of work. `from`: 0, or the result of the previous call. Returns null when done. */
export type Step = (tx: Tx, from: number) => Promise<number | null>;

const RANGE = 2_000;
const BATCH = 500;

const Ids = z.object({ first: z.number().nullable(), last: z.number().nullable() });

/** Runs a statement on all rows of a table, RANGE ids at a time. Only needs the index of the ids. */
export function inRanges(table: string, key: string, statement: (inRange: Fragment) => Fragment): Step {
  return async (tx, from) => {
    const column = sql.identifier([key]);
    const { first, last } = await tx.one(sql.type(Ids)`
      select (select min(${column}) from ${sql.identifier([table])} where ${column} >= ${from}) as first,
        (select max(${column}) from ${sql.identifier([table])}) as last`);
    if (first === null || last === null) return null;
    const id = sql.identifier([table, key]);
    await tx.query(sql.unsafe`${statement(sql.fragment`${id} >= ${first} and ${id} < ${first + RANGE}`)}`);
    return first + RANGE > last ? null : first + RANGE;
  };
}

export const deleteInRanges = (table: string, condition: Fragment, key = 'id'): Step =>
  inRanges(table, key, (inRange) => sql.fragment`delete from ${sql.identifier([table])} where ${inRange} and (${condition})`);

const Count = z.object({ count: z.number() });

/** Deletes rows that an index finds until there are none, as deletions may free others. Waits for rows that are being deleted. */
export const deleteFound =
  (table: string, condition: Fragment): Step =>
  async (tx) => {
    const deleted = await tx.oneFirst(sql.type(Count)`
    with gone as (
      delete from ${sql.identifier([table])} where ctid = any(array(
        select ctid from ${sql.identifier([table])} where ${condition} limit ${BATCH} for update))
      returning 1
    )
    select count(*) from gone`);
    return deleted === 0 ? null : 0;
  };

export const runOnce =
  (work: (tx: Tx) => Promise<unknown>): Step =>
  async (tx) => {
    await work(tx);
    return null;
  };
