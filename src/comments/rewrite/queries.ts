/** SQL about pending rewritings. The row's state and the database's clock decide every transition. */
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';

export const CHANNEL = 'note_rewritten';

interface RewriteRequest {
  requestId: string;
  body: string;
}

interface RewriteRequests {
  accountId: number;
  connectionId: number;
  waitMs: number;
  notes: readonly RewriteRequest[];
}

const Started = z.object({ id: z.number() });

/** Inserts rows to wait for, and deletes expired or failed ones. Returns the ids of the new rows in order: live rows of the same requests
 *  stay. */
export async function insertRewrites(tx: Tx, { accountId, connectionId, waitMs, notes }: RewriteRequests): Promise<readonly number[]> {
  const ids = sql.array(
    notes.map(({ requestId }) => requestId),
    'uuid',
  );
  await tx.query(sql.unsafe`
    delete from note_rewrites where id in (
      select id from note_rewrites
      where connection_id = ${connectionId} and request_id = any(${ids}) and (deadline_at <= now() or state = 'failed')
      order by id for update)`);
  const started = await tx.anyFirst(sql.type(Started)`
    insert into note_rewrites (account_id, connection_id, request_id, body, deadline_at)
    select ${accountId}, ${connectionId}, request_id, body, now() + ${waitMs} * interval '1 ms'
    from unnest(${ids}, ${sql.array(
      notes.map(({ body }) => body),
      'text',
    )}) with ordinality note (request_id, body, n)
    order by n
    on conflict (connection_id, request_id) do nothing returning id`);
  return started.toSorted((a, b) => a - b);
}

const Count = z.object({ count: z.number() });

/** Notes of a person that wait for the model, from all connections. */
export function countWaiting(tx: Tx, accountId: number, userId: number): Promise<number> {
  return tx.oneFirst(sql.type(Count)`
    select count(*)::integer from note_rewrites r join connections c on c.id = r.connection_id
    where c.account_id = ${accountId} and c.user_id = ${userId} and r.state in ('waiting', 'asked') and r.deadline_at > now()`);
}

const Exists = z.object({ exists: z.boolean() });

export function hasReceipt(tx: Tx, connectionId: number, requestId: string): Promise<boolean> {
  return tx.oneFirst(sql.type(Exists)`
    select exists (select from receipts where connection_id = ${connectionId} and request_id = ${requestId}::uuid)`);
}

const Running = z.object({ id: z.number(), requestId: z.string(), body: z.string() });

export function findRewrites(
  tx: Tx,
  connectionId: number,
  notes: readonly Pick<RewriteRequest, 'requestId'>[],
): Promise<readonly z.infer<typeof Running>[]> {
  const ids = sql.array(
    notes.map(({ requestId }) => requestId),
    'uuid',
  );
  return tx.any(sql.type(Running)`
    select id, request_id as "requestId", body from note_rewrites where connection_id = ${connectionId} and request_id = any(${ids})`);
}

const State = z.object({ state: z.enum(['waiting', 'asked', 'done', 'failed']), rewritten: z.string().nullable(), leftMs: z.number() });

/** Null if the row is deleted. `leftMs`: ms until the deadline, at least 0. */
export function readRewrite(tx: Tx, id: number): Promise<z.infer<typeof State> | null> {
  return tx.maybeOne(sql.type(State)`
    select state, rewritten, greatest(0, extract(epoch from deadline_at - now()) * 1000)::double precision as "leftMs"
    from note_rewrites where id = ${id}`);
}

export async function deleteRewrites(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`delete from note_rewrites where id = any(${sql.array([...ids], 'int8')})`);
}

/** Deletes the rows of results that are being saved. False if one has expired: then nothing may be saved. */
export async function takeRewrites(tx: Tx, ids: readonly number[]): Promise<boolean> {
  const taken = await tx.any(sql.type(Started)`
    delete from note_rewrites where id = any(${sql.array([...ids], 'int8')}) and state = 'done' returning id`);
  return taken.length === ids.length;
}

const Claimed = z.object({ body: z.string(), leftMs: z.number() });

/** Claims the only call of the model. Null if it was claimed before or the deadline has passed. */
export function claimRewrite(tx: Tx, id: number): Promise<z.infer<typeof Claimed> | null> {
  return tx.maybeOne(sql.type(Claimed)`
    update note_rewrites set state = 'asked' where id = ${id} and state = 'waiting' and deadline_at > now()
    returning body, (extract(epoch from deadline_at - now()) * 1000)::double precision as "leftMs"`);
}

/** Stores the result and notifies the waiting request, unless the deadline has passed. */
export async function settleRewrite(tx: Tx, id: number, outcome: { rewritten: string } | { fault: string }): Promise<void> {
  const rewritten = 'rewritten' in outcome ? outcome.rewritten : null;
  await tx.query(sql.unsafe`
    with settled as (
      update note_rewrites set state = ${rewritten === null ? 'failed' : 'done'}, rewritten = ${rewritten},
        fault = ${'fault' in outcome ? outcome.fault : null}
      where id = ${id} and state = 'asked' and deadline_at > now() returning id
    )
    select pg_notify(${CHANNEL}, id::text) from settled`);
}
