/** Streams bytes into PostgreSQL and out of it, one chunk in memory at a time (behaviour §35.1). Independent of items and notes: code that
 *  stores a reference to a blob calls `keepBlob` in the same transaction. The job `prune` deletes blobs that are not kept. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '../database/db.ts';
import { InvalidRequest, Unavailable } from '../values/errors.ts';
import { appendChunk, type BlobRef, beginBlob, deleteBlob, endBlob, readChunk, readUsage } from './blobQueries.ts';

export type { BlobRef } from './blobQueries.ts';
export { deleteBlob, keepBlob } from './blobQueries.ts';

/** Readers compute the place of a byte from it: blobs written with another size would be unreadable. */
export const CHUNK_BYTES = 256 * 1024;

interface StoredBlob extends BlobRef {
  size: number;
  sha256: Buffer;
}

export interface BlobLimits {
  accountId: number;
  mostBytes: number;
  /** Limit for all blobs of the account together. */
  quotaBytes: number;
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en')} MiB`;

const tooLarge = (mostBytes: number) => new InvalidRequest(['file'], `choose a file of at most ${mebibytes(mostBytes)}.`);

/** Reads the source only as fast as PostgreSQL stores it. Deletes the stored chunks if the source or a limit fails. Throws InvalidRequest. */
export async function writeBlob(db: Db, source: AsyncIterable<Uint8Array>, limits: BlobLimits): Promise<StoredBlob> {
  const { accountId, mostBytes, quotaBytes } = limits;
  const tx = db.pool();
  const blob = { accountId, id: await beginBlob(tx, accountId) };
  try {
    const hash = createHash('sha256');
    let [size, n] = [0, 0];
    for await (const chunk of chunksOf(source)) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge(mostBytes);
      hash.update(chunk);
      if (!(await appendChunk(tx, blob, n++, chunk, quotaBytes))) throw await whyRefused(tx, blob, quotaBytes);
    }
    const sha256 = hash.digest();
    if (!(await endBlob(tx, blob, sha256))) throw interrupted();
    return { ...blob, size, sha256 };
  } catch (error) {
    // If this fails too, the prune job deletes it.
    await deleteBlob(tx, blob).catch(() => {});
    throw error;
  }
}

const interrupted = () => new Unavailable('The upload was interrupted. Send the file again.');

async function whyRefused(tx: Tx, blob: BlobRef, quotaBytes: number): Promise<Error> {
  const { used, exists } = await readUsage(tx, blob);
  return exists ? overQuota(used, quotaBytes) : interrupted();
}

const overQuota = (used: number, quotaBytes: number) =>
  new InvalidRequest(
    ['file'],
    `the files of this account use ${mebibytes(used)} of ${mebibytes(quotaBytes)}; remove some files, then try again.`,
  );

/** For bytes that this transaction has stored: simultaneous ones of the account wait for it from then on. Throws InvalidRequest. */
export async function requireWithinQuota(tx: Tx, blob: BlobRef & { size: number }, quotaBytes: number): Promise<void> {
  const { used } = await readUsage(tx, blob);
  if (used > quotaBytes) throw overQuota(used - blob.size, quotaBytes);
}

async function* chunksOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    for (let start = 0; start < piece.length; ) {
      const part = piece.subarray(start, start + CHUNK_BYTES - length);
      held.push(part);
      length += part.length;
      start += part.length;
      if (length < CHUNK_BYTES) continue;
      yield Buffer.concat(held);
      [held, length] = [[], 0];
    }
  }
  if (length > 0) yield Buffer.concat(held);
}

/** The bytes `start` to `end`, both included. Default: all. Reads a chunk when the previous one was taken. `check` runs before each chunk:
 *  it throws if the reader has lost access. */
export async function* readBlob(
  tx: Tx,
  blob: BlobRef & { size: number },
  { start = 0, end = blob.size - 1, check }: { start?: number; end?: number; check?: () => Promise<unknown> } = {},
): AsyncGenerator<Buffer> {
  for (let at = start; at <= end; ) {
    await check?.();
    const n = Math.floor(at / CHUNK_BYTES);
    const bytes = await readChunk(tx, blob, n);
    if (!bytes) throw new Error(`Chunk ${n} of blob ${blob.id} is missing.`);
    const from = n * CHUNK_BYTES;
    yield bytes.subarray(at - from, end + 1 - from);
    at = from + CHUNK_BYTES;
  }
}
