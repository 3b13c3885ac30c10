/** One running Stint per folder: a lock file that tells who holds it, and that a dead holder cannot keep. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { bornAt } from './life.ts';

interface Holder {
  pid: number;
  born: string;
  /** Where the holder can be reached; empty while it is starting. */
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
    return holder.born && bornAt(holder.pid) === holder.born ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a living process has the lock. */
export const isHeld = (file: string): boolean => livingHolder(read(file)) !== undefined;

/** Where a living holder can be reached; undefined without one, and while it is starting. */
export const addressOfHolder = (file: string): string | undefined => livingHolder(read(file))?.address || undefined;

/** Linking a complete file is atomic, unlike creating one and then writing it. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Puts a dead holder's lock away. Another starter may have done so, and locked anew, since `stale` was read: then give that one back. */
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

/** Throws AlreadyRunning, with pid and address of the holder, when a living process has it. */
export function takeLock(file: string): Lock {
  const me: Holder = { pid: process.pid, born: bornAt(process.pid), address: '' };
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
