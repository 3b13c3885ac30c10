/** `node test/bench/jobRunner.ts bare|ours`: runs an empty job, with plain graphile-worker or in a lane of ours, with equal settings.
 *  Prints the start time of each job with `edge: 'end'`. */
import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { openDb } from '../../src/database/db.ts';
import { statementsOn } from '../../src/database/statements.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { makeLogger } from '../../src/log.ts';
import { ComputingThreads } from '../../workers/computing/threads.ts';
import { Heartbeat, usualPace } from '../../workers/heartbeat.ts';
import { Lane } from '../../workers/lane.ts';
import { queuePool } from '../../workers/pools.ts';
import { taskList } from '../../workers/tasks.ts';

const url = process.env.DATABASE_URL!;
const CONCURRENCY = 10;
const AHEAD = 11;

const log = makeLogger('warn', 'worker');
const pgPool = queuePool(url, CONCURRENCY + 3);

async function nothing({ edge }: { edge?: string }) {
  if (edge === 'end') console.log(JSON.stringify({ startedAt: performance.timeOrigin + performance.now() }));
}

async function bare() {
  const events: WorkerEvents = new EventEmitter();
  await run({
    pgPool,
    taskList: { remind_plan_block: (payload) => nothing(payload as { edge?: string }) },
    noHandleSignals: true,
    events,
    logger: new Logger(() => () => {}),
    parsedCronItems: [],
    preset: { worker: { concurrentJobs: CONCURRENCY, pollInterval: 500, localQueue: { size: AHEAD, ttl: 10_000 } } },
  });
}

async function ours() {
  const db = openDb(url, 4);
  const heartbeat = new Heartbeat(statementsOn(pgPool, false), log, usualPace, async () => {});
  const context = {
    db,
    log,
    config: {} as never,
    computations: new ComputingThreads(url),
    outbound: { held: false },
    observeDelivery() {},
    observeRewrite() {},
  };
  const tasks = taskList({ remind_plan_block: nothing }, context);
  const lane = new Lane(
    { name: 'prompt', concurrency: CONCURRENCY, ahead: AHEAD, tasks: () => tasks },
    { pgPool, heartbeat, log, metrics: new Metrics() },
  );
  heartbeat.start();
  await lane.start();
}

await (process.argv[2] === 'bare' ? bare() : ours());
console.log('listening');
