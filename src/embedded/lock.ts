/** One running Stint in each folder. The lock file names its holder and is invalid after the holder ends. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, startTimeOf } from './life.ts';

interface Holder {
  pid: number;
  born: string;
  address: string;
}

export interface Lock {
  announce(address: string): void;
  release(): void;
}

export class AlreadyRunning extends Error {
  constructor(holder: Holder) {
    const where = holder.address ? `at ${holder.address}` : 'and is just starting';
    super(`Stint is already running in this folder: process ${holder.pid} ${where}. Stop that one first, or use it.`);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function livingHolder(text: string): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(text);
    return holder.born && startTimeOf(holder.pid) === holder.born ? holder : undefined;
  } catch {
    return undefined;
  }
}

export const isHeld = (file: string): boolean => livingHolder(read(file)) !== undefined;

/** Undefined without a living holder, and while it starts. */
export const addressOfHolder = (file: string): string | undefined => livingHolder(read(file))?.address || undefined;

/** Linking a complete file is atomic. Creating and then writing one is not. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock of a dead holder away. If another process has replaced it since `stale` was read, restores that one. */
function clearStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== stale) linked(aside, file);
  rmSync(aside, { force: true });
}

function claim(file: string, own: string): void {
  for (let tries = 0; !linked(own, file); tries++) {
    const text = read(file);
    const holder = livingHolder(text);
    if (holder) throw new AlreadyRunning(holder);
    if (tries === 100) throw new Error(`The lock ${file} cannot be taken: remove it and start again.`);
    if (text) clearStale(file, text);
  }
}

/** Throws AlreadyRunning, with the holder's pid and address, if a living process has the lock. */
export function takeLock(file: string): Lock {
  const me: Holder = { pid: process.pid, born: startTimeOf(process.pid), address: '' };
  const own = `${file}.${process.pid}`;
  const write = () => writeFileSync(own, JSON.stringify(me), { mode: 0o600 });
  write();
  try {
    claim(file, own);
  } finally {
    rmSync(own, { force: true });
  }
  return {
    announce(address) {
      me.address = address;
      write();
      renameSync(own, file);
    },
    release: () => rmSync(file, { force: true }),
  };
}
