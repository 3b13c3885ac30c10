import Koa, { type Context } from 'koa';
import { Identities } from './access/identities.ts';
import { LastUse, SESSION_COOKIE } from './access/presented.ts';
import { Limiter } from './access/throttle/perMinute.ts';
import type { Config } from './config.ts';
import { Activity } from './connections/activity.ts';
import type { Db } from './database/db.ts';
import { answerAppError, answerError } from './http/answer.ts';
import { cameAsPlainHttp, Deadline, hasOwnHost, misdirected, useHttps } from './http/guard.ts';
import { health } from './http/health.ts';
import type { Metrics } from './http/metrics.ts';
import { logRequest, requestIdOf } from './http/requestLog.ts';
import { LiveHub } from './live/hub.ts';
import type { Logger } from './log.ts';
import { listedTool, mcpHandler } from './mcp/adapter.ts';
import { compactResult } from './mcp/results.ts';
import { tools } from './mcp/tools.ts';
import { instructions } from './mcp/words.ts';
import { restHandler } from './rest/adapter.ts';
import { openapi } from './rest/openapi.ts';
import { restDocument, restRoutes } from './rest/routes.ts';
import { AppError, Unavailable } from './values/errors.ts';
import { lazy } from './values/lazy.ts';

export interface AppDeps {
  config: Config;
  db: Db;
  log: Logger;
  metrics: Metrics;
  /** The longest wait for an answer (behaviour §13.1). Tests wait longer, for busy machines. */
  deadlineMs?: number;
}

export const DEADLINE_MS = 10_500;
/** The pages are half of the code of a web process. They load after it listens (web.ts), or with the first page. */
const loadPages = () => import('./pages/routes.ts');

const programs = /^\/(?:api|mcp)(?:\/|$)/;
const docs = /^\/api\/v1\/docs(?:\/|$)/;
/** Paths that agents probe for OAuth. */
const probed = /^\/register$|^\/\.well-known\//;

/** The path below the context path, and whether programs, people or both use it. People get a page for any path. */
interface Place {
  path: string;
  isApi: boolean;
  isPage: boolean;
}

/** Before waiting for requests to end, call `endStreams`. After the last one, call `flush` to write data collected in memory. */
export function makeApp(deps: AppDeps): { app: Koa; endStreams(): void; flush(): Promise<void> } {
  const { config, log, deadlineMs = DEADLINE_MS } = deps;
  const faces = makeFaces(deps);
  const app = new Koa({ proxy: config.trustProxy > 0, maxIpsCount: config.trustProxy });
  app.silent = true;
  app.on('error', (error) => log.error({ err: error }, 'request failed'));
  app.use(async (ctx) => {
    const started = performance.now();
    setHeaders(config, ctx);
    const path = below(config.basePath, ctx.path);
    const place = path === null ? null : faces.placeOf(path);
    try {
      if (place?.isPage) await faces.pages();
      ctx.state.deadline = new Deadline(deadlineMs);
      await ctx.state.deadline.race(faces.answer(ctx, place));
    } catch (error) {
      ctx.state.cause = error instanceof Unavailable ? error.cause : error;
      const fault = error instanceof Unavailable ? error : new Unavailable();
      if (ctx.state.answerFault) ctx.state.answerFault(fault);
      else answerAppError(ctx, fault);
    }
    const ms = () => performance.now() - started;
    const unavailable = ctx.status === 503 || ctx.state.unavailable === true;
    deps.metrics.request(ctx.state.operation ?? 'other', ctx.method, ctx.status, ms(), unavailable);
    // The answer does not wait for its log line. A stream is logged when it ends.
    const leave = () => logRequest(log, faces.identities, ctx, ms());
    if (ctx.state.untilEnd) void ctx.state.untilEnd.then(leave);
    else leave();
  });
  return { app, endStreams: faces.endStreams, flush: faces.flush };
}

function setHeaders(config: Config, ctx: Context): void {
  ctx.state.requestId = requestIdOf(ctx.get('X-Request-Id'));
  ctx.set({ 'X-Request-Id': ctx.state.requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
  // Not over plain http, where browsers ignore it (RFC 6797, 7.2). Without includeSubDomains: other hosts may belong to others.
  if (config.https && config.hstsMaxAge !== null && !cameAsPlainHttp(config, ctx))
    ctx.set('Strict-Transport-Security', `max-age=${config.hstsMaxAge}`);
}

/** The REST API, the agent endpoint, the pages, and the state that they share. */
function makeFaces({ config, db, log, metrics }: AppDeps) {
  const identities = new Identities(db);
  const lastUse = new LastUse(db);
  const activity = new Activity(db);
  const keys = { secretKey: config.secretKey, previousSecretKey: config.previousSecretKey };
  const shared = { db, lastUse, identities, ...keys };
  const routes = restRoutes({ secretKey: config.secretKey, listener: db });
  const api = lazy(() => openapi(routes, config));
  const document = restDocument(api);
  const rest = restHandler(routes, { ...shared, limiter: new Limiter(db, config.limits.rest), companions: config.companionCookie });
  const mcp = mcpHandler(tools, {
    ...shared,
    limiter: new Limiter(db, config.limits.mcp),
    activity,
    origin: config.origin,
    rewriteTimeoutMs: config.rewrite.timeoutMs,
  });
  const hub = new LiveHub({ db, log, secretKey: config.secretKey, most: config.liveStreams });
  metrics.countStreams(() => hub.size);
  const reference = { api, tools: () => tools.map(listedTool), instructions, answerToAgent: compactResult };
  const pages = lazy(async () => (await loadPages()).pagesFace({ config, db, log, lastUse, hub, identities, reference }));
  const operations = health({ config, db, metrics });
  return {
    identities,
    pages,
    placeOf(path: string): Place {
      const isApi = programs.test(path);
      return { path, isApi, isPage: docs.test(path) || !(isApi || probed.test(path) || operations.has(path)) };
    },
    async answer(ctx: Context, place: Place | null): Promise<void> {
      if (place === null) return answerError(ctx, 404, 'There is nothing at this address. Check the URL.');
      const { path, isApi, isPage } = place;
      const operation = operations.get(path);
      if (operation) return operation(ctx);
      if (isApi && cameAsPlainHttp(config, ctx)) return answerAppError(ctx, new AppError('forbidden', useHttps));
      if (isApi && isBySession(ctx) && !hasOwnHost(config.origin, ctx)) return answerError(ctx, 421, misdirected(config));
      if (isPage) return (await pages())(ctx);
      if (path === '/api/v1/openapi.json') return document(ctx);
      if (path.startsWith('/api/v1/')) return rest(ctx, path.slice('/api/v1'.length));
      if (path === '/mcp') return mcp(ctx);
      return answerError(ctx, 404, 'There is nothing at this address. Check the URL.');
    },
    endStreams: () => hub.end(),
    async flush() {
      await Promise.allSettled([lastUse.flush(), activity.flush()]);
    },
  };
}

function below(basePath: string, path: string): string | null {
  if (!path.startsWith(basePath)) return null;
  const rest = path.slice(basePath.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : null;
}

/** With a key, the cookie does not count (behaviour §5.5). */
function isBySession(ctx: Context): boolean {
  const { cookie = '', authorization, 'x-api-key': apiKey } = ctx.req.headers;
  return cookie.includes(`${SESSION_COOKIE}=`) && authorization === undefined && apiKey === undefined;
}
