/** Runs graphile-worker for a group of tasks, and restarts it when it fails. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Metrics } from '../src/http/metrics.ts';
import type { Logger } from '../src/log.ts';
import { aboutJob } from '../src/queue/jobs.ts';
import { firstLine } from '../src/values/text.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface LaneSettings {
  name: string;
  /** Read at every start. If empty, the lane waits for `restart`. */
  tasks(): TaskList;
  concurrency: number;
  /** Number of jobs fetched ahead. Use 0 for slow tasks, so that a busy worker leaves them to an idle one. */
  ahead: number;
}

interface LaneDeps {
  pgPool: pg.Pool;
  heartbeat: Heartbeat;
  log: Logger;
  metrics: Metrics;
}

/** Delayed jobs and retries are found by polling, so they start at most this late. */
const POLL_MS = 500;
const POLL_SLOWLY_MS = 2_000;
/** Tasks still running this long after the stop signal are aborted. */
const ABORT_AFTER_MS = 8_000;
const RESTART_AFTER_MS = 1_000;
/** A runner that has lost its database shuts down and may hang while it does. After this time we abandon it. */
const ABANDON_AFTER_MS = 5_000;
/** A runner reads its task ids once. If that answer is lost, it never fetches a job, so we restart it after this time. */
const FIRST_FETCH_WITHIN_MS = 10_000;

export class Lane {
  readonly #settings: LaneSettings;
  readonly #pgPool: pg.Pool;
  readonly #heartbeat: Heartbeat;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #stopping = new AbortController();
  #changed = new AbortController();
  #tasks = 0;
  #runner: Runner | undefined;
  #id: string | undefined;
  #ended: Promise<void> | undefined;

  constructor(settings: LaneSettings, { pgPool, heartbeat, log, metrics }: LaneDeps) {
    this.#settings = settings;
    this.#pgPool = pgPool;
    this.#heartbeat = heartbeat;
    this.#log = log;
    this.#metrics = metrics;
  }

  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended = this.#keepRunning(resolve);
    });
  }

  /** If the task list has changed, finishes running jobs and restarts with the new list. */
  restart(): void {
    if (Object.keys(this.#settings.tasks()).length === this.#tasks) return;
    this.#changed.abort();
    void this.#runner?.stop().catch(() => {});
  }

  /** Takes no more jobs. Resolves when running jobs have finished or aborted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runner?.stop().catch(() => {});
    await this.#ended;
  }

  async release(): Promise<void> {
    if (this.#id) await this.#heartbeat.leave(this.#id);
    this.#id = undefined;
  }

  async #keepRunning(onRunning: () => void): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#changed = new AbortController();
      const ending = AbortSignal.any([this.#stopping.signal, this.#changed.signal]);
      const tasks = this.#settings.tasks();
      this.#tasks = Object.keys(tasks).length;
      if (this.#tasks === 0) {
        onRunning();
        await once(ending, 'abort');
        continue;
      }
      try {
        const failing = Promise.withResolvers<never>();
        failing.promise.catch(() => {});
        this.#runner = await this.#open(tasks, failing.reject);
        onRunning();
        if (ending.aborted) await this.#runner.stop().catch(() => {});
        await Promise.race([this.#runner.promise, failing.promise]);
      } catch (error) {
        this.#log.error({ lane: this.#settings.name, err: error }, 'lane failed');
      }
      // An abandoned runner may still run.
      void this.#runner?.stop().catch(() => {});
      this.#runner = undefined;
      await this.release().catch((error) => this.#log.warn({ lane: this.#settings.name, err: error }, 'could not unlock jobs'));
      await sleep(RESTART_AFTER_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
    onRunning();
  }

  #open(tasks: TaskList, onStuck: (error: Error) => void): Promise<Runner> {
    const { name, concurrency, ahead } = this.#settings;
    return run({
      pgPool: this.#pgPool,
      taskList: tasks,
      // The process handles signals itself.
      noHandleSignals: true,
      events: this.#events(name, onStuck),
      logger: quietLogger(this.#log),
      parsedCronItems: [],
      preset: {
        worker: {
          concurrentJobs: concurrency,
          // Without jobs fetched ahead, each concurrent slot polls separately.
          pollInterval: ahead > 0 ? POLL_MS : POLL_SLOWLY_MS,
          gracefulShutdownAbortTimeout: ABORT_AFTER_MS,
          ...(ahead > 0 ? { localQueue: { size: ahead, ttl: 10_000 } } : {}),
        },
      },
    });
  }

  #events(lane: string, onStuck: (error: Error) => void): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    const [log, metrics] = [this.#log, this.#metrics];
    const begun = new Map<string, number>();
    events.on('pool:create', ({ workerPool }) => {
      this.#id = workerPool.id;
      void this.#heartbeat.join(workerPool.id, { lane, held: heldBy(events) });
      const idle = setTimeout(() => onStuck(new Error('The runner fetches no jobs.')), FIRST_FETCH_WITHIN_MS).unref();
      for (const event of ['localQueue:getJobs:complete', 'worker:getJob:empty', 'job:start'] as const) {
        events.once(event, () => clearTimeout(idle));
      }
    });
    events.on('pool:gracefulShutdown', ({ message }) => {
      const stuck = () => onStuck(new Error(`The runner did not stop after: ${message}`));
      if (!this.#stopping.signal.aborted && !this.#changed.signal.aborted) setTimeout(stuck, ABANDON_AFTER_MS).unref();
    });
    events.on('job:start', ({ job }) => {
      begun.set(job.id, performance.now());
      metrics.jobStarted(job.task_identifier);
    });
    events.on('job:success', ({ job }) => metrics.jobDone(job.task_identifier, performance.now() - (begun.get(job.id) ?? 0)));
    events.on('job:complete', ({ job }) => begun.delete(job.id));
    events.on('job:error', ({ job, error }) => {
      metrics.jobFailed(job.task_identifier, job.attempts >= job.max_attempts);
      log.warn({ job: job.id, task: job.task_identifier, attempt: job.attempts, ...aboutJob(job.payload), err: error }, 'job failed');
    });
    events.on('job:failed', ({ job }) =>
      log.error({ job: job.id, task: job.task_identifier, ...aboutJob(job.payload) }, 'job failed permanently'),
    );
    return events;
  }
}

function heldBy(events: WorkerEvents): ReadonlySet<string> {
  const held = new Set<string>();
  events.on('localQueue:getJobs:complete', ({ jobs }) => jobs.forEach(({ id }) => void held.add(id)));
  events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(({ id }) => void held.delete(id)));
  events.on('job:start', ({ job }) => void held.add(job.id));
  events.on('job:complete', ({ job }) => void held.delete(job.id));
  return held;
}

/** Logs graphile-worker's errors and warnings. Job failures are logged elsewhere, and the small pool is intended. */
function quietLogger(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    const known = message.startsWith('Failed task') || message.includes('smaller than concurrency');
    if ((level === 'error' || level === 'warning') && !known) {
      log.warn({ detail: firstLine(message).slice(0, 300) }, 'graphile-worker');
    }
  });
}
