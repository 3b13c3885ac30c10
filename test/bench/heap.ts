/** Heap use of a process, measured in the process (`heapTeller`, preloaded) and from outside. Collects garbage first, because resident
 *  memory depends on when V8 collects. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const SIGNAL = 'SIGUSR2';

/** Environment of a process that reports its heap. */
export const heapReportEnvironment = () => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${fileURLToPath(new URL('heapTeller.ts', import.meta.url))}`,
});

export interface Heap {
  /** Objects, and the memory that they hold outside V8's heap. */
  heapMb: number;
  outsideMb: number;
}

export function reportHeap(): void {
  if (!isMainThread) return;
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let asked = 0;
  process.on(SIGNAL, () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`${JSON.stringify({ asked: ++asked, heapMb: heapUsed / 2 ** 20, outsideMb: external / 2 ** 20 })}\n`);
  });
}

/** Asks a process that reports its heap. */
export function heapOf({ pid, line }: { pid: number; line(pattern: RegExp): Promise<string> }): () => Promise<Heap> {
  let asked = 0;
  return async () => {
    process.kill(pid, SIGNAL);
    return JSON.parse(await line(new RegExp(`"asked":${++asked},`)));
  };
}
