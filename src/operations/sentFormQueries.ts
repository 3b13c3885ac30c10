/** SQL about forms that count once: which of them a session has sent, and where each one led. */
import { z } from 'zod';
import type { SessionCaller } from '../access/caller.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** A CTE that commits with the CTE `change`: of a form sent twice one change is kept, the other fails on the key and is rolled back whole. */
export const countedForm = ({ hash }: SessionCaller, nonce: string): Fragment => sql.fragment`
  counted as (insert into sent_forms (account_id, session_id, nonce) select s.account_id, s.id, ${nonce} from sessions s, change where s.token_hash = ${sql.binary(hash)})`;

/** The same for a change of several statements, in its transaction. */
export async function countForm(tx: Tx, caller: SessionCaller, nonce: string): Promise<void> {
  await tx.query(sql.unsafe`with change as (select 1), ${countedForm(caller, nonce)} select 1`);
}

const SentForm = z.object({ way: z.string().nullable() });

/** A form that this session has sent, with where it led to; null when no change has counted it. */
export function findSentForm(tx: Tx, { hash }: SessionCaller, nonce: string): Promise<z.infer<typeof SentForm> | null> {
  return tx.maybeOne(sql.type(SentForm)`
    select f.way from sent_forms f join sessions s on s.id = f.session_id where s.token_hash = ${sql.binary(hash)} and f.nonce = ${nonce}`);
}

/** Keeps where a counted form has led: a path, or '' for a page of its own. */
export async function keepWay(tx: Tx, { hash }: SessionCaller, nonce: string, way: string): Promise<void> {
  await tx.query(sql.unsafe`
    update sent_forms f set way = ${way} from sessions s where s.id = f.session_id and s.token_hash = ${sql.binary(hash)} and f.nonce = ${nonce}`);
}
