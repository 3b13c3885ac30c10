/** Serves /healthz, /readyz and /metrics on WORKER_PORT, as web processes do, and nothing else (behaviour §1.8). */
import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { Config } from '../src/config.ts';
import type { Db } from '../src/database/db.ts';
import { health } from '../src/http/health.ts';
import type { Metrics } from '../src/http/metrics.ts';
import type { Logger } from '../src/log.ts';

export function startStatusServer(config: Config, db: Db, metrics: Metrics, log: Logger): Server | undefined {
  if (config.workerPort === undefined) return undefined;
  const answers = health({ config, db, metrics });
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    const answer = ctx.method === 'GET' && answers.get(ctx.path);
    if (answer) return answer(ctx);
    ctx.status = 404;
    ctx.body = { error: 'There is nothing at this address: a worker has /healthz, /readyz and /metrics.' };
  });
  const server = createServer(app.callback());
  server.on('error', (error) => log.error({ err: error }, 'can not listen on WORKER_PORT'));
  server.listen(config.workerPort, config.host, () => {
    const address = server.address();
    log.info({ port: typeof address === 'object' ? address?.port : config.workerPort }, 'status is served');
  });
  return server;
}
