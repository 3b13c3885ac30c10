/** A worker: lanes of tasks, heartbeats and the schedule over one database. Any number of workers may run. */

import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { type Follower, follow, PageSize } from '../src/changes/follow.ts';
import { followersWithChanges } from '../src/changes/readQueries.ts';
import type { Config } from '../src/config.ts';
import { type Db, openDb } from '../src/database/db.ts';
import { databaseState, INCOMPATIBLE } from '../src/database/migrations.ts';
import { statementsOn } from '../src/database/statements.ts';
import { health } from '../src/http/health.ts';
import { Metrics, publishMetrics } from '../src/http/metrics.ts';
import { liveFollower } from '../src/live/since.ts';
import type { Logger } from '../src/log.ts';
import { notificationsFollower } from '../src/notifications/follower.ts';
import { readHold } from '../src/queue/queueQueries.ts';
import { keysOf } from '../src/values/records.ts';
import { webhooksFollower } from '../src/webhooks/follower.ts';
import { resealSecrets } from '../src/webhooks/seal.ts';
import { ComputingThreads } from './computing/threads.ts';
import { Heartbeat, type Pace, usualPace } from './heartbeat.ts';
import { Lane } from './lane.ts';
import { IDLE_MS, queuePool } from './pools.ts';
import { startSchedule } from './schedule.ts';
import { type LaneName, lanes, type TaskContext, taskList } from './tasks.ts';

/** Serves /healthz, /readyz and /metrics on WORKER_PORT, as web processes do, and nothing else (behaviour §1.8). */
export function startStatusServer(config: Config, db: Db, metrics: Metrics, log: Logger): Server | undefined {
  if (config.workerPort === undefined) return undefined;
  const answers = health({ config, db, metrics });
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    const answer = ctx.method === 'GET' && answers.get(ctx.path);
    if (answer) return answer(ctx);
    ctx.status = 404;
    ctx.body = { error: 'There is nothing at this address. Use /healthz, /readyz or /metrics.' };
  });
  const server = createServer(app.callback());
  server.on('error', (error) => log.error({ err: error }, 'cannot listen on WORKER_PORT'));
  server.listen(config.workerPort, config.host, () => {
    const address = server.address();
    log.info({ port: typeof address === 'object' ? address?.port : config.workerPort }, 'status is served');
  });
  return server;
}

// Runs the followers over new changes. Any number of processes may do this; for each follower only one works at a time.

/** Poll interval: a follower sees a change at most this late. */
const LOOK_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** Checks all followers in one query, so an idle worker needs one connection. Resolves after `signal` has aborted and all have ended. */
export async function startFollowing(db: Db, followers: readonly Follower[], log: Logger, signal: AbortSignal): Promise<void> {
  const busy = new Map<Follower, Promise<void>>();
  const sizes = new Map(followers.map((follower) => [follower, new PageSize(log)]));
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  const attempt = async (work: () => Promise<unknown>, follower?: Follower) => {
    try {
      await work();
    } catch (error) {
      log.warn({ follower: follower?.name, err: error }, 'could not process changes');
      await pause(AFTER_FAILURE_MS);
    }
  };
  const catchUp = async (follower: Follower) => {
    while (!signal.aborted && (await follow(db, follower, sizes.get(follower))));
  };
  const look = async () => {
    const idle = followers.filter((follower) => !busy.has(follower));
    const behind = idle.length
      ? await followersWithChanges(
          db.pool(),
          idle.map(({ name }) => name),
        )
      : [];
    for (const follower of idle.filter(({ name }) => behind.includes(name)))
      busy.set(
        follower,
        attempt(() => catchUp(follower), follower).finally(() => busy.delete(follower)),
      );
  };
  while (!signal.aborted) {
    await attempt(look);
    await pause(LOOK_MS);
  }
  await Promise.all(busy.values());
}

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
  const context: Omit<TaskContext, 'signal'> = { db, config, log, computations, outbound, ...observersOf(metrics) };
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
    log.warn(held ? 'emails, webhooks and reminders are on hold' : 'emails, webhooks and reminders are sent again');
    for (const lane of running) lane.restart();
  }

  async function start() {
    // Lanes start only after the outbound hold is known.
    if (!(await databaseIsReady(db, log, stopping.signal, lookAtHold))) return;
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

const observersOf = (metrics: Metrics): Pick<TaskContext, 'observeDelivery' | 'observeRewrite'> => ({
  observeDelivery: ({ ok, ms }) => metrics.delivered(ok, ms),
  observeRewrite: (fault) => metrics.rewriteEnded(fault),
});

/** Waits until the database is migrated and `check` succeeds. Returns false if `signal` aborts first. */
async function databaseIsReady(db: Db, log: Logger, signal: AbortSignal, check: () => Promise<void>): Promise<boolean> {
  const succeeds = () =>
    check().then(
      () => true,
      () => false,
    );
  for (let looks = 0; !signal.aborted; looks++) {
    const state = await databaseState(db);
    if (state === 'migrated' && (await succeeds())) return !signal.aborted;
    if (state === 'incompatible') {
      log.fatal(INCOMPATIBLE);
      process.exit(1);
    }
    if (looks % 60 === 5) log.warn({ database: state }, 'waiting for the database');
    await sleep(looks < 5 ? 50 : 500, undefined, { signal }).catch(() => {});
  }
  return false;
}

/** Together with the LISTEN connection at most DATABASE_POOL_SIZE + 2, or 4 (behaviour §1.25). */
function connectionsOf({ databasePoolSize }: Config): { queue: number; computing: number; tasks: number } {
  const [queue, computing] = databasePoolSize < 6 ? [1, 1] : [2, 2];
  return { queue, computing, tasks: Math.max(1, databasePoolSize + 1 - queue - computing) };
}

function sizeOf(lane: LaneName, config: Config): { concurrency: number; ahead: number } {
  if (lane === 'heavy') return { concurrency: connectionsOf(config).computing, ahead: 0 };
  // An export holds one connection while it waits for another.
  if (lane === 'imports' || lane === 'exports') return { concurrency: 1, ahead: 0 };
  if (lane === 'scans') return { concurrency: Math.min(2, config.workerConcurrency), ahead: 0 };
  return { concurrency: config.workerConcurrency, ahead: lane === 'prompt' ? config.workerConcurrency + 1 : 0 };
}

const atMost = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), sleep(ms, undefined, { ref: false })]);
