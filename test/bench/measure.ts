/** Measures variants side by side: interleaved rounds, medians, CPU of the server process and of PostgreSQL from the kernel (Linux). */
import { readFileSync, writeFileSync } from 'node:fs';
import { childrenOf } from '../support/processes.ts';
import type { Bench, Server } from './bench.ts';
import { type Caller, type Load, load, type Pace } from './load.ts';

export interface Variant {
  name: string;
  web: Server;
  calls: () => Caller;
}

export interface Figure {
  perSecond: number;
  /** CPU of a request in microseconds: of the server process, and of PostgreSQL. */
  web: number;
  database: number;
}

const TICKS_PER_SECOND = 100;

/** User and system time in seconds. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ').map(Number);
  return (fields[11]! + fields[12]!) / TICKS_PER_SECOND;
}

/** Seconds of each of PostgreSQL's processes, to the nanosecond, because a round may have few calls. */
function databaseSeconds(postmaster: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const pid of childrenOf(postmaster)) {
    try {
      found.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9);
    } catch (error) {
      // It has just ended.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) throw error;
    }
  }
  return found;
}

const statusOf = (pid: number | 'self', field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
export const residentMegabytes = (pid: number): number => statusOf(pid, 'VmRSS');

/** Peak memory of this process (or another), threads included, from the kernel. Sampling would cost CPU and miss peaks. 0 after the process
 *  has ended. */
export function mostMegabytes(pid: number | 'self' = 'self'): number {
  try {
    return statusOf(pid, 'VmHWM');
  } catch {
    return 0;
  }
}

/** Resets the peak. */
export const forgetMostMegabytes = (pid: number | 'self' = 'self') => writeFileSync(`/proc/${pid}/clear_refs`, '5');

export const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
export const median = (values: number[]) => percentile(values, 0.5);
export const round = (value: number) => Math.round(value * 100) / 100;

export function requireAnswers(name: string, { statuses }: Load): void {
  if (Object.keys(statuses).some((status) => !['200', '304'].includes(status))) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
}

/** One round of a variant. Ignores processes of PostgreSQL that begin or end meanwhile, such as autovacuum's: the connections of calls
 *  stay open. */
async function measured({ postmaster }: Bench, { name, web, calls }: Variant, pace: Pace): Promise<Figure> {
  const [webBefore, databaseBefore] = [cpuSeconds(web.pid), databaseSeconds(postmaster)];
  const result = await load(web.port, calls(), pace);
  const ofWeb = cpuSeconds(web.pid) - webBefore;
  let ofDatabase = 0;
  for (const [pid, seconds] of databaseSeconds(postmaster)) ofDatabase += seconds - (databaseBefore.get(pid) ?? seconds);
  requireAnswers(name, result);
  const each = (used: number) => (used * 1e6) / result.requests;
  return { perSecond: result.requests / result.seconds, web: each(ofWeb), database: each(ofDatabase) };
}

/** The medians of interleaved rounds of all variants, after a warm-up each. Prints a table. */
export async function compare(
  bench: Bench,
  title: string,
  variants: Variant[],
  { rounds = 3, seconds = 2, connections = 8, warmSeconds = 4 } = {},
): Promise<Record<string, Figure>> {
  const samples: Record<string, Figure[]> = Object.fromEntries(variants.map(({ name }) => [name, []]));
  for (let n = -1; n < (bench.quick ? 1 : rounds); n++) {
    for (const variant of variants) {
      const figure = await measured(bench, variant, { connections, seconds: bench.quick ? 0.5 : n < 0 ? warmSeconds : seconds });
      if (n >= 0) samples[variant.name]!.push(figure);
    }
  }
  const found: Record<string, Figure> = {};
  for (const [name, figures] of Object.entries(samples)) {
    const of = (key: keyof Figure) => round(median(figures.map((figure) => figure[key])));
    found[name] = { perSecond: of('perSecond'), web: of('web'), database: of('database') };
  }
  console.log(`\n${title}: requests a second, CPU of the process and of PostgreSQL in µs each`);
  console.table(found);
  return found;
}

export interface Goal {
  goal: string;
  measured: number;
  wanted: string;
  met: boolean;
}

export const atMost = (goal: string, value: number, bound: number): Goal => ({
  ...{ goal, measured: round(value), wanted: `at most ${bound}`, met: value <= bound },
});
export const atLeast = (goal: string, value: number, bound: number): Goal => ({
  ...{ goal, measured: round(value), wanted: `at least ${bound}`, met: value >= bound },
});
