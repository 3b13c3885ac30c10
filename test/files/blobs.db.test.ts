/** The store of bytes: limits, quota and broken uploads (behaviour §35.1, §35.2). */
import { createHash, randomBytes } from 'node:crypto';
import { type BlobLimits, CHUNK_BYTES, deleteBlob, keepBlob, readBlob, writeBlob } from '../../src/files/blobs.ts';
import { lanes } from '../../workers/tasks.ts';
import { suite } from '../support/suite.ts';
import { contextOf } from '../support/tasks.ts';
import { timeWorld } from '../support/timeWorld.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const MIB = 1024 * 1024;

const limitsOf = async (given: Partial<BlobLimits> = {}): Promise<BlobLimits> => ({
  accountId: (await world.team()).accountId,
  mostBytes: 25 * MIB,
  quotaBytes: 2_048 * MIB,
  ...given,
});

const inPieces = async function* (bytes: Buffer, length = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
const blobsOf = (accountId: number) => world.value('select count(*)::int from blobs where account_id = $1', [accountId]);
const usedBy = (accountId: number) => world.value('select bytes from blob_usage where account_id = $1', [accountId]);
const chunksOf = (accountId: number) => world.value('select count(*)::int from blob_chunks where account_id = $1', [accountId]);

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

test('reads return the written bytes, whole and by range, for pieces of any length', async (t) => {
  const limits = await limitsOf();
  for (const [size, piece] of [
    [0, 1],
    [1, 1],
    [CHUNK_BYTES, 1_000],
    [CHUNK_BYTES + 1, CHUNK_BYTES * 2],
    [3 * CHUNK_BYTES - 1, 65_536],
  ] as const) {
    const bytes = randomBytes(size);
    const blob = await writeBlob(world.db, inPieces(bytes, piece), limits);
    t.is(blob.size, size);
    t.deepEqual(blob.sha256, createHash('sha256').update(bytes).digest());
    t.true((await bytesOf(readBlob(world.db.pool(), blob))).equals(bytes));
    for (const [start, end] of [
      [0, 0],
      [1, CHUNK_BYTES],
      [CHUNK_BYTES - 1, CHUNK_BYTES],
      [size - 1, size - 1],
    ] as const) {
      if (start < 0 || end >= size) continue;
      t.true((await bytesOf(readBlob(world.db.pool(), blob, { start, end }))).equals(bytes.subarray(start, end + 1)), `${start}-${end}`);
    }
  }
});

test('an upload is never more than a chunk and a piece ahead of what is stored', async (t) => {
  const limits = await limitsOf();
  const piece = Buffer.alloc(64 * 1024);
  let [sent, ahead] = [0, 0];
  async function* source() {
    for (let n = 0; n < 100; n++) {
      ahead = Math.max(ahead, sent - (await usedBy(limits.accountId)));
      sent += piece.length;
      yield piece;
    }
  }
  await writeBlob(world.db, source(), limits);
  t.is(sent, 100 * piece.length);
  t.true(ahead <= CHUNK_BYTES + piece.length, `${ahead} bytes ahead`);
});

test('a download reads the next chunk only when the previous one was taken, and stops when the reader loses access', async (t) => {
  const blob = await writeBlob(world.db, inPieces(randomBytes(4 * CHUNK_BYTES)), await limitsOf());
  let checks = 0;
  const stream = readBlob(world.db.pool(), blob, {
    async check() {
      if (++checks > 2) throw new Error('revoked');
    },
  });
  await stream.next();
  t.is(checks, 1);
  await stream.next();
  await t.throwsAsync(() => stream.next(), { message: 'revoked' });
});

test('the limit is exact: one byte more is refused and leaves nothing', async (t) => {
  const limits = await limitsOf({ mostBytes: MIB });
  const exact = await writeBlob(world.db, inPieces(Buffer.alloc(MIB)), limits);
  await deleteBlob(world.db.pool(), exact);
  const error = await t.throwsAsync(() => writeBlob(world.db, inPieces(Buffer.alloc(MIB + 1)), limits));
  t.regex(error!.message, /at most 1 MiB/);
  t.deepEqual([await blobsOf(limits.accountId), await usedBy(limits.accountId), await chunksOf(limits.accountId)], [0, 0, 0]);
});

test('simultaneous uploads never exceed the quota of the account together', async (t) => {
  const limits = await limitsOf({ quotaBytes: 4 * MIB });
  const uploads = await Promise.allSettled(Array.from({ length: 8 }, () => writeBlob(world.db, inPieces(randomBytes(MIB)), limits)));
  const stored = uploads.filter(({ status }) => status === 'fulfilled');
  for (const upload of uploads) if (upload.status === 'rejected') t.regex(String(upload.reason), /use \d+ MiB of 4 MiB; remove some files/);
  t.true(stored.length <= 4);
  t.is(await usedBy(limits.accountId), stored.length * MIB);
  t.is(await chunksOf(limits.accountId), stored.length * 4);
  // Other accounts are not affected, and the space of refused uploads is free again.
  await writeBlob(world.db, inPieces(randomBytes(MIB)), await limitsOf({ quotaBytes: MIB }));
  for (let free = 4 - stored.length; free > 0; free--) await writeBlob(world.db, inPieces(randomBytes(MIB)), limits);
  await t.throwsAsync(() => writeBlob(world.db, inPieces(Buffer.alloc(1)), limits));
});

test('an upload that breaks off halfway leaves nothing', async (t) => {
  const limits = await limitsOf();
  async function* broken() {
    yield randomBytes(2 * CHUNK_BYTES);
    t.is(await blobsOf(limits.accountId), 1);
    throw new Error('connection lost');
  }
  await t.throwsAsync(() => writeBlob(world.db, broken(), limits), { message: 'connection lost' });
  t.deepEqual([await blobsOf(limits.accountId), await usedBy(limits.accountId)], [0, 0]);
});

test('the prune job removes unfinished and unused blobs after a crash, and an upload whose blob was removed fails', async (t) => {
  const limits = await limitsOf();
  const used = await writeBlob(world.db, inPieces(randomBytes(10)), limits);
  t.true(await keepBlob(world.db.pool(), used));
  const unused = await writeBlob(world.db, inPieces(randomBytes(10)), limits);
  const { accountId } = limits;
  const prune = async () => {
    await world.rows(`update blobs set touched_at = now() - interval '2 hours' where account_id = $1`, [accountId]);
    await lanes.prompt.prune({ due: '2026-03-02T00:00:00Z' }, contextOf(world));
  };
  async function* slow() {
    yield randomBytes(CHUNK_BYTES);
    await prune();
    yield randomBytes(CHUNK_BYTES);
  }
  const error = await t.throwsAsync(() => writeBlob(world.db, slow(), limits));
  t.regex(error!.message, /interrupted\. Send the file again/);
  t.deepEqual(await world.rows('select id from blobs where account_id = $1', [accountId]), [{ id: used.id }]);
  t.deepEqual([await usedBy(accountId), await chunksOf(accountId)], [10, 1]);
  t.false(await keepBlob(world.db.pool(), unused));
});

test('an unfinished blob can neither be read nor kept', async (t) => {
  const limits = await limitsOf();
  async function* source() {
    yield randomBytes(CHUNK_BYTES);
    const id = await world.value('select id from blobs where account_id = $1', [limits.accountId]);
    const blob = { accountId: limits.accountId, id, size: CHUNK_BYTES };
    t.false(await keepBlob(world.db.pool(), blob));
    await t.throwsAsync(() => readBlob(world.db.pool(), blob).next());
  }
  await writeBlob(world.db, source(), limits);
});

test("an account cannot read, keep or delete another account's blob", async (t) => {
  const blob = await writeBlob(world.db, inPieces(randomBytes(10)), await limitsOf());
  const foreign = { ...blob, accountId: (await limitsOf()).accountId };
  t.false(await keepBlob(world.db.pool(), foreign));
  await deleteBlob(world.db.pool(), foreign);
  await t.throwsAsync(() => readBlob(world.db.pool(), foreign).next());
  t.is((await bytesOf(readBlob(world.db.pool(), blob))).length, 10);
});
