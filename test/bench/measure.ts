/** Measures variants side by side: interleaved rounds, medians, CPU of the server process from the kernel. */
import { readFileSync, writeFileSync } from 'node:fs';
import { childrenOf } from '../support/processes.ts';
import { type Caller, load } from './load.ts';

export interface Variant {
  name: string;
  port: number;
  /** The server process. */
  pid: number;
  /** PostgreSQL's postmaster, children included. */
  calls: () => Caller;
}

export interface Figure {
  name: string;
  perSecond: number;
  /** CPU of the server process, microseconds a request. */
  cpuMicros: number;
  p50: number;
  p99: number;
}

const TICKS_PER_SECOND = 100;

/** User and system time in seconds (Linux): of a process, and of those it has started and waited for. */
function timesOf(pid: number): { own: number; waitedFor: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ').map(Number);
  return { own: (fields[11]! + fields[12]!) / TICKS_PER_SECOND, waitedFor: (fields[13]! + fields[14]!) / TICKS_PER_SECOND };
}

export const cpuSeconds = (pid: number): number => timesOf(pid).own;

/** CPU of all processes that a process has started, such as PostgreSQL's sessions, including ended ones. */
export function cpuOfChildren(pid: number): number {
  for (;;) {
    const { waitedFor } = timesOf(pid);
    try {
      const running = childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
      if (timesOf(pid).waitedFor === waitedFor) return running + waitedFor;
    } catch (error) {
      // The process has just ended: its CPU is counted with the ended ones.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) throw error;
    }
  }
}

export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}

/** Peak memory of this process (or another), threads included, from the kernel. Sampling would cost CPU and miss peaks. 0 after the process
 *  has ended. */
export function mostMegabytes(pid: number | 'self' = 'self'): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resets the peak. */
export const forgetMostMegabytes = () => writeFileSync('/proc/self/clear_refs', '5');

export const percentile = (values: number[], share: number) => [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
export const median = (values: number[]) => percentile(values, 0.5);

/** Interleaves rounds of all variants, after a warm-up each. Fails when a variant answers anything but 200 (or 304). */
export async function compare(variants: Variant[], { rounds = 3, seconds = 2, connections = 8 } = {}): Promise<Figure[]> {
  const samples = new Map<string, { perSecond: number; cpuMicros: number; p50: number; p99: number }[]>();
  for (let round = -1; round < rounds; round++) {
    for (const { name, port, pid, calls } of variants) {
      const before = cpuSeconds(pid);
      const result = await load(port, calls(), { connections, seconds: round < 0 ? 4 : seconds });
      const strange = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '304');
      if (strange.length) throw new Error(`${name} answered ${JSON.stringify(result.statuses)}`);
      if (round < 0) continue;
      const cpuMicros = ((cpuSeconds(pid) - before) * 1e6) / result.requests;
      samples.set(name, [
        ...(samples.get(name) ?? []),
        { perSecond: result.requests / result.seconds, cpuMicros, p50: result.p50, p99: result.p99 },
      ]);
    }
  }
  return variants.map(({ name }) => {
    const all = samples.get(name)!;
    const of = (key: 'perSecond' | 'cpuMicros' | 'p50' | 'p99') => median(all.map((sample) => sample[key]));
    return { name, perSecond: of('perSecond'), cpuMicros: of('cpuMicros'), p50: of('p50'), p99: of('p99') };
  });
}

export interface Goal {
  text: string;
  value: number;
  /** The limit for the value. */
  bound: number;
  want: 'at least' | 'at most';
}

export function printFigures(title: string, figures: Figure[]): void {
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      figures.map(({ name, perSecond, cpuMicros, p50, p99 }) => [
        name,
        {
          'req/s': Math.round(perSecond),
          'CPU µs': Math.round(cpuMicros),
          'p50 ms': round(p50),
          'p99 ms': round(p99),
          'x first': round(perSecond / figures[0]!.perSecond),
        },
      ]),
    ),
  );
}

export function printGoals(goals: Goal[]): void {
  console.log('\nGoals');
  console.table(
    goals.map(({ text, value, bound, want }) => ({
      goal: text,
      measured: round(value),
      wanted: `${want} ${bound}`,
      met: want === 'at least' ? value >= bound : value <= bound,
    })),
  );
}

export const round = (value: number) => Math.round(value * 100) / 100;
