/** Scans a new file with the operator's command or URL. Until it is found clean, it can't be read (behaviour §35.9). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import type { Db } from '../database/db.ts';
import { readBlob } from './blobs.ts';
import { readUnscanned, setScanned } from './itemFileQueries.ts';

const LONGEST_MS = 5 * 60_000;

type Scanner = NonNullable<Config['fileScan']>;

/** Does nothing if the file was scanned before. Throws if the scanner fails; the job then runs again. */
export async function scanFile(db: Db, scanner: Config['fileScan'], fileId: number, stopped: AbortSignal): Promise<void> {
  const file = await readUnscanned(db.pool(), fileId);
  if (!file) return;
  if (!scanner) throw new Error('FILES_SCAN_COMMAND or FILES_SCAN_URL must be set for this worker, as for the web processes.');
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_MS)]);
  const { accountId, blobId, size, thumbnail } = file;
  const bytes = readBlob(db.pool(), { accountId, id: blobId, size });
  let clean = true;
  for (const part of thumbnail ? [[thumbnail], bytes] : [bytes]) clean &&= await isClean(scanner, part, signal);
  await setScanned(db.pool(), fileId, clean ? 'ready' : 'refused');
}

type Bytes = Iterable<Buffer> | AsyncIterable<Buffer>;

async function isClean(scanner: Scanner, bytes: Bytes, signal: AbortSignal): Promise<boolean> {
  const failed: unknown[] = [];
  const source = Readable.from(watched(bytes, failed));
  const clean = await ('command' in scanner ? byCommand(scanner.command, source, signal) : byUrl(scanner.url, source, signal));
  // A scanner that got only a part of the file has not found it clean.
  if (failed.length > 0) throw failed[0];
  return clean;
}

/** Collects errors of the source, but not those of a scanner that closed its input. */
async function* watched(bytes: Bytes, failed: unknown[]): AsyncGenerator<Buffer> {
  async function* reported() {
    try {
      yield* bytes;
    } catch (error) {
      failed.push(error);
    }
  }
  for await (const piece of reported()) yield piece;
  if (failed.length > 0) throw failed[0];
}

async function byCommand(command: string, bytes: Readable, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  // In its own process group: ending the shell alone would leave the scanner.
  const child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    // A scanner may decide before it has read everything.
    const [[code]] = await Promise.all([once(child, 'close'), pipeline(bytes, child.stdin).catch(() => {})]);
    if (code === 0 || code === 1) return code === 0;
    throw new Error(`The scan command ended with ${code}.`);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

async function byUrl(url: string, bytes: Readable, signal: AbortSignal): Promise<boolean> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const answer = await fetch(url, { method: 'POST', body: bytes, duplex: 'half', redirect: 'error', headers, signal });
  await answer.body?.cancel();
  if (answer.ok || answer.status === 422) return answer.ok;
  throw new Error(`The scan URL answered ${answer.status}.`);
}
