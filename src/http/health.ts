/** /healthz, /readyz and /metrics, behaviour §1.8. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { Gauge, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Db, Tx } from '../database/db.ts';
import { type DatabaseState, databaseState } from '../database/migrations.ts';
import { readQueue, readWorkers } from '../queue/queueQueries.ts';
import { sameSecret } from '../values/text.ts';
import { commit, version } from '../values/version.ts';
import { gatherMetrics, type Metrics } from './metrics.ts';
import { readDatabaseBytes, readLate } from './metricsQueries.ts';

// Metrics of the installation. Each scrape queries the database, so an outage shows without traffic (behaviour §1.27).

/** Together below the 10 s scrape timeout of Prometheus. */
const PROBE_MS = 2_000;
const READ_MS = 6_000;

const jobStates = ['runnable', 'held', 'scheduled', 'retrying', 'running', 'stuck', 'failed'] as const;

export async function readInstallation(db: Db, outboundOff: boolean): Promise<{ isUp: boolean; text: string }> {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value);
  const bytes = await within(PROBE_MS, readDatabaseBytes(db.pool()));
  gauge('stint_database_up', '1 if the database answers this process within 2 s, else 0', bytes === null ? 0 : 1);
  const state = bytes === null ? null : await within(READ_MS, readState(db.pool(), outboundOff));
  if (bytes !== null) gauge('stint_database_bytes', 'Size of the database on disk', bytes);
  if (state) {
    const { queue, workers, late } = state;
    gauge('stint_workers_alive', 'Worker processes with a heartbeat in the last 90 s', workers.alive);
    gauge('stint_oldest_runnable_job_seconds', 'Waiting time of the oldest runnable job', queue.oldest_seconds ?? 0);
    gauge(
      'stint_webhook_failing_seconds',
      'Time since the first failure of the webhook that has failed longest, without paused webhooks',
      late.webhook,
    );
    gauge('stint_forecast_late_seconds', 'Age of the oldest change that no forecast includes yet', late.forecast);
    const jobs = new Gauge({
      name: 'stint_jobs',
      help: 'Jobs by state: runnable, held (on hold), scheduled, running, retrying (also counted as one of these), stuck, failed permanently',
      labelNames: ['state'],
      registers: [registry],
    });
    for (const name of jobStates) jobs.set({ state: name }, queue[name]);
  }
  return { isUp: bytes !== null, text: await registry.metrics() };
}

async function readState(tx: Tx, outboundOff: boolean) {
  return { queue: await readQueue(tx, outboundOff), workers: await readWorkers(tx), late: await readLate(tx) };
}

/** Null if it fails or takes longer. Unknown values have no sample, because a 0 could raise an alert. */
const within = <T>(ms: number, work: Promise<T>): Promise<T | null> =>
  Promise.race([work.catch(() => null), sleep(ms, null, { ref: false })]);

type Handler = (ctx: Context) => void | Promise<void>;

interface HealthDeps {
  db: Db;
  config: Config;
  metrics: Metrics;
}

export function health({ db, config, metrics }: HealthDeps): Map<string, Handler> {
  return new Map<string, Handler>([
    ['/healthz', (ctx) => answer(ctx, 200, { status: 'up', version, commit })],
    ['/readyz', async (ctx) => ready(ctx, await databaseState(db))],
    [
      '/metrics',
      async (ctx) => {
        if (!config.metricsToken) return answer(ctx, 404, { error: 'There is nothing at this address.' });
        if (!isToken(ctx, config.metricsToken)) return answer(ctx, 401, { error: 'Send the METRICS_TOKEN as a Bearer token.' });
        ctx.type = metrics.registry.contentType;
        ctx.body = await allMetrics(db, metrics, config);
      },
    ],
  ]);
}

async function allMetrics(db: Db, { registry }: Metrics, { metricsGather, outboundOff }: Config): Promise<string> {
  const { isUp, text } = await readInstallation(db, outboundOff);
  const own = () => registry.metrics();
  return `${metricsGather && isUp ? await gatherMetrics(db).catch(own) : await own()}\n${text}`;
}

function ready(ctx: Context, database: DatabaseState) {
  if (database !== 'migrated') ctx.set('Retry-After', '2');
  answer(ctx, database === 'migrated' ? 200 : 503, { status: database === 'migrated' ? 'ready' : 'not ready', database });
}

function isToken(ctx: Context, token: string): boolean {
  return sameSecret(ctx.get('authorization').replace(/^Bearer /, ''), token);
}

function answer(ctx: Context, status: number, body: object) {
  ctx.status = status;
  ctx.body = body;
}
