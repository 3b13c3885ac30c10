import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { enqueue, type Later } from '../queue/jobs.ts';

export const enqueueErasing = (tx: Tx, later: Later = { key: 'erase' }): Promise<void> =>
  enqueue(tx, 'erase', { due: new Date().toISOString() }, later);

/** SQL: when the subject with this id will be erased, or null. */
export const erasedAt = (subject: 'account' | 'workspace', id: Fragment): Fragment =>
  sql.fragment`(select e.due_at from erasures e where e.subject = ${subject} and e.subject_id = ${id})`;

const Erasure = z.object({
  accountId: z.number(),
  subject: z.enum(['user', 'workspace', 'account']),
  id: z.number(),
  names: z.array(z.string()),
  addresses: z.array(z.string()),
  step: z.number(),
  nextId: z.number(),
});
export type Erasure = z.infer<typeof Erasure>;

/** Takes the due erasure that has waited longest; it can no longer be restored. An account waits for its workspaces. */
export function takeDue(tx: Tx): Promise<Erasure | null> {
  return tx.maybeOne(sql.type(Erasure)`
    update erasures set begun = true, taken_at = clock_timestamp() where (subject, subject_id) = (
      select e.subject, e.subject_id from erasures e
      where e.due_at <= now() and (e.subject <> 'account' or not e.begun or not exists (
        select from erasures w where w.account_id = e.account_id and w.subject = 'workspace'))
      order by e.taken_at nulls first limit 1 for update skip locked)
    returning account_id as "accountId", subject, subject_id as id, names, addresses, step, next_id as "nextId"`);
}

export async function savePlace(tx: Tx, { subject, id }: Erasure, step: number, nextId: number): Promise<void> {
  await tx.query(sql.unsafe`update erasures set step = ${step}, next_id = ${nextId} where subject = ${subject} and subject_id = ${id}`);
}

export async function endErasure(tx: Tx, { subject, id }: Erasure): Promise<void> {
  await tx.query(sql.unsafe`delete from erasures where subject = ${subject} and subject_id = ${id}`);
}

const There = z.object({ there: z.boolean() });

export function anyDue(tx: Tx): Promise<boolean> {
  return tx.oneFirst(sql.type(There)`select exists (select from erasures where due_at <= now()) as there`);
}

const QueriesCount = z.object({ count: z.number() });

/** Makes the account's workspaces due first. False if there are none. */
export async function dueWithAccount(tx: Tx, accountId: number): Promise<boolean> {
  const count = await tx.oneFirst(sql.type(QueriesCount)`
    with due as (
      insert into erasures (account_id, subject, subject_id, due_at, begun)
      select account_id, 'workspace', id, now(), true from workspaces where account_id = ${accountId} order by id
      on conflict (subject, subject_id) do update set due_at = excluded.due_at, begun = true returning 1
    )
    select count(*) from due`);
  return count > 0;
}

// Steps of an erasure. Statements are short, so that none holds locks for long, and may run twice.

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

const StepCount = z.object({ count: z.number() });

/** Deletes rows that an index finds until there are none, as deletions may free others. Waits for rows that are being deleted. */
export const deleteFound =
  (table: string, condition: Fragment): Step =>
  async (tx) => {
    const deleted = await tx.oneFirst(sql.type(StepCount)`
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
