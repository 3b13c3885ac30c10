/** A web process and a worker for an hour under a mixed load, at half of the most that they can: memory growth and times of answers. */
import { fileURLToPath } from 'node:url';
import { makeBulk } from '../support/bulk.ts';
import type { Spawned } from '../support/processes.ts';
import type { Bench } from './bench.ts';
import { load } from './load.ts';
import { atMost, type Goal, percentile, requireAnswers } from './measure.ts';
import { mixOf } from './places.ts';

const CONNECTIONS = 8;
/** Memory settles for so many minutes. */
const SETTLED_AFTER = 10;

type Minute = Record<string, number>;

export async function long(bench: Bench): Promise<Goal[]> {
  const [minutes, settledAfter, seconds, warm] = bench.quick ? [3, 1, 3, 1] : [60, SETTLED_AFTER, 60, 10];
  const url = await bench.database();
  const bulk = await makeBulk(url, bench.quick ? 2_000 : 10_000);
  const calls = await mixOf(url, bulk, CONNECTIONS);
  const preload = `--import=${fileURLToPath(new URL('heapTeller.ts', import.meta.url))}`;
  const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}` };
  const processes = { web: await bench.web(url, { env }), worker: await bench.worker(url, { env, unheard: true }) };
  const under = async (pace: { seconds: number; perSecond?: number }) => {
    const result = await load(processes.web.port, calls(), { connections: CONNECTIONS, ...pace });
    requireAnswers('The mixed load', result);
    return result;
  };
  await under({ seconds: warm });
  const most = await under({ seconds: warm });
  const perSecond = most.requests / most.seconds / 2;
  const found: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const { times } = await under({ seconds, perSecond });
    const memories = await Promise.all(Object.entries(processes).map(([name, spawned]) => memoryOf(name, spawned, minute)));
    found.push(Object.assign({ minute, p99: percentile(times, 0.99) }, ...memories));
    console.log(JSON.stringify(found.at(-1)));
  }
  const settled = found.slice(settledAfter);
  const memories = ['web heap', 'worker heap', 'web resident', 'worker resident'];
  return [
    ...memories.map((name) => atMost(`${name}: MB more each hour`, growthOf(settled, name), 1)),
    atMost('worst 99th percentile of a minute, ms', Math.max(...settled.map(({ p99 }) => p99!)), 50),
  ];
}

/** After a collection of garbage. */
async function memoryOf(name: string, { line, kill }: Spawned, minute: number): Promise<Minute> {
  kill('SIGUSR2');
  const { heap, resident } = JSON.parse(await line(new RegExp(`"asked":${minute},`)));
  return { [`${name} heap`]: heap, [`${name} resident`]: resident };
}

/** A line through the minutes, by least squares. */
function growthOf(minutes: Minute[], name: string): number {
  const points = minutes.map((one) => [one.minute! / 60, one[name]!] as const);
  const x = points.reduce((sum, [hour]) => sum + hour, 0) / points.length;
  const spread = points.reduce((sum, [hour]) => sum + (hour - x) ** 2, 0);
  return points.reduce((sum, [hour, megabytes]) => sum + (hour - x) * megabytes, 0) / spread;
}
