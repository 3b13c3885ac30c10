import { z } from 'zod';
import { type AdminScope, checkExpiry, inScope, notFoundFault } from '../access/accountAccessQueries.ts';
import { type Grant, rightsOfGrants } from '../access/rights.ts';
import { newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Created = z.object({ id: z.number() });

export interface NewKey {
  userId: number;
  name: string;
  grants: readonly Grant[];
  /** ISO 8601. Null: never. */
  expires: string | null;
}

/** `key` is the secret. It is shown only once. */
export async function insertKey(
  tx: Tx,
  scope: AdminScope,
  { userId, name, grants, expires }: NewKey,
): Promise<{ id: number; key: string }> {
  await checkExpiry(tx, expires);
  const { secret, hash } = newSecret('rest');
  const id = await tx.maybeOneFirst(sql.type(Created)`
    insert into rest_keys (account_id, user_id, name, key_hash, rights, expires_at)
    select u.account_id, u.id, ${name}, ${sql.binary(hash)}, ${rightsOfGrants(grants)}, ${expires}::timestamptz
    from users u where u.id = ${userId} and u.active and ${inScope(scope, 'u')}
    returning id`);
  if (id === null) throw notFoundFault('user', userId);
  return { id, key: secret };
}

/** Permanent. Revoking twice keeps the first time. */
export async function revokeKey(tx: Tx, scope: AdminScope, keyId: number): Promise<void> {
  const id = await tx.maybeOneFirst(sql.type(Created)`
    update rest_keys k set revoked_at = coalesce(k.revoked_at, now()) where k.id = ${keyId} and ${inScope(scope, 'k')} returning k.id`);
  if (id === null) throw notFoundFault('key', keyId);
}

/** Ids of keys that are not revoked, for a user or an account. Locks the rows. */
export function liveKeys(tx: Tx, of: { userId?: number | undefined; accountId?: number | undefined }): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Created)`
    select id from rest_keys where revoked_at is null
      and (user_id = ${of.userId ?? null} or account_id = ${of.accountId ?? null}) order by id for update`);
}

const KeyRow = z.object({
  id: z.number(),
  name: z.string(),
  userName: z.string(),
  rights: z.number(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
  state: z.enum(['active', 'expired', 'revoked', 'user deactivated']),
});
export type KeyRow = z.infer<typeof KeyRow>;

export function readKeys(tx: Tx, accountId: number): Promise<readonly KeyRow[]> {
  return tx.any(sql.type(KeyRow)`
    select k.id, k.name, u.name as "userName", k.rights, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.created_at as "createdAt",
           case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' when not u.active then 'user deactivated' else 'active' end as state
    from rest_keys k join users u on u.id = k.user_id
    where k.account_id = ${accountId} order by k.revoked_at is not null, k.id desc`);
}
