import { z } from 'zod';
import type { SessionCaller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

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
