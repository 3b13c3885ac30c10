/** Receipts: a request and its answer, stored in the transaction of its change. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { KeyedCall, ToolCall } from './request.ts';

const Receipt = z.object({
  /** The tool or the operation. */
  asked: z.string(),
  fingerprint: z.instanceof(Buffer),
  result: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

export function findReceipt(tx: Tx, call: ToolCall | KeyedCall): Promise<Receipt | null> {
  if ('tool' in call)
    return tx.maybeOne(sql.type(Receipt)`
      select tool as asked, fingerprint, result::text as result from receipts
      where connection_id = ${call.connectionId} and request_id = ${call.requestId}`);
  const { credential, column } = credentialOf(call);
  return tx.maybeOne(sql.type(Receipt)`
    select r.operation as asked, r.fingerprint, r.result::text as result
    from (${credential}) c join rest_receipts r on r.${column} = c.id where r.idempotency_key = ${call.idempotencyKey}`);
}

/** For agents, also inserts the row of activity. Workspace 0 means none (personal notes). */
export async function insertReceipt(
  tx: Tx,
  { workspaceId }: Permit,
  call: ToolCall | KeyedCall,
  fingerprint: Buffer,
  result: unknown,
): Promise<void> {
  const json = JSON.stringify(result);
  if ('tool' in call) {
    const { accountId, userId, connectionId, requestId, tool, startedAt } = call;
    await tx.query(sql.unsafe`
      with receipt as (
        insert into receipts (account_id, connection_id, request_id, tool, fingerprint, result)
        values (${accountId}, ${connectionId}, ${requestId}::uuid, ${tool}, ${sql.binary(fingerprint)}, ${json}::json)
      )
      insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
      values (${accountId}, ${userId}, ${connectionId}, nullif(${workspaceId}::bigint, 0), ${tool}, 'ok',
        ${Math.round(performance.now() - startedAt)}::integer)`);
    return;
  }
  const { credential, column } = credentialOf(call);
  await tx.query(sql.unsafe`
    insert into rest_receipts (account_id, ${column}, idempotency_key, operation, fingerprint, result)
    select c.account_id, c.id, ${call.idempotencyKey}::uuid, ${call.operation}, ${sql.binary(fingerprint)}, ${json}::json from (${credential}) c`);
}

function credentialOf({ kind, hash }: KeyedCall): { credential: Fragment; column: Fragment } {
  return kind === 'session'
    ? {
        credential: sql.fragment`select account_id, id from sessions where token_hash = ${sql.binary(hash)}`,
        column: sql.fragment`session_id`,
      }
    : { credential: sql.fragment`select account_id, id from rest_keys where key_hash = ${sql.binary(hash)}`, column: sql.fragment`key_id` };
}
