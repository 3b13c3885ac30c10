/** `node test/bench/forecastRunner.ts FORECAST_ID TIMES`: computes a forecast as a worker does, and prints its cost for this process. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { forgetMostMegabytes, mostMegabytes, residentMegabytes } from './measure.ts';

const url = process.env.DATABASE_URL!;
const [forecastId, times] = process.argv.slice(2).map(Number) as [number, number];
const threads = new ComputingThreads(url);
const client = new pg.Client({ connectionString: url, query_timeout: 0 });
await client.connect();

interface Taken {
  /** Of all threads. */
  cpuMs: number;
  elapsedMs: number;
  /** Peak memory of the process and its threads above the start. */
  moreMb: number;
  lagMs: number;
}

async function once(): Promise<Taken> {
  await client.query('delete from capacity_snapshots where forecast_id = $1', [forecastId]);
  globalThis.gc?.();
  const resident = residentMegabytes(process.pid);
  forgetMostMegabytes();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const [began, used] = [performance.now(), process.cpuUsage()];
  const outcome = await threads.snapshot({ forecastId, since: null }, new AbortController().signal);
  const { user, system } = process.cpuUsage(used);
  lag.disable();
  if (outcome !== 'computed') throw new Error(`The forecast is ${outcome}.`);
  return {
    cpuMs: (user + system) / 1_000,
    elapsedMs: performance.now() - began,
    moreMb: mostMegabytes() - resident,
    // Subtracts the histogram's resolution.
    lagMs: Math.max(0, lag.max / 1e6 - 1),
  };
}

const taken: Taken[] = [];
for (let n = 0; n < times; n++) taken.push(await once());
console.log(JSON.stringify({ taken }));
process.exit(0);
