/** What `npm start` keeps in `.data/` besides PostgreSQL: its secret and the sample account's keys, readable by their owner only. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleAccess } from '../sample/load.ts';

export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Written beside and renamed, so that a crash leaves the old file or the new one, never half of one. */
function keep(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** SECRET_KEY of the embedded mode, made on the first start: sessions outlive a restart. */
export function secretKey(folder: string): string {
  const file = join(folder, 'secret');
  if (!existsSync(file)) keep(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8').trim();
}

/** The same, if it was made; for commands given beside it. */
export function keptSecretKey(folder: string): string | undefined {
  const file = join(folder, 'secret');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Where Node keeps what it has compiled (requireNode.js): here it can surely be written, and goes with the rest. */
export function compiledCode(folder: string): string {
  const kept = join(folder, 'compiled');
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  return kept;
}

/** Keys are shown once and stored hashed, so a later start could not print them again without this. */
export function recallSample(folder: string): SampleAccess | undefined {
  const file = join(folder, 'sample.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

export function keepSample(folder: string, sample: SampleAccess): void {
  keep(join(folder, 'sample.json'), `${JSON.stringify(sample, null, 2)}\n`);
}
