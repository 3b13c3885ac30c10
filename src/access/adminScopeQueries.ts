/** The scope of an administrator's changes, as a condition inside the statement that changes something: rows outside it count as absent
 *  (behaviour §3.26). */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { InvalidRequest } from '../values/errors.ts';

/** The operator at the command line, or an administrator of one account. */
export type AdminScope = 'everything' | { accountId: number };
/** As `AdminScope`, or a person's own rows. */
export type OwnScope = AdminScope | { userId: number };

/** Whether the row `alias` (with account_id and, for a person's own scope, user_id) is in scope. */
export function within(scope: OwnScope, alias: string): Fragment {
  if (scope === 'everything') return sql.fragment`true`;
  if ('accountId' in scope) return sql.fragment`${sql.identifier([alias, 'account_id'])} = ${scope.accountId}`;
  return sql.fragment`${sql.identifier([alias, 'user_id'])} = ${scope.userId}`;
}

/** One error for what does not exist and what is out of scope. `what`: the field, which is also the thing's name. */
export function absent(what: string, id: number): InvalidRequest {
  return new InvalidRequest([what], `there is no ${what} ${id} that can be changed; check the id.`);
}

const Ahead = z.object({ ahead: z.boolean() });

/** Throws InvalidRequest unless the expiry is ahead of the database's clock, or null for none. */
export async function checkExpiry(tx: Tx, expires: string | null | undefined): Promise<void> {
  if (expires == null) return;
  const ahead = await tx.oneFirst(sql.type(Ahead)`select ${expires}::timestamptz > now() as ahead`);
  if (!ahead) throw new InvalidRequest(['expires'], 'is past; give a later instant, or never.');
}
