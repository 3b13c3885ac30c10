/** SQL that reads changes without checking rights: for workers, which check them before they notify anyone, and for the operator. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { AccessRow, accessTo } from '../access/queries.ts';
import { vias } from '../access/via.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Cursor } from './cursor.ts';
import { ChangedFields, changeKinds } from './schema.ts';

/** Rows `c` after the cursor and before all running transactions, so no row can appear before them later. */
export const settledAfter = ({ era, xact, id }: Cursor): Fragment => sql.fragment`
  (c.era, c.xact, c.id) > (${era}::integer, ${xact}::xid8, ${id}::bigint)
  and (c.era, c.xact) < (change_era(), pg_snapshot_xmin(pg_current_snapshot()))`;

const inOrder = fixedSql('c.era, c.xact, c.id');

/** The column is in the comparison and in the order, so that a generic plan uses the matching index. */
export const settledIn = (place: 'workspace_id' | 'item_id', value: Fragment, { era, xact, id }: Cursor): Fragment => sql.fragment`
  (${columnOf[place]}, c.era, c.xact, c.id) > (${value}, ${era}::integer, ${xact}::xid8, ${id}::bigint)
  and (${columnOf[place]}, c.era, c.xact) < (${value}, change_era(), pg_snapshot_xmin(pg_current_snapshot()))`;

const columnOf = { workspace_id: fixedSql('c.workspace_id'), item_id: fixedSql('c.item_id') };

export const inOrderIn = {
  workspace_id: fixedSql('c.workspace_id, c.era, c.xact, c.id'),
  item_id: fixedSql('c.item_id, c.era, c.xact, c.id'),
};

export const placeJson = fixedSql(`json_build_object('era', c.era::text, 'xact', c.xact::text, 'id', c.id::text)`);
export const changedAtText = fixedSql(instantText('c.at'));

const Row = z.object({
  place: Cursor,
  id: z.number(),
  accountId: z.number(),
  workspaceId: z.number(),
  itemId: z.number(),
  at: z.string(),
  actorId: z.number(),
  via: z.enum(vias),
  credentialId: z.number().nullable(),
  credentialName: z.string().nullable(),
  kind: z.enum(changeKinds),
  version: z.number(),
  commentId: z.number().nullable(),
  fields: ChangedFields,
});
export type ChangeRow = z.infer<typeof Row>;

/** At most `limit` changes of all workspaces, oldest first. Continuing from the last `place` skips no change, in whatever order
 *  transactions commit. */
export function readAllChanges(tx: Tx, after: Cursor, limit: number): Promise<readonly ChangeRow[]> {
  return tx.any(sql.type(Row)`
    select ${placeJson} as place, c.id, c.account_id as "accountId", c.workspace_id as "workspaceId", c.item_id as "itemId", ${changedAtText} as at,
      c.actor_id as "actorId", c.via, c.credential_id as "credentialId", c.credential_name as "credentialName", c.kind, c.version,
      c.comment_id as "commentId", c.fields
    from changes c where ${settledAfter(after)} order by ${inOrder} limit ${limit}`);
}

/** Positions of the followers of all changes (behaviour §16.9). */
const Name = z.object({ name: z.enum(['webhooks', 'notifications', 'live']) });
export type FollowerName = z.infer<typeof Name>['name'];

/** Followers with unread changes. One index lookup for each, without a lock. */
export function followersWithChanges(tx: Tx, names: readonly FollowerName[]): Promise<readonly FollowerName[]> {
  // The order forces an index scan. PostgreSQL may plan `exists` as a scan of the whole table.
  return tx.anyFirst(sql.type(Name)`
    select f.name from change_followers f where f.name = any(${sql.array(names, 'text')}) and (
      select c.id from changes c
      where (c.era, c.xact, c.id) > (f.era, f.xact, f.id) and (c.era, c.xact) < (change_era(), pg_snapshot_xmin(pg_current_snapshot()))
      order by c.era, c.xact, c.id limit 1
    ) is not null`);
}

