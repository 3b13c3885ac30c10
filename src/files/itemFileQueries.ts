/** SQL of the files of items (behaviour §35.3). A file is readable for those who can read its item now. */
import { z } from 'zod';
import { heldItem, visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { bits, COMMENTS_WRITE, holds, type ItemType, itemTypes, resourceOf } from '../access/rights.ts';
import { type Fragment, fixedSql, instantText, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { DAILY, inTurn } from '../queue/turnQueries.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import type { BlobRef } from './blobQueries.ts';

const states = ['scanning', 'ready', 'refused'] as const;

/** A file as its item's page shows it. Removed ones are lines of the history. */
export const ItemFile = z.object({
  id: z.number(),
  name: z.string(),
  size: z.number(),
  type: z.string(),
  state: z.enum(states),
  thumbnail: z.boolean(),
  at: z.string(),
  by: z.object({ id: z.number(), name: z.string() }),
  removed: z.object({ at: z.string(), name: z.string() }).nullable(),
});
export type ItemFile = z.infer<typeof ItemFile>;

const MOST_LISTED = 200;

/** JSON of ItemFiles for a statement with `access` and the visible item `i`, oldest first. Only the uploader sees a refused file. */
export const itemFilesJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'type', f.type, 'state', f.state,
    'thumbnail', exists (select from file_thumbnails t where t.blob_id = f.blob_id), 'at', ${fixedSql(instantText('f.added_at'))},
    'by', json_build_object('id', u.id, 'name', u.name),
    'removed', case when f.removed_at is not null then json_build_object('at', ${fixedSql(instantText('f.removed_at'))}, 'name', r.name) end)
    order by f.id), '[]')
  from (select * from item_files f where f.item_id = i.id and (f.state <> 'refused' or f.added_by = access.user_id)
    order by f.removed_at is not null, f.id desc limit ${MOST_LISTED}) f
  cross join lateral (select * from users u where u.id = f.added_by limit 1) u
  left join lateral (select * from users r where r.id = f.removed_by limit 1) r on true)`;

const Target = AccessRow.extend({ item_type: z.enum(itemTypes).nullable(), files: z.number() });

export interface FilesPermit extends Permit {
  itemType: ItemType;
  /** Files of the item, without removed and refused ones. */
  files: number;
}

const current = fixedSql(`removed_at is null and state <> 'refused'`);

/** Throws Unauthenticated; Forbidden if the item is not visible. */
export async function readFilesPermit(tx: Tx, caller: Caller, workspaceId: number, itemId: number): Promise<FilesPermit> {
  const row = await tx.maybeOne(sql.type(Target)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select i.type from items i where i.id = ${itemId} and ${visibleById}) as item_type,
      (select count(*) from item_files where item_id = ${itemId} and ${current}) as files
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.item_type === null) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), itemType: row.item_type, files: row.files };
}

/** Users who may write the item, or comment on it. */
export const mayAdd = ({ rights, contextRights, itemType }: FilesPermit): boolean =>
  holds(rights, bits(resourceOf(itemType), 'write')) || holds(contextRights, COMMENTS_WRITE);

/** Simultaneous uploads to one item wait here, so that they can't exceed the limit together. */
export async function lockItem(tx: Tx, itemId: number): Promise<void> {
  await tx.query(sql.unsafe`select from items where id = ${itemId} for no key update`);
}

const Head = z.object({ size: z.number(), head: z.instanceof(Buffer).nullable() });

/** The size of a complete blob and its first bytes. */
export function readHead(tx: Tx, { accountId, id }: BlobRef): Promise<z.infer<typeof Head> | null> {
  return tx.maybeOne(sql.type(Head)`
    select b.size, substring(c.bytes from 1 for 32) as head
    from blobs b left join blob_chunks c on c.account_id = b.account_id and c.blob_id = b.id and c.n = 0
    where b.account_id = ${accountId} and b.id = ${id} and b.sha256 is not null`);
}

const Added = z.object({ id: z.number() });

interface NewRow {
  itemId: number;
  blobId: number;
  name: string;
  size: number;
  type: string;
  state: 'scanning' | 'ready';
}

/** Checks the rights again. Throws Forbidden. */
export async function insertItemFile(tx: Tx, permit: FilesPermit, row: NewRow): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Added)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    insert into item_files (account_id, workspace_id, item_id, blob_id, name, size, type, state, added_by)
    select access.account_id, access.workspace_id, i.id, ${row.blobId}, ${row.name}, ${row.size}, ${row.type}, ${row.state}, access.user_id
    from access join items i on i.id = ${row.itemId} and ${visibleById}
    where ${mayAddIn(permit.itemType)} returning id`);
  if (id === null) throw new Forbidden();
  return id;
}

