/** Files of `npm start` in `.data/` besides PostgreSQL: the secret and the sample account's keys. Only their owner can read them. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleAccess } from '../sample/load.ts';

export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Writes a new file and renames it, so that a crash never leaves a partial file. */
function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** SECRET_KEY of the embedded mode. Created at the first start and kept, so that sessions survive a restart. */
export function secretKey(folder: string): string {
  const file = join(folder, 'secret');
  if (!existsSync(file)) writePrivately(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}

export function storedSecretKey(folder: string): string | undefined {
  const file = join(folder, 'secret');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Folder for Node's compile cache (requireNode.js), which is always writable. */
export function compiledCode(folder: string): string {
  const kept = join(folder, 'compiled');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  return kept;
}

/** Keys are shown once and stored hashed, so a later start needs this file to print them. */
export function readSampleAccess(folder: string): SampleAccess | undefined {
  const file = join(folder, 'sample.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function storeSampleAccess(folder: string, sample: SampleAccess): void {
  writePrivately(join(folder, 'sample.json'), `${JSON.stringify(sample, null, 2)}\n`);
}
