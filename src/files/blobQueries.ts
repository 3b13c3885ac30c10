/** SQL of blobs: the bytes of files in chunks (behaviour §35.1). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

const Id = z.object({ id: z.number() });
const Stored = z.object({ n: z.number() });

export function beginBlob(tx: Tx, accountId: number): Promise<number> {
  return tx.oneFirst(sql.type(Id)`insert into blobs (account_id) values (${accountId}) returning id`);
}

export interface BlobRef {
  accountId: number;
  id: number;
}

/** False if the account's files would exceed the quota, or if the blob was deleted. */
export async function appendChunk(tx: Tx, { accountId, id }: BlobRef, n: number, bytes: Buffer, quotaBytes: number): Promise<boolean> {
  const stored = await tx.maybeOneFirst(sql.type(Stored)`
    with room as (
      select from blob_usage where account_id = ${accountId} and bytes + ${bytes.length} <= ${quotaBytes} for update
    ), grown as (
      update blobs set size = size + ${bytes.length}, touched_at = now()
      where account_id = ${accountId} and id = ${id} and sha256 is null and exists (select from room) returning account_id, id
    )
    insert into blob_chunks (account_id, blob_id, n, bytes) select account_id, id, ${n}, ${sql.binary(bytes)} from grown returning n`);
  return stored !== null;
}

const Usage = z.object({ used: z.number(), exists: z.boolean() });

export function readUsage(tx: Tx, { accountId, id }: BlobRef): Promise<z.infer<typeof Usage>> {
  return tx.one(sql.type(Usage)`
    select coalesce((select bytes from blob_usage where account_id = ${accountId}), 0) as used,
      exists (select from blobs where account_id = ${accountId} and id = ${id}) as exists`);
}

/** False if the blob was deleted. */
export async function endBlob(tx: Tx, { accountId, id }: BlobRef, sha256: Buffer): Promise<boolean> {
  const ended = await tx.maybeOneFirst(sql.type(Id)`
    update blobs set sha256 = ${sql.binary(sha256)}, touched_at = now()
    where account_id = ${accountId} and id = ${id} and sha256 is null returning id`);
  return ended !== null;
}

/** Marks a complete blob as in use, in the transaction of the row that refers to it. False if it is incomplete or was deleted. */
export async function keepBlob(tx: Tx, { accountId, id }: BlobRef): Promise<boolean> {
  const kept = await tx.maybeOneFirst(sql.type(Id)`
    update blobs set kept = true where account_id = ${accountId} and id = ${id} and sha256 is not null returning id`);
  return kept !== null;
}

export async function deleteBlob(tx: Tx, { accountId, id }: BlobRef): Promise<void> {
  await tx.query(sql.unsafe`delete from blobs where account_id = ${accountId} and id = ${id}`);
}

const Chunk = z.object({ bytes: z.instanceof(Buffer) });

export function readChunk(tx: Tx, { accountId, id }: BlobRef, n: number): Promise<Buffer | null> {
  return tx.maybeOneFirst(sql.type(Chunk)`
    select c.bytes from blob_chunks c join blobs b on b.account_id = c.account_id and b.id = c.blob_id and b.sha256 is not null
    where c.account_id = ${accountId} and c.blob_id = ${id} and c.n = ${n}`);
}
