/** `npm run bench -- long`: a web process and a worker under a mixed load for MINUTES (60 if unset), at RATE calls a second (half of the
 *  maximum if unset). Measures memory growth, response times, and whether autovacuum keeps up with the queue's tables. */
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { makeBulk } from '../support/bulk.ts';
import { isAlive, type Spawned, spawnNode } from '../support/processes.ts';
import { heapOf, heapReportEnvironment } from './heap.ts';
import { type Caller, type Load, load } from './load.ts';
import { type Goal, printGoals, residentMegabytes, round } from './measure.ts';
import { mixOf } from './mixed.ts';
import { queueState, watchFetches } from './queueState.ts';
import { benchDatabase, settingsOf, startWebProcess } from './servers.ts';

const MINUTES = Number(process.env.MINUTES ?? 60);
const RATE = Number(process.env.RATE ?? 0);
const CONNECTIONS = 8;
const ITEMS = 10_000;
const LOOK_EVERY_MS = 2_000;
/** Minutes for memory to settle, or a third of a shorter run. */
const SETTLED_AFTER = Math.min(10, MINUTES / 3);

interface Process {
  pid: number;
  line: Spawned['line'];
  lines: string[];
}

type Minute = Awaited<ReturnType<typeof minuteOf>>;

export async function long(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_long');
  const bulk = await makeBulk(url, ITEMS);
  const calls = await mixOf(url, bulk, CONNECTIONS);
  const client = new pg.Client(url);
  await client.connect();
  const fetchCost = await watchFetches(client, url);
  const web = await startWebProcess(url, heapReportEnvironment());
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], {
    env: { ...settingsOf(url), ...heapReportEnvironment() },
    unheard: true,
  });
  const measures = [measureOf('web', web), measureOf('worker', worker)];
  const minutes: Minute[] = [];
  try {
    const perSecond = RATE || (await mostOf(web.port, calls)) / 2;
    console.log(`\nMixed load: ${Math.round(perSecond)} calls a second for ${MINUTES} minutes`);
    for (let minute = 1; minute <= MINUTES; minute++) {
      const under = () => load(web.port, calls(), { connections: CONNECTIONS, seconds: 60, perSecond });
      minutes.push({ ...(await minuteOf(minute, under, measures)), ...(await queueState(client)), ...(await fetchCost()) });
      console.log(JSON.stringify(minutes.at(-1)));
    }
    printGoals(goalsOf(minutes, perSecond));
  } finally {
    console.table(minutes);
    await client.end();
    worker.kill('SIGKILL');
    await worker.exit();
    await web.stop();
  }
}

async function mostOf(port: number, calls: () => Caller): Promise<number> {
  await load(port, calls(), { connections: CONNECTIONS, seconds: 10 });
  const most = await load(port, calls(), { connections: CONNECTIONS, seconds: 10 });
  requireAnswers(most);
  return most.requests / most.seconds;
}

async function minuteOf(minute: number, under: () => Promise<Load>, measures: ReturnType<typeof measureOf>[]) {
  const looks = measures.map(({ look }) => look());
  const result = await under();
  requireAnswers(result);
  const memory = {} as Memory;
  for (const [n, { after }] of measures.entries()) Object.assign(memory, await after(looks[n]!()));
  const { requests, seconds, p50, p99 } = result;
  return { minute, 'req/s': Math.round(requests / seconds), 'p50 ms': round(p50), 'p99 ms': round(p99), ...memory };
}

function requireAnswers({ statuses }: Load): void {
  if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(`answered ${JSON.stringify(statuses)}`);
}

type Memory = Record<`${'web' | 'worker'} ${'MB' | 'heap' | 'outside'}`, number>;

/** Resident memory: the minimum of many samples in a minute, soon after a collection. The heap: after a collection. */
function measureOf(name: 'web' | 'worker', process: Process) {
  const heap = heapOf(process);
  return {
    look() {
      let least = Number.POSITIVE_INFINITY;
      const clock = setInterval(() => {
        if (isAlive(process.pid)) least = Math.min(least, residentMegabytes(process.pid));
      }, LOOK_EVERY_MS);
      return () => {
        clearInterval(clock);
        return least;
      };
    },
    async after(resident: number): Promise<Partial<Memory>> {
      if (!isAlive(process.pid)) throw new Error(`The ${name} process has ended:\n${process.lines.slice(-40).join('\n')}`);
      const { heapMb, outsideMb } = await heap();
      return { [`${name} MB`]: round(resident), [`${name} heap`]: round(heapMb), [`${name} outside`]: round(outsideMb) };
    },
  };
}

function goalsOf(minutes: Minute[], perSecond: number): Goal[] {
  const settled = minutes.filter(({ minute }) => minute > SETTLED_AFTER) as (Minute & Awaited<ReturnType<typeof queueState>>)[];
  const slope = (name: keyof Memory): Goal => {
    const { each, error } = slopeOf(settled.map((one) => [one.minute / 60, one[name]]));
    return { text: `${name}: MB more each hour (± ${round(error)})`, value: each, want: 'at most', bound: 1 };
  };
  const most = (name: 'p99 ms' | 'dead rows') => Math.max(...settled.map((one) => one[name]));
  return [
    ...(['web heap', 'web outside', 'web MB', 'worker heap', 'worker outside', 'worker MB'] as const).map(slope),
    {
      text: 'calls answered, of those due',
      value: Math.min(...settled.map((one) => one['req/s'])) / perSecond,
      want: 'at least',
      bound: 0.99,
    },
    { text: 'worst p99 of a minute, ms', value: most('p99 ms'), want: 'at most', bound: 50 },
    { text: "dead rows in the queue's tables, at most", value: most('dead rows'), want: 'at most', bound: 10_000 },
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
