/** /healthz, /readyz and /metrics, behaviour §1.8. */
import type { Context } from 'koa';
import type { Config } from '../config.ts';
import type { Db } from '../database/db.ts';
import { type DatabaseState, databaseState } from '../database/migrations.ts';
import { sameSecret } from '../values/compare.ts';
import { commit, version } from '../values/version.ts';
import { gatherMetrics } from './gatherMetrics.ts';
import { readInstallation } from './installation.ts';
import type { Metrics } from './metrics.ts';

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
