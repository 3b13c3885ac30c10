/** Positions of the followers of all changes (behaviour §16.9). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Cursor } from './cursor.ts';

const Name = z.object({ name: z.enum(['webhooks', 'notifications', 'live']) });
export type FollowerName = z.infer<typeof Name>['name'];

/** Followers with unread changes. One index lookup for each, without a lock. */
export function followersBehind(tx: Tx, names: readonly FollowerName[]): Promise<readonly FollowerName[]> {
  // The order forces an index scan. PostgreSQL may plan `exists` as a scan of the whole table.
  return tx.anyFirst(sql.type(Name)`
    select f.name from change_followers f where f.name = any(${sql.array(names, 'text')}) and (
      select c.id from changes c
      where (c.era, c.xact, c.id) > (f.era, f.xact, f.id) and (c.era, c.xact) < (change_era(), pg_snapshot_xmin(pg_current_snapshot()))
      order by c.era, c.xact, c.id limit 1
    ) is not null`);
}

/** The follower's position, locked until the transaction ends. Null if another process holds it. */
export function holdPlace(tx: Tx, name: FollowerName): Promise<Cursor | null> {
  return tx.maybeOne(sql.type(Cursor)`
    select era::text, xact::text, id::text from change_followers where name = ${name} for update skip locked`);
}

export async function movePlace(tx: Tx, name: FollowerName, { era, xact, id }: Cursor): Promise<void> {
  await tx.query(sql.unsafe`
    update change_followers set era = ${era}::integer, xact = ${xact}::xid8, id = ${id}::bigint where name = ${name}`);
}