/** The follower's position, locked until the transaction ends. Null if another process holds it. */
export function lockPosition(tx: Tx, name: FollowerName): Promise<Cursor | null> {
  return tx.maybeOne(sql.type(Cursor)`
    select era::text, xact::text, id::text from change_followers where name = ${name} for update skip locked`);
}

export async function storePosition(tx: Tx, name: FollowerName, { era, xact, id }: Cursor): Promise<void> {
  await tx.query(sql.unsafe`
    update change_followers set era = ${era}::integer, xact = ${xact}::xid8, id = ${id}::bigint where name = ${name}`);
}

/** SQL condition for a statement with `access`: the item has left this workspace at some time, and the caller may read that, by the rights
 *  that its readers needed then. */
export const hasDeparted = (itemId: Fragment): Fragment => sql.fragment`exists (
    select from changes l where l.item_id = ${itemId} and l.workspace_id = access.workspace_id
      and l.left_needs is not null and access.rights & l.left_needs = l.left_needs)`;

/** SQL about one commit: its changes, for undo (behaviour §23.3), and its transaction. */
export const UNDO_HOURS = 24;

const CommitRow = z.object({
  itemId: z.number(),
  version: z.number(),
  kind: z.enum(changeKinds),
  fields: ChangedFields,
  /** False if the item has moved to another workspace since. */
  here: z.boolean(),
  /** The caller may read that it left this workspace (behaviour §42.5). */
  departed: z.boolean(),
});
export type CommitRow = z.infer<typeof CommitRow>;

const Found = AccessRow.extend({ rows: z.array(CommitRow).nullable(), recent: z.boolean().nullable() });

interface CommitWanted {
  workspaceId: number;
  itemId: number;
  version: number;
}

/** CTE `made`, for a statement with `access`: the place of the caller's commit on a page that gave this item this version. */
export const ownCommit = ({ itemId, version }: CommitWanted): Fragment => sql.fragment`
    made as materialized (
      select c.era, c.xact, c.at > now() - ${UNDO_HOURS} * interval '1 hour' as recent from changes c, access
      where c.item_id = ${itemId} and c.version = ${version} and c.comment_id is null and c.workspace_id = access.workspace_id
        and c.actor_id = access.user_id and c.via = 'page'
      limit 1
    )`;

/** For a statement with the CTE `made`: the changes `c` of that commit, without comments. Changes move with their items, so they may be in
 *  another workspace. */
export const commitRows = sql.fragment`made join changes c on (c.era, c.xact) = (made.era, made.xact) and c.comment_id is null and c.left_needs is null`;

/** The caller's changes on a page in this commit, without comments. Throws Unauthenticated, and Forbidden without such a commit. */
export async function readCommit(tx: Tx, caller: Caller, wanted: CommitWanted) {
  const { workspaceId } = wanted;
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}, ${ownCommit(wanted)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select recent from made) as recent,
      (select json_agg(json_build_object('itemId', c.item_id, 'version', c.version, 'kind', c.kind, 'fields', c.fields,
          'here', c.workspace_id = access.workspace_id, 'departed', ${hasDeparted(fixedSql('c.item_id'))}) order by c.item_id)
        from ${commitRows}) as rows
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !row.rows) throw new Forbidden();
  return { rows: row.rows, recent: row.recent === true };
}

const Closing = z.object({ itemId: z.number(), fields: ChangedFields });

/** Fields of each item's latest change to done. Leaves out items without one, such as imported items. */
export async function readClosings(tx: Tx, itemIds: readonly number[]): Promise<Map<number, ChangedFields>> {
  const rows = await tx.any(sql.type(Closing)`
    select i.id as "itemId", c.fields from unnest(${sql.array([...itemIds], 'int8')}) i (id)
    cross join lateral (select fields from changes where item_id = i.id and fields -> 'status' ->> 1 = 'done' order by version desc limit 1) c`);
  return new Map(rows.map(({ itemId, fields }) => [itemId, fields]));
}

const Own = z.object({ cursor: Cursor });

export const ownTransaction = (tx: Tx): Promise<Cursor> =>
  tx.oneFirst(sql.type(Own)`select json_build_object('era', change_era()::text, 'xact', pg_current_xact_id()::text, 'id', '0') as cursor`);
