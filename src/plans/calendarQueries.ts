import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { ofBlocks, type TimeWindow } from './myTimeQueries.ts';
import { BlockRow } from './schema.ts';

const Feed = z.object({ createdAt: z.string(), lastUsedAt: z.string().nullable() });
export type CalendarFeed = z.infer<typeof Feed>;

interface Owner {
  accountId: number;
  userId: number;
}

export const readFeed = (tx: Tx, { accountId, userId }: Owner): Promise<CalendarFeed | null> =>
  tx.maybeOne(sql.type(Feed)`
    select ${fixedSql(instantText('created_at'))} as "createdAt", ${fixedSql(instantText('last_used_at'))} as "lastUsedAt"
    from calendar_feeds where account_id = ${accountId} and user_id = ${userId}`);

export async function putFeed(tx: Tx, { accountId, userId }: Owner, tokenHash: Buffer): Promise<void> {
  await tx.query(sql.unsafe`
    insert into calendar_feeds (account_id, user_id, token_hash) values (${accountId}, ${userId}, ${sql.binary(tokenHash)})
    on conflict (account_id, user_id) do update set token_hash = excluded.token_hash, created_at = now(), last_used_at = null`);
}

export async function deleteFeed(tx: Tx, { accountId, userId }: Owner): Promise<void> {
  await tx.query(sql.unsafe`delete from calendar_feeds where account_id = ${accountId} and user_id = ${userId}`);
}

const Found = z.object({ userId: z.number() });

/** Returns the active user of a feed, and stores its last use at most once an hour. */
export const useFeed = (tx: Tx, tokenHash: Buffer): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(Found)`
    with found as (
      select f.account_id, f.user_id, f.last_used_at from calendar_feeds f join users u on u.id = f.user_id and u.active
      where f.token_hash = ${sql.binary(tokenHash)}),
    used as (
      update calendar_feeds f set last_used_at = now() from found
      where f.account_id = found.account_id and f.user_id = found.user_id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 hour'))
    select user_id as "userId" from found`);

/** The next of the caller's blocks in this period before `before`, without cancelled ones, the latest first. */
export const readShownBlocks = (
  tx: Tx,
  caller: Caller,
  window: Pick<TimeWindow, 'starts' | 'ends'>,
  { before, limit }: { before: { startsAt: string; id: number } | undefined; limit: number },
): Promise<readonly BlockRow[]> =>
  tx.any(sql.type(BlockRow)`
    with ${accessToAll(caller)}
    ${ofBlocks(window)} and b.state <> 'cancelled'
      ${before ? sql.fragment`and b.starts_at <= ${before.startsAt}::timestamptz and (b.starts_at, b.id) < (${before.startsAt}::timestamptz, ${before.id})` : sql.fragment``}
    order by b.starts_at desc, b.id desc limit ${limit}`);
