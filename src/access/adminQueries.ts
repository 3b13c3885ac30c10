/** How far an administrator reaches, as a piece of the statement that changes something: what is beyond counts as absent. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { InvalidRequest } from '../values/errors.ts';

/** The operator at the command line, or an administrator of one account. */
export type Reach = 'everything' | { accountId: number };
/** As `Reach`, or a person with what is their own. */
export type OwnReach = Reach | { userId: number };

/** Whether the row `alias` (with account_id and, for an own reach, user_id) is within reach. */
export function within(reach: OwnReach, alias: string): Fragment {
  if (reach === 'everything') return sql.fragment`true`;
  if ('accountId' in reach) return sql.fragment`${sql.identifier([alias, 'account_id'])} = ${reach.accountId}`;
  return sql.fragment`${sql.identifier([alias, 'user_id'])} = ${reach.userId}`;
}

/** What is not there and what is out of reach are told alike. `what`: the field, which is also the thing's name. */
export function absent(what: string, id: number): InvalidRequest {
  return new InvalidRequest(`${what}: there is no ${what} ${id} that can be changed; check the id.`);
}

const Ahead = z.object({ ahead: z.boolean() });

/** Throws InvalidRequest unless the expiry is ahead of the database's clock, or null for none. */
export async function checkExpiry(tx: Tx, expires: string | null | undefined): Promise<void> {
  if (expires == null) return;
  const ahead = await tx.oneFirst(sql.type(Ahead)`select ${expires}::timestamptz > now() as ahead`);
  if (!ahead) throw new InvalidRequest('expires: is past; give a later instant, or never.');
}
