/** Limits an administrator's changes by a condition in the changing statement. Rows out of scope count as absent (behaviour §3.26). */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { InvalidRequest } from '../values/errors.ts';

/** `everything`: the operator at the command line. `accountId`: an administrator of that account. */
export type AdminScope = 'everything' | { accountId: number };
export type OwnScope = AdminScope | { userId: number };

/** SQL condition: the row `alias` is in scope. The row needs account_id, and user_id for the scope `userId`. */
export function inScope(scope: OwnScope, alias: string): Fragment {
  if (scope === 'everything') return sql.fragment`true`;
  if ('accountId' in scope) return sql.fragment`${sql.identifier([alias, 'account_id'])} = ${scope.accountId}`;
  return sql.fragment`${sql.identifier([alias, 'user_id'])} = ${scope.userId}`;
}

/** The same error for a row that does not exist and a row out of scope. `what` is both the field name and the name of the thing. */
export function notFoundFault(what: string, id: number): InvalidRequest {
  return new InvalidRequest([what], `there is no ${what} ${id} that can be changed; check the id.`);
}

const Ahead = z.object({ ahead: z.boolean() });

/** Throws InvalidRequest if the expiry is in the past by the database's clock. Null means no expiry. */
export async function checkExpiry(tx: Tx, expires: string | null | undefined): Promise<void> {
  if (expires == null) return;
  const ahead = await tx.oneFirst(sql.type(Ahead)`select ${expires}::timestamptz > now() as ahead`);
  if (!ahead) throw new InvalidRequest(['expires'], 'is past; give a later instant, or never.');
}
