/** PostgreSQL to throw away: gone, with its folder, when `stop` is called or this process ends in whatever way. */
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/embedded/startEmbedded.ts';

export const temporaryFolder = (inside = tmpdir()): string => mkdtempSync(join(inside, 'stint-'));

const MEMORY_FOLDER = '/dev/shm';
/** Several times what the databases of a whole run need at once. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Where a run's files cost least: in memory, if this machine has that and plenty of it, unless TMPDIR names a place. A database is made
 *  there for a tenth of the CPU that a disk's file system takes for its thousand files. */
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
