/** A worker: lanes of tasks, heartbeats and the schedule over one database. Any number of workers may run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../src/config.ts';
import { openDb } from '../src/database/db.ts';
import { databaseState, INCOMPATIBLE } from '../src/database/migrations.ts';
import { statementsOn } from '../src/database/statements.ts';
import { publishMetrics } from '../src/http/gatherMetrics.ts';
import { Metrics } from '../src/http/metrics.ts';
import { liveFollower } from '../src/live/follower.ts';
import type { Logger } from '../src/log.ts';
import { notificationsFollower } from '../src/notifications/follower.ts';
import { readHold } from '../src/queue/outboundQueries.ts';
import { keysOf } from '../src/values/records.ts';
import { webhooksFollower } from '../src/webhooks/follower.ts';
import { resealSecrets } from '../src/webhooks/reseal.ts';
import { ComputingThreads } from './computing/threads.ts';
import { startFollowing } from './following.ts';
import { Heartbeat, type Pace, usualPace } from './heartbeat.ts';
import { Lane } from './lane.ts';
import { IDLE_MS, queuePool } from './pools.ts';
import { startSchedule } from './schedule.ts';
import { startStatusServer } from './statusServer.ts';
import { type LaneName, lanes, type TaskContext, taskList } from './tasks.ts';

/** Time between the stop signal and unlocking the jobs that still run. */
const PATIENCE_MS = 15_000;

export interface Worker {
  /** Finishes running jobs within 18 s and unlocks the rest. */
  stop(): Promise<void>;
}

/** Starts in the background and keeps running while the database is down. Calls `onReady` when all lanes take jobs. */
export function startWorker(config: Config, log: Logger, onReady: () => void, pace: Pace = usualPace): Worker {
  const sizes = connectionsOf(config);
  const db = openDb(config.directUrl, sizes.tasks, { idleMs: IDLE_MS });
  const pgPool = queuePool(config.directUrl, sizes.queue, db);
  const computations = new ComputingThreads(config.directUrl);
  // Separate connections: jobs that use all of `db` must not delay the queue's statements.
  const queueTx = statementsOn(pgPool, false);
  const outbound = { held: false };
  const heartbeat = new Heartbeat(queueTx, log, pace, lookAtHold);
  const metrics = new Metrics(db.load);
  const context: Omit<TaskContext, 'signal'> = {
    db,
    config,
    log,
    computations,
    outbound,
    observeDelivery: ({ ok, ms }) => metrics.delivered(ok, ms),
    observeRewrite: (fault) => metrics.rewriteEnded(fault),
  };
  const status = startStatusServer(config, db, metrics, log);
  const running = keysOf(lanes).map(
    (name) => new Lane({ name, ...sizeOf(name, config), tasks: () => taskList(lanes[name], context) }, { pgPool, heartbeat, log, metrics }),
  );
  const stopping = new AbortController();
  // graphile-worker does not await its reports of finished jobs. If one fails, the job is unlocked (heartbeat.ts).
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const started = start();
  let schedule: { stop(): void } | undefined;
  let following: Promise<void> | undefined;

  async function lookAtHold(): Promise<void> {
    const held = config.outboundOff || (await readHold(queueTx));
    if (held === outbound.held) return;
    outbound.held = held;
    log.warn(held ? 'mails, webhooks and reminders are held' : 'mails, webhooks and reminders are sent again');
    for (const lane of running) lane.restart();
  }

  async function start() {
    for (let looks = 0; !stopping.signal.aborted; looks++) {
      const state = await databaseState(db);
      // Lanes start only after the outbound hold is known.
      if (
        state === 'migrated' &&
        (await lookAtHold().then(
          () => true,
          () => false,
        ))
      )
        break;
      if (state === 'incompatible') {
        log.fatal(INCOMPATIBLE);
        process.exit(1);
      }
      if (looks % 60 === 5) log.warn({ database: state }, 'waiting for the database');
      await sleep(looks < 5 ? 50 : 500, undefined, { signal: stopping.signal }).catch(() => {});
    }
    if (stopping.signal.aborted) return;
    heartbeat.start();
    if (config.metricsGather) void publishMetrics({ pool: () => queueTx }, metrics.registry, stopping.signal);
    await Promise.all(running.map((lane) => lane.start()));
    if (stopping.signal.aborted) return;
    schedule = startSchedule(queueTx, log);
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

/** Together with the LISTEN connection at most DATABASE_POOL_SIZE + 2, or 4 (behaviour §1.25). */
function connectionsOf({ databasePoolSize }: Config): { queue: number; computing: number; tasks: number } {
  const [queue, computing] = databasePoolSize < 6 ? [1, 1] : [2, 2];
  return { queue, computing, tasks: Math.max(1, databasePoolSize + 1 - queue - computing) };
}

function sizeOf(lane: LaneName, config: Config): { concurrency: number; ahead: number } {
  if (lane === 'heavy') return { concurrency: connectionsOf(config).computing, ahead: 0 };
  return { concurrency: config.workerConcurrency, ahead: lane === 'prompt' ? config.workerConcurrency + 1 : 0 };
}

const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })]);
