/** SQL of a user's folders. Callers lock the users row, so that names stay unique and the number limited. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Found = z.object({ id: z.number() });

export async function lockOwner(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`select id from users where id = ${userId} for no key update`);
}

/** Returns null if the name is in use. */
export function insertFolder(tx: Tx, { accountId, userId }: Permit, name: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Found)`
    insert into note_folders (account_id, user_id, name) values (${accountId}, ${userId}, ${name}) on conflict do nothing returning id`);
}

export function updateFolder(tx: Tx, { userId }: Permit, id: number, name: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Found)`
    update note_folders set name = ${name} where id = ${id} and user_id = ${userId} returning id`);
}

/** Its notes get no folder. Returns null if there is no such folder. */
export async function removeFolder(tx: Tx, { userId }: Permit, id: number): Promise<number | null> {
  await tx.query(sql.unsafe`update personal_notes set folder_id = null where user_id = ${userId} and folder_id = ${id}`);
  return tx.maybeOneFirst(sql.type(Found)`delete from note_folders where id = ${id} and user_id = ${userId} returning id`);
}
