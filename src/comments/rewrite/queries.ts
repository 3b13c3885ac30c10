/** SQL about pending rewritings. The row's state and the database's clock decide every transition. */
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';

export const CHANNEL = 'note_rewritten';

export interface RewriteRequest {
  accountId: number;
  connectionId: number;
  requestId: string;
  body: string;
  waitMs: number;
}

const Started = z.object({ id: z.number() });

/** Inserts a row to wait for, and deletes an expired or failed one. Null if a live row of the same request exists. */
export async function insertRewrite(tx: Tx, { accountId, connectionId, requestId, body, waitMs }: RewriteRequest): Promise<number | null> {
  await tx.query(sql.unsafe`
    delete from note_rewrites where connection_id = ${connectionId} and request_id = ${requestId}::uuid and (deadline_at <= now() or state = 'failed')`);
  return tx.maybeOneFirst(sql.type(Started)`
    insert into note_rewrites (account_id, connection_id, request_id, body, deadline_at)
    values (${accountId}, ${connectionId}, ${requestId}::uuid, ${body}, now() + ${waitMs} * interval '1 ms')
    on conflict (connection_id, request_id) do nothing returning id`);
}

const Exists = z.object({ exists: z.boolean() });

export function hasReceipt(tx: Tx, connectionId: number, requestId: string): Promise<boolean> {
  return tx.oneFirst(sql.type(Exists)`
    select exists (select from receipts where connection_id = ${connectionId} and request_id = ${requestId}::uuid)`);
}

const Running = z.object({ id: z.number(), body: z.string() });

export function findRewrite(tx: Tx, connectionId: number, requestId: string): Promise<z.infer<typeof Running> | null> {
  return tx.maybeOne(sql.type(Running)`
    select id, body from note_rewrites where connection_id = ${connectionId} and request_id = ${requestId}::uuid`);
}

const State = z.object({ state: z.enum(['waiting', 'asked', 'done', 'failed']), rewritten: z.string().nullable(), leftMs: z.number() });

/** Null if the row is deleted. `leftMs`: ms until the deadline, at least 0. */
export function readRewrite(tx: Tx, id: number): Promise<z.infer<typeof State> | null> {
  return tx.maybeOne(sql.type(State)`
    select state, rewritten, greatest(0, extract(epoch from deadline_at - now()) * 1000)::double precision as "leftMs"
    from note_rewrites where id = ${id}`);
}

export async function deleteRewrite(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`delete from note_rewrites where id = ${id}`);
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
