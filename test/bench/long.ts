/** A web process and a worker under a mixed load for MINUTES (60 if unset), at RATE calls a second (half of the maximum if unset): memory
 *  growth, response times, and whether autovacuum keeps up with the queue's tables. */
import { fileURLToPath } from 'node:url';
import { makeBulk } from '../support/bulk.ts';
import { isAlive, type Spawned } from '../support/processes.ts';
import type { Bench } from './bench.ts';
import { load } from './load.ts';
import { atLeast, atMost, type Goal, requireAnswers, residentMegabytes, round } from './measure.ts';
import { mixOf } from './places.ts';

const CONNECTIONS = 8;
const LOOK_EVERY_MS = 2_000;
const memories = ['web MB', 'web heap', 'web outside', 'worker MB', 'worker heap', 'worker outside'] as const;
type Memory = Record<(typeof memories)[number], number>;
type Minute = Memory & Record<'minute' | 'perSecond' | 'p50' | 'p99' | 'deadRows', number>;

export async function long(bench: Bench): Promise<Goal[]> {
  const [count, seconds] = bench.quick ? [3, 3] : [Number(process.env.MINUTES ?? 60), 60];
  const url = await bench.database();
  const bulk = await makeBulk(url, bench.quick ? 2_000 : 10_000);
  const calls = await mixOf(url, bulk, CONNECTIONS);
  const client = await bench.client(url);
  const preload = `--import=${fileURLToPath(new URL('heapTeller.ts', import.meta.url))}`;
  const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}` };
  const web = await bench.web(url, { env });
  const worker = await bench.worker(url, { env, unheard: true });
  const measures = [measureOf('web', web), measureOf('worker', worker)];
  const under = async (runs: number, perSecond?: number) => {
    const result = await load(web.port, calls(), { connections: CONNECTIONS, seconds: runs, ...(perSecond ? { perSecond } : {}) });
    requireAnswers('The mixed load', result);
    return { perSecond: result.requests / result.seconds, p50: round(result.p50), p99: round(result.p99) };
  };
  const warm = bench.quick ? 1 : 10;
  await under(warm);
  const perSecond = Number(process.env.RATE) || (await under(warm)).perSecond / 2;
  const minutes: Minute[] = [];
  for (let minute = 1; minute <= count; minute++) {
    const looks = measures.map((look) => look());
    const figures = await under(seconds, perSecond);
    const memory: Memory = Object.assign({}, ...(await Promise.all(looks.map((look) => look()))));
    const { rows } = await client.query(
      `select sum(n_dead_tup)::int as "deadRows" from pg_stat_user_tables where schemaname = 'graphile_worker'`,
    );
    minutes.push({ minute, ...figures, ...memory, ...rows[0] });
    console.log(JSON.stringify(minutes.at(-1)));
  }
  return goalsOf(minutes, perSecond);
}

/** Call it before a load; the result after it. Resident memory: the minimum of many samples, soon after a collection. The heap: after a
 *  collection. */
function measureOf(name: 'web' | 'worker', { pid, line, lines }: Spawned) {
  let asked = 0;
  return () => {
    let least = Number.POSITIVE_INFINITY;
    const look = () => {
      if (isAlive(pid)) least = Math.min(least, residentMegabytes(pid));
    };
    const clock = setInterval(look, LOOK_EVERY_MS);
    return async () => {
      clearInterval(clock);
      look();
      if (!isAlive(pid)) throw new Error(`The ${name} process has ended:\n${lines.slice(-40).join('\n')}`);
      process.kill(pid, 'SIGUSR2');
      const { heap, outside } = JSON.parse(await line(new RegExp(`"asked":${++asked},`)));
      return { [`${name} MB`]: round(least), [`${name} heap`]: round(heap), [`${name} outside`]: round(outside) };
    };
  };
}

function goalsOf(minutes: Minute[], perSecond: number): Goal[] {
  // Memory settles for ten minutes, or a third of a shorter run.
  const settled = minutes.filter(({ minute }) => minute > Math.min(10, minutes.length / 3));
  const of = (name: keyof Minute) => settled.map((one) => one[name]);
  return [
    ...memories.map((name) => {
      const { each, error } = slopeOf(settled.map((one) => [one.minute / 60, one[name]]));
      return atMost(`${name}: MB more each hour (± ${round(error)})`, each, 1);
    }),
    atLeast('calls answered, of those due', Math.min(...of('perSecond')) / perSecond, 0.99),
    atMost('worst 99th percentile of a minute, ms', Math.max(...of('p99')), 50),
    atMost("dead rows in the queue's tables", Math.max(...of('deadRows')), 10_000),
  ];
}

/** Least squares, and its standard error. */
function slopeOf(points: [number, number][]): { each: number; error: number } {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  const each = spread && points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / spread;
  const rest = points.reduce((sum, [a, b]) => sum + (b - y - each * (a - x)) ** 2, 0);
  return { each, error: spread && Math.sqrt(rest / Math.max(1, points.length - 2) / spread) };
}
