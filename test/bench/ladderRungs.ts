/** GET /item from bare node:http up to the whole application, one server for each layer, built from our own parts. One process, a port for
 *  each. */
import { hash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Context } from 'koa';
import pg from 'pg';
import type { KeyHolder } from '../../src/access/caller.ts';
import { Identities } from '../../src/access/identities.ts';
import { LastUse, restCallers } from '../../src/access/presented.ts';
import { Limiter } from '../../src/access/throttle/perMinute.ts';
import { makeApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { connectDb } from '../../src/database/db.ts';
import { answerJson, setLimitHeaders } from '../../src/http/answer.ts';
import { guarded } from '../../src/http/guard.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { requestIdOf } from '../../src/http/requestLog.ts';
import { getItem } from '../../src/items/getItem.ts';
import { makeLogger } from '../../src/log.ts';
import { jsonTextOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { restHandler } from '../../src/rest/adapter.ts';
import { restRoutes } from '../../src/rest/routes.ts';

const config = readConfig();
const { key, input, statement } = JSON.parse(process.env.LADDER!);
const pool = new pg.Pool({
  connectionString: config.databaseUrl,
  max: 10,
  options: '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
});
const db = await connectDb(config.databaseUrl, 10);
const fixed = restCallers(['X-API-Key', key], '', false) as KeyHolder;
const { secretKey } = config;
const lastUse = new LastUse(db);
const limiter = new Limiter(db, config.limits.rest);

const plain = 'select row_to_json(i)::text as work from items i where id = $1';
const bare = async () => (await pool.query({ name: 'plain', text: plain, values: [input.id] })).rows[0].work as string;
const ruled = async () => (await pool.query({ name: 'ruled', text: statement.text, values: statement.values })).rows[0].work as string;
const performed = async (caller = fixed) => jsonTextOf(await perform(db, caller, getItem, input));
const text = await performed();

const onNode =
  (answer: () => Promise<string> | string): RequestListener =>
  async (_request, response) => {
    const body = await answer();
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  };

function onKoa(answer: (ctx: Context) => Promise<void>): RequestListener {
  const koa = new Koa();
  koa.use(async (ctx) => {
    await answer(ctx);
  });
  return koa.callback();
}

function setHeaders(ctx: Context, body: string) {
  ctx.set({ 'X-Request-Id': requestIdOf(''), 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private, no-cache' });
  ctx.set('ETag', `"${hash('sha1', body, 'base64url')}"`);
  answerJson(ctx, 200, body);
}

const rest = restHandler(restRoutes({ secretKey, listener: db }), {
  ...{ db, limiter, lastUse, secretKey, previousSecretKey: undefined },
  ...{ identities: new Identities(db), companions: false },
});
const metrics = new Metrics(db.load);

const application = makeApp({ config, db, log: makeLogger('silent', 'web'), metrics }).app.callback();

const rungs: Record<string, RequestListener> = {
  'bare node:http': onNode(() => text),
  '+ a row by pg': onNode(bare),
  '+ access in its statement, JSON by name': onNode(ruled),
  '+ slonik, rows validated, slots': onNode(() => performed()),
  '+ Koa': onKoa(async (ctx) => answerJson(ctx, 200, await performed())),
  '+ headers, request id, tag': onKoa(async (ctx) => setHeaders(ctx, await performed())),
  '+ credential, limiter': onKoa(async (ctx) => {
    const caller = restCallers(ctx.req.rawHeaders, ctx.querystring, false) as KeyHolder;
    const found = limiter.admit(`rest:${caller.hash.toString('base64url')}`);
    setLimitHeaders(ctx, found instanceof Promise ? await found : found);
    setHeaders(ctx, await performed(caller));
  }),
  '+ routes, query validated, last use (without request id)': onKoa((ctx) => rest(ctx, '/item')),
  '+ addresses, deadline, metrics, request id': application,
};

const ports: Record<string, number> = {};
const servers = {
  ...Object.fromEntries(Object.entries(rungs).map(([name, listener]) => [name, createServer(listener)])),
  '+ guard': createServer(),
};
guarded(servers['+ guard'], application);
for (const [name, server] of Object.entries(servers)) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports[name] = (server.address() as AddressInfo).port;
}
console.log(JSON.stringify({ ports }));
