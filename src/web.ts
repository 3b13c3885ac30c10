import './start/requireNode.js';
import { createServer } from 'node:http';
import { waitingForConnections } from './access/throttle/concurrency.ts';
import { makeApp } from './app.ts';
import { configOrExit, configWarnings } from './config.ts';
import { nameConnections } from './database/connections.ts';
import { openDb } from './database/db.ts';
import { databaseState, INCOMPATIBLE } from './database/migrations.ts';
import { guarded } from './http/guard.ts';
import { Metrics, publishMetrics } from './http/metrics.ts';
import { LONGEST_UPLOAD_MS } from './http/upload.ts';
import { makeLogger } from './log.ts';
import { commit, version } from './values/version.ts';

const DRAIN_MS = 20_000;
const LOAD_MORE_AFTER_MS = 2_000;

/** Loads code that the first agent and the first page need, but the first answer does not. */
async function loadMore(): Promise<void> {
  await import('./mcp/endpoint.ts');
  await import('./pages/routes.ts');
  const { compressAll } = await import('./pages/frame/serveAsset.ts');
  await compressAll();
}

const config = configOrExit();
const log = makeLogger(config.logLevel, 'web');
log.info({ version, commit }, 'starting');
for (const { name, message } of configWarnings(config)) log.warn({ about: name }, message);
nameConnections('web');
const db = openDb(config.databaseUrl, config.databasePoolSize, config);
const metrics = new Metrics(() => {
  const { inUse, waiting } = db.load();
  return { inUse, waiting: waiting + waitingForConnections() };
});
const ended = new AbortController();
if (config.metricsGather) void publishMetrics(db, metrics.registry, ended.signal);
const { app, endStreams, flush } = makeApp({ config, db, log, metrics });

const server = createServer({ connectionsCheckingInterval: 5_000 });
const closeConnections = guarded(server, app.callback());
// A router in front keeps idle connections for 90 s. This process must not close them first.
server.keepAliveTimeout = 95_000;
server.headersTimeout = 15_000;
// Only for uploads: `guarded` ends other requests sooner.
server.requestTimeout = LONGEST_UPLOAD_MS;
void databaseState(db).then((state) => {
  if (state !== 'incompatible') return;
  log.fatal(INCOMPATIBLE);
  process.exit(1);
});
server.listen(config.port, config.host, () => {
  const address = server.address();
  log.info({ port: typeof address === 'object' ? address?.port : config.port, baseUrl: config.baseUrl }, 'listening');
  setTimeout(() => void loadMore(), LOAD_MORE_AFTER_MS).unref();
});
// Loading starts after the first answer, so that a health check does not wait.
server.once('request', (_request, response) => response.once('close', () => void loadMore()));
server.on('error', (error) => {
  log.fatal({ err: error }, 'can not listen');
  process.exit(1);
});

let draining = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void drain());

async function drain() {
  if (draining) return;
  draining = true;
  ended.abort();
  log.info('draining');
  const closed = new Promise((resolve) => server.close(resolve));
  endStreams();
  closeConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
  await flush();
  await Promise.race([db.close(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  log.info('stopped');
  process.exit(0);
}
