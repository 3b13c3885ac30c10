import { z } from 'zod';
import type { SessionCaller } from '../access/caller.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** A CTE that commits with the CTE `change`. If a form is sent twice, one change commits; the other violates the key and rolls back. */
export const countedForm = ({ hash }: SessionCaller, nonce: string): Fragment => sql.fragment`
  counted as (insert into sent_forms (account_id, session_id, nonce) select s.account_id, s.id, ${nonce} from sessions s, change where s.token_hash = ${sql.binary(hash)})`;

export async function countForm(tx: Tx, caller: SessionCaller, nonce: string): Promise<void> {
  await tx.query(sql.unsafe`with change as (select 1), ${countedForm(caller, nonce)} select 1`);
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
