/** `node test/bench/forecastRunner.ts FORECAST_ID TIMES`: computes a forecast as a worker does, and prints its cost for this process. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { forgetMostMegabytes, median, mostMegabytes, residentMegabytes } from './measure.ts';

const url = process.env.DATABASE_URL!;
const [forecastId, times] = process.argv.slice(2).map(Number) as [number, number];
const threads = new ComputingThreads(url);

async function once() {
  await rowsAt(url, 'delete from capacity_snapshots where forecast_id = $1', [forecastId]);
  globalThis.gc?.();
  const resident = residentMegabytes(process.pid);
  forgetMostMegabytes();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const used = process.cpuUsage();
  const outcome = await threads.snapshot({ forecastId, since: null }, new AbortController().signal);
  const { user, system } = process.cpuUsage(used);
  lag.disable();
  if (outcome !== 'computed') throw new Error(`The forecast is ${outcome}.`);
  // Subtracts the histogram's resolution.
  return { cpu: (user + system) / 1e6, moreMb: mostMegabytes() - resident, lag: Math.max(0, lag.max / 1e6 - 1) };
}

const taken: Awaited<ReturnType<typeof once>>[] = [];
for (let n = 0; n < times; n++) taken.push(await once());
// The first run warms up and grows the heap.
const warm = taken.slice(1);
const cpuSeconds = median(warm.map(({ cpu }) => cpu));
console.log(
  JSON.stringify({ cpuSeconds, moreMb: Math.max(...taken.map(({ moreMb }) => moreMb)), lagMs: median(warm.map(({ lag }) => lag)) }),
);
process.exit(0);
