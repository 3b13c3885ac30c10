import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { KeyedCall, ToolCall } from './request.ts';

const Receipt = z.object({
  asked: z.string(),
  fingerprint: z.instanceof(Buffer),
  result: z.string(),
});
export type Receipt = z.infer<typeof Receipt>;

export interface Receipts {
  asked: string;
  idName: 'requestId' | 'Idempotency-Key';
  find(tx: Tx): Promise<Receipt | null>;
  /** CTEs that commit with the CTE `change (result, workspace_id)`. */
  with(fingerprint: Buffer): Fragment;
}

const receiptsOfConnection = ({ accountId, userId, connectionId, requestId, tool, startedAt }: ToolCall): Receipts => ({
  asked: tool,
  idName: 'requestId',
  find: (tx) =>
    tx.maybeOne(sql.type(Receipt)`
      select tool as asked, fingerprint, result::text as result from receipts where connection_id = ${connectionId} and request_id = ${requestId}`),
  with: (fingerprint) => sql.fragment`
    receipt as (
      insert into receipts (account_id, connection_id, request_id, tool, fingerprint, result)
      select ${accountId}, ${connectionId}, ${requestId}::uuid, ${tool}, ${sql.binary(fingerprint)}, result from change
    ),
    active as (
      insert into activity (account_id, user_id, connection_id, workspace_id, tool, outcome, elapsed_ms)
      select ${accountId}, ${userId}, ${connectionId}, workspace_id, ${tool}, 'ok', ${Math.round(performance.now() - startedAt)}::integer from change
    )`,
});

function receiptsOfCredential({ kind, hash, idempotencyKey, operation }: KeyedCall): Receipts {
  const [credential, column] =
    kind === 'session'
      ? [sql.fragment`select account_id, id from sessions where token_hash = ${sql.binary(hash)}`, sql.fragment`session_id`]
      : [sql.fragment`select account_id, id from rest_keys where key_hash = ${sql.binary(hash)}`, sql.fragment`key_id`];
  return {
    asked: operation,
    idName: 'Idempotency-Key',
    find: (tx) =>
      tx.maybeOne(sql.type(Receipt)`
        select r.operation as asked, r.fingerprint, r.result::text as result
        from (${credential}) c join rest_receipts r on r.${column} = c.id where r.idempotency_key = ${idempotencyKey}`),
    with: (fingerprint) => sql.fragment`
      receipt as (
        insert into rest_receipts (account_id, ${column}, idempotency_key, operation, fingerprint, result)
        select c.account_id, c.id, ${idempotencyKey}::uuid, ${operation}, ${sql.binary(fingerprint)}, result from change, (${credential}) c
      )`,
  };
}

export const receiptsOf = (call: ToolCall | KeyedCall): Receipts =>
  'tool' in call ? receiptsOfConnection(call) : receiptsOfCredential(call);
