/** A disposable PostgreSQL: it and its folder are removed by `stop`, or when this process ends in any way. */
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';

export const temporaryFolder = (inside = tmpdir()): string => mkdtempSync(join(inside, 'stint-'));

const MEMORY_FOLDER = '/dev/shm';
/** Several times the size of a whole run's databases. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** The cheapest place for a run's files: memory, if the machine has plenty, unless TMPDIR is set. Creating a database there takes a tenth
 *  of the CPU of a disk's file system. */
export function cheapestFolder(): string {
  if (process.env.TMPDIR) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

export const startDisposable = (settings: readonly string[] = []): Promise<Embedded> =>
  startEmbedded(temporaryFolder(), { disposable: true, settings });