export interface Thumbnail {
  type: string;
  bytes: Buffer;
}

export async function insertThumbnail(tx: Tx, { accountId, id }: BlobRef, { type, bytes }: Thumbnail): Promise<void> {
  await tx.query(sql.unsafe`
    insert into file_thumbnails (account_id, blob_id, type, bytes) values (${accountId}, ${id}, ${type}, ${sql.binary(bytes)})`);
}

/** The workspace of a file, inside `accessTo`. */
const workspaceOf = (fileId: number) => sql.fragment`(select workspace_id from item_files where id = ${fileId})`;

const Opened = z.object({
  accountId: z.number(),
  itemId: z.number(),
  blobId: z.number(),
  name: z.string(),
  size: z.number(),
  type: z.string(),
  tag: z.string(),
});
export type OpenedFile = z.infer<typeof Opened>;

const OpenedRow = z.object({ file: Opened.nullable() });

/** Throws Unauthenticated, and the same Forbidden for files that are absent, hidden, removed, or not found clean. */
export async function readOpenedFile(tx: Tx, caller: Caller, fileId: number): Promise<OpenedFile> {
  const row = await tx.maybeOne(sql.type(OpenedRow)`
    with ${accessTo(caller, workspaceOf(fileId))}
    select (
      select json_build_object('accountId', f.account_id, 'itemId', i.id, 'blobId', b.id, 'name', f.name, 'size', f.size, 'type', f.type,
        'tag', encode(b.sha256, 'hex'))
      from item_files f join items i on i.id = f.item_id and ${visibleById}
      join blobs b on b.account_id = f.account_id and b.id = f.blob_id
      where f.id = ${fileId} and f.state = 'ready' and f.removed_at is null) as file
    from access`);
  if (!row) throw new CredentialRefused();
  if (!row.file) throw new Forbidden();
  return row.file;
}

const StoredThumbnail = z.object({ type: z.string(), bytes: z.instanceof(Buffer) });

export function readThumbnail(tx: Tx, blobId: number): Promise<Thumbnail | null> {
  return tx.maybeOne(sql.type(StoredThumbnail)`select type, bytes from file_thumbnails where blob_id = ${blobId}`);
}

const Stored = AccessRow.extend({
  item: z.number().nullable(),
  item_type: z.enum(itemTypes).nullable(),
  own: z.boolean(),
  name: z.string(),
  blob: z.number().nullable(),
  state: z.enum(states),
  removed: z.boolean(),
  files: z.number(),
});

export interface StoredFilePermit extends FilesPermit {
  fileId: number;
  itemId: number;
  name: string;
  blobId: number | null;
  state: ItemFile['state'];
  removed: boolean;
  /** Added by the caller. */
  own: boolean;
}

/** A file with the rights to change it; also a removed one. Throws Unauthenticated; Forbidden if its item is not visible. */
export async function readFilePermit(tx: Tx, caller: Caller, fileId: number): Promise<StoredFilePermit> {
  const row = await tx.maybeOne(sql.type(Stored)`
    with ${accessTo(caller, workspaceOf(fileId))}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      i.id as item, i.type as item_type, coalesce(f.added_by = access.user_id, false) as own, coalesce(f.name, '') as name, f.blob_id as blob,
      coalesce(f.state, 'ready') as state, f.removed_at is not null as removed,
      (select count(*) from item_files where item_id = i.id and ${current}) as files
    from access left join item_files f on f.id = ${fileId} left join items i on i.id = f.item_id and ${visibleById}`);
  if (!row) throw new CredentialRefused();
  const { workspace_id, item, item_type, files, name, blob, state, removed, own } = row;
  if (workspace_id === null || item === null || item_type === null) throw new Forbidden();
  return {
    ...permitOf(caller, row, workspace_id),
    itemType: item_type,
    files,
    fileId,
    itemId: item,
    name,
    blobId: blob,
    state,
    removed,
    own,
  };
}

