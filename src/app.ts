/** The web application: the order in which a request meets its rules, on one screen. */
import { randomUUID } from 'node:crypto';
import Koa, { type Context } from 'koa';
import { LastUse } from './access/lastUse.ts';
import { Limiter } from './access/limiter.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import { Unavailable } from './errors.ts';
import { health } from './health.ts';
import { answerAppError, answerError } from './http/answer.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { restHandler } from './rest/adapter.ts';
import { restDocs } from './rest/docs.ts';
import { restRoutes } from './rest/routes.ts';

export interface AppDeps {
  config: Config;
  db: Db;
  log: Logger;
  metrics: Metrics;
}

const DEADLINE_MS = 11_000;

export function makeApp(deps: AppDeps): { app: Koa; lastUse: LastUse } {
  const { config, db } = deps;
  const app = new Koa({ proxy: config.trustProxy > 0, maxIpsCount: config.trustProxy });
  const lastUse = new LastUse(db);
  const routes = restRoutes(config);
  const docs = restDocs(routes, config);
  const rest = restHandler(routes, { db, limiter: new Limiter(db, config.limits.rest), lastUse, secretKey: config.secretKey });
  const operations = health(deps);
  app.silent = true;
  app.on('error', (error) => deps.log.error({ err: error }, 'request failed'));

  app.use(async (ctx, next) => {
    const started = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.set({ 'X-Request-Id': ctx.state.requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    if (config.https) ctx.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    try {
      await withDeadline(next());
    } catch (error) {
      ctx.state.cause = error instanceof Unavailable ? error.cause : error;
      answerAppError(ctx, error instanceof Unavailable ? error : new Unavailable());
    }
    record(deps, ctx, performance.now() - started);
  });

  app.use(async (ctx) => {
    const path = below(config.basePath, ctx.path);
    if (path === null) return answerError(ctx, 404, 'There is nothing at this address.');
    if (operations.has(path)) return operations.get(path)!(ctx);
    const isApi = path === '/api' || path.startsWith('/api/');
    if (isApi && cameAsPlainHttp(config, ctx)) return answerError(ctx, 403, 'Use https: a key sent over plain http must be rotated.');
    if (path.startsWith('/api/v1/')) {
      const place = path.slice('/api/v1'.length);
      return docs.has(place) ? docs.answer(ctx, place) : rest(ctx, place);
    }
    return answerError(ctx, 404, 'There is nothing at this address.');
  });
  return { app, lastUse };
}

/** The path below the context path, or null when it is not below. */
function below(basePath: string, path: string): string | null {
  if (!path.startsWith(basePath)) return null;
  const rest = path.slice(basePath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : null;
}

function cameAsPlainHttp({ https, trustProxy }: Config, ctx: Context): boolean {
  return https && trustProxy > 0 && ctx.protocol !== 'https';
}

async function withDeadline(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Unavailable()), DEADLINE_MS);
  });
  try {
    await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function record({ log, metrics }: AppDeps, ctx: Context, ms: number) {
  const { operation = 'other', requestId, cause } = ctx.state;
  metrics.request(operation, ctx.method, ctx.status, ms);
  if (cause) log.error({ requestId, operation, status: ctx.status, err: cause }, 'request failed');
  else log.info({ requestId, operation, method: ctx.method, status: ctx.status, ms: Math.round(ms * 10) / 10 }, 'request');
}
