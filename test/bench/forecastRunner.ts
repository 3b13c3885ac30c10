/** `node test/bench/forecastRunner.ts FORECAST_ID TIMES`: computes a forecast as a worker does, and says what that took of this process. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { computeSnapshot } from '../../src/capacity/snapshots/computeSnapshot.ts';
import { streamPool } from '../../workers/pools.ts';
import { residentMegabytes } from './measure.ts';

const url = process.env.DATABASE_URL!;
const [forecastId, times] = process.argv.slice(2).map(Number) as [number, number];
const streams = streamPool(url, 1);
const client = new pg.Client({ connectionString: url, query_timeout: 0 });
await client.connect();

interface Taken {
  cpuMs: number;
  elapsedMs: number;
  /** The most the process held above what it began with. */
  moreMb: number;
  lagMs: number;
}

async function once(): Promise<Taken> {
  await client.query('delete from capacity_snapshots where forecast_id = $1', [forecastId]);
  globalThis.gc?.();
  const resident = residentMegabytes(process.pid);
  let most = resident;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(process.pid));
  }, 10);
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const [began, used] = [performance.now(), process.cpuUsage()];
  const outcome = await computeSnapshot(streams, { forecastId, since: null }, new AbortController().signal);
  const { user, system } = process.cpuUsage(used);
  lag.disable();
  clearInterval(watch);
  if (outcome !== 'computed') throw new Error(`The forecast is ${outcome}.`);
  return {
    cpuMs: (user + system) / 1_000,
    elapsedMs: performance.now() - began,
    moreMb: Math.max(most, residentMegabytes(process.pid)) - resident,
    // What the histogram says above the resolution it looks with.
    lagMs: Math.max(0, lag.max / 1e6 - 1),
  };
}

const taken: Taken[] = [];
for (let n = 0; n < times; n++) taken.push(await once());
console.log(JSON.stringify({ taken }));
process.exit(0);