/** True if these rights may add files: write of the item, or comments. */
const mayAddIn = (type: ItemType): Fragment => {
  const needed = bits(resourceOf(type), 'write');
  return sql.fragment`(access.rights & ${needed} = ${needed} or access.context_rights & ${COMMENTS_WRITE} = ${COMMENTS_WRITE})`;
};

/** CTEs for `allowed` with the file, if the caller may still change it. */
function allowed({ caller, workspaceId, itemId, itemType, fileId }: StoredFilePermit): Fragment {
  const needed = bits(resourceOf(itemType), 'write');
  return sql.fragment`${accessTo(caller, workspaceId)}, ${heldItem(itemId)},
    allowed as (
      select f.id, access.user_id from access, held join item_files f on f.id = ${fileId} and f.item_id = held.id
      where ${mayAddIn(itemType)} and (f.added_by = access.user_id or access.rights & ${needed} = ${needed})
    )`;
}

const Changed = z.object({ id: z.number() });
const requireChanged = (id: number | null): void => {
  if (id === null) throw new Forbidden();
};

/** The bytes stay for an hour: until then the file can be restored (workers/pruneQueries.ts). Checks the rights again. */
export async function setRemoved(tx: Tx, permit: StoredFilePermit): Promise<void> {
  requireChanged(
    await tx.maybeOneFirst(sql.type(Changed)`
      with ${allowed(permit)},
      removed as (
        update item_files f set removed_at = coalesce(f.removed_at, now()), removed_by = coalesce(f.removed_by, a.user_id)
        from allowed a where f.id = a.id returning f.id, f.account_id, f.blob_id
      ), unkept as (
        update blobs b set kept = false, touched_at = now() from removed r where b.account_id = r.account_id and b.id = r.blob_id and b.kept
      )
      select id from removed`),
  );
}

/** Checks the rights again. */
export async function setRestored(tx: Tx, permit: StoredFilePermit): Promise<void> {
  requireChanged(
    await tx.maybeOneFirst(sql.type(Changed)`
      with ${allowed(permit)}
      update item_files f set removed_at = null, removed_by = null from allowed a where f.id = a.id returning f.id`),
  );
}

/** Checks the rights again. */
export async function deleteItemFile(tx: Tx, permit: StoredFilePermit): Promise<void> {
  requireChanged(
    await tx.maybeOneFirst(
      sql.type(Changed)`with ${allowed(permit)} delete from item_files f using allowed a where f.id = a.id returning f.id`,
    ),
  );
}

const Scanned = z.object({
  accountId: z.number(),
  blobId: z.number(),
  size: z.number(),
  thumbnail: z.instanceof(Buffer).nullable(),
});

const Turn = z.object({ priority: z.number() });

/** The priority of a file's scan, by how many files of the same person, in all workspaces, wait for theirs before it. */
export const scanTurn = (tx: Tx, fileId: number): Promise<number> =>
  tx.oneFirst(sql.type(Turn)`
    select ${inTurn(sql.fragment`count(b.id)`)} as priority from item_files f left join lateral (
      select b.id from item_files b where b.added_by = f.added_by and b.state = 'scanning' and b.id < f.id order by b.id limit ${DAILY}
    ) b on true where f.id = ${fileId}`);

/** A file that waits for its scan, else null. */
export function readUnscanned(tx: Tx, fileId: number): Promise<z.infer<typeof Scanned> | null> {
  return tx.maybeOne(sql.type(Scanned)`
    select b.account_id as "accountId", b.id as "blobId", b.size, t.bytes as thumbnail
    from item_files f join blobs b on b.id = f.blob_id left join file_thumbnails t on t.blob_id = b.id
    where f.id = ${fileId} and f.state = 'scanning'`);
}

/** Deletes the bytes of a refused file. */
export async function setScanned(tx: Tx, fileId: number, state: 'ready' | 'refused'): Promise<void> {
  await tx.query(sql.unsafe`
    with scanned as (
      update item_files set state = ${state} where id = ${fileId} and state = 'scanning' returning account_id, blob_id
    )
    delete from blobs b using scanned s where ${state === 'refused'} and b.account_id = s.account_id and b.id = s.blob_id`);
}
