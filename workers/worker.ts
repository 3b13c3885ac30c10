/** A worker: lanes of tasks, heartbeats and the schedule over one database. Any number of them may run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../src/config.ts';
import { openDb } from '../src/database/db.ts';
import { databaseState, INCOMPATIBLE } from '../src/database/migrations.ts';
import { leaveMetrics } from '../src/http/gatherMetrics.ts';
import { Metrics } from '../src/http/metrics.ts';
import { liveFollower } from '../src/live/follower.ts';
import type { Logger } from '../src/log.ts';
import { notificationsFollower } from '../src/notifications/follower.ts';
import { webhooksFollower } from '../src/webhooks/follower.ts';
import { resealSecrets } from '../src/webhooks/reseal.ts';
import { ComputingThreads } from './computing/threads.ts';
import { startFollowing } from './following.ts';
import { Heartbeat, type Pace, usualPace } from './heartbeat.ts';
import { Lane } from './lane.ts';
import { queuePool } from './pools.ts';
import { startSchedule } from './schedule.ts';
import { startStatusServer } from './statusServer.ts';
import { type LaneName, lanes, taskList } from './tasks.ts';

/** Computations at once in one process, each in a thread: a large one is not to keep the small ones waiting. */
const COMPUTATIONS = 2;
/** From the order to stop until what still runs is put back. */
const PATIENCE_MS = 15_000;

export interface Worker {
  /** Finishes what runs, puts back what doesn't end in time, and leaves no job locked. Within 18 s. */
  stop(): Promise<void>;
}

/** Starts in the background, and stays up while the database is away. `onReady` is called when all lanes take jobs. */
export function startWorker(config: Config, log: Logger, onReady: () => void, pace: Pace = usualPace): Worker {
  const db = openDb(config.directUrl, config.databasePoolSize);
  const pgPool = queuePool(config.directUrl, config.workerConcurrency + 2 + Object.keys(lanes).length);
  const computations = new ComputingThreads(config.directUrl);
  const heartbeat = new Heartbeat(db, log, pace);
  const metrics = new Metrics(db.load);
  const observeDelivery = ({ ok, ms }: { ok: boolean; ms: number }) => metrics.delivered(ok, ms);
  const status = startStatusServer(config, db, metrics, log);
  const running = (Object.keys(lanes) as LaneName[])
    .filter((name) => Object.keys(lanes[name]).length > 0)
    .map(
      (name) =>
        new Lane(
          { name, ...sizeOf(name, config), tasks: taskList(lanes[name], { db, config, log, computations, observeDelivery }) },
          { pgPool, heartbeat, log, metrics },
        ),
    );
  const stopping = new AbortController();
  // graphile-worker leaves the reports of jobs' ends to nobody: when one is lost with its connection the job is put back (heartbeat.ts),
  // and the process lives on.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise failed that nobody awaits'));
  const started = start();
  let schedule: { stop(): void } | undefined;
  let following: Promise<void> | undefined;

  async function start() {
    // The queue's tables and ours come from the same migrations.
    for (let looks = 0; !stopping.signal.aborted; looks++) {
      const state = await databaseState(db);
      if (state === 'migrated') break;
      if (state === 'incompatible') {
        log.fatal(INCOMPATIBLE);
        process.exit(1);
      }
      if (looks % 60 === 5) log.warn({ database: state }, 'waiting for the database');
      await sleep(looks < 5 ? 50 : 500, undefined, { signal: stopping.signal }).catch(() => {});
    }
    if (stopping.signal.aborted) return;
    heartbeat.start();
    if (config.metricsGather) void leaveMetrics(db, metrics.registry, stopping.signal);
    await Promise.all(running.map((lane) => lane.start()));
    if (stopping.signal.aborted) return;
    schedule = startSchedule(db, log);
    following = startFollowing(db, [webhooksFollower, notificationsFollower, liveFollower], log, stopping.signal);
    if (config.previousSecretKey !== undefined) void resealSecrets(db, config, log);
    onReady();
  }

  return {
    async stop() {
      stopping.abort();
      schedule?.stop();
      await atMost(PATIENCE_MS, Promise.all([started, following, ...running.map((lane) => lane.stop())]));
      heartbeat.stop();
      status?.close();
      status?.closeAllConnections();
      await atMost(2_000, Promise.all(running.map((lane) => lane.release())));
      await atMost(1_000, Promise.all([db.close(), pgPool.end(), computations.close()]));
    },
  };
}

function sizeOf(lane: LaneName, { workerConcurrency }: Config): { concurrency: number; ahead: number } {
  if (lane === 'heavy') return { concurrency: COMPUTATIONS, ahead: 0 };
  return { concurrency: workerConcurrency, ahead: lane === 'prompt' ? workerConcurrency + 1 : 0 };
}

const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })]);
