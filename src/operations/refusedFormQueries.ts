import { z } from 'zod';
import type { SessionCaller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

export const Values = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type Values = z.infer<typeof Values>;

export const Stored = z.object({
  code: z.enum(['invalid_request', 'conflict']),
  message: z.string(),
  details: z.object({
    currentVersion: z.number().optional(),
    currentRevision: z.number().optional(),
    index: z.number().optional(),
    conflicts: z.array(z.object({ index: z.number(), id: z.number(), currentVersion: z.number() })).optional(),
    retryAfter: z.number().optional(),
  }),
  faults: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])).readonly(), whatToDo: z.string() })),
});
export type Stored = z.infer<typeof Stored>;

const Kept = z.object({ kept: z.boolean() });
/** Of all sessions of a person, so that no one can fill the table. */
const MOST = 20;

/** Returns true if it was stored. Deletes the person's oldest above the limit. */
export async function insertRefusedForm(
  tx: Tx,
  caller: SessionCaller,
  { hash, path, fields, refusal }: { hash: Buffer; path: string; fields: string; refusal: string },
): Promise<boolean> {
  const kept = await tx.maybeOneFirst(sql.type(Kept)`
    with session as (select id, account_id, user_id from sessions where token_hash = ${sql.binary(caller.hash)}),
    ended as (
      delete from refused_forms where token_hash in (
        select f.token_hash from session join sessions s on s.user_id = session.user_id join refused_forms f on f.session_id = s.id
        order by f.created_at desc offset ${MOST - 1})
    )
    insert into refused_forms (token_hash, account_id, session_id, path, fields, refusal)
    select ${sql.binary(hash)}, account_id, id, ${path}, ${fields}::jsonb, nullif(${refusal}::jsonb, 'null') from session returning true as kept`);
  return kept !== null;
}

const Form = z.object({ fields: Values, refusal: Stored.nullable() });

export function findRefusedForm(tx: Tx, caller: SessionCaller, path: string, hash: Buffer): Promise<z.infer<typeof Form> | null> {
  return tx.maybeOne(sql.type(Form)`
    select f.fields, f.refusal from refused_forms f join sessions s on s.id = f.session_id
    where f.token_hash = ${sql.binary(hash)} and s.token_hash = ${sql.binary(caller.hash)} and f.path = ${path}
      and f.created_at > now() - interval '1 hour'`);
}

/** Claims the form in the transaction of its change. If a form is sent twice, one change commits; the other violates the key. */
export async function countForm(tx: Tx, { hash }: SessionCaller, nonce: string): Promise<void> {
  await tx.query(sql.unsafe`
    insert into sent_forms (account_id, session_id, nonce)
    select account_id, id, ${nonce} from sessions where token_hash = ${sql.binary(hash)}`);
}

const SentForm = z.object({ destination: z.string().nullable() });

export function findSentForm(tx: Tx, { hash }: SessionCaller, nonce: string): Promise<z.infer<typeof SentForm> | null> {
  return tx.maybeOne(sql.type(SentForm)`
    select f.way as destination from sent_forms f join sessions s on s.id = f.session_id where s.token_hash = ${sql.binary(hash)} and f.nonce = ${nonce}`);
}

/** Stores the redirect of a claimed form: a path, or '' if the response was a page. */
export async function keepDestination(tx: Tx, { hash }: SessionCaller, nonce: string, destination: string): Promise<void> {
  await tx.query(sql.unsafe`
    update sent_forms f set way = ${destination} from sessions s where s.id = f.session_id and s.token_hash = ${sql.binary(hash)} and f.nonce = ${nonce}`);
}
