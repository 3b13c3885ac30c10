/** Floors: the same statements on bare node:http and on Koa, without any rule of ours. One process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Koa from 'koa';
import pg from 'pg';

const { DATABASE_URL, STATEMENTS } = process.env;
/** Name to text and fixed values. `save` and `comment` take values from the request's body. */
const statements: Record<string, { text: string; values: unknown[] }> = JSON.parse(STATEMENTS!);
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: 10, options: '-c timezone=UTC' });

async function answer(path: string, body: unknown[] | undefined): Promise<string> {
  const name = path.slice(1);
  if (name === 'hello') return '{"hello":"world"}';
  const statement = statements[name]!;
  const { rows } = await pool.query({ name, text: statement.text, values: body ?? statement.values });
  return rows[0].json;
}

async function bodyOf(request: IncomingMessage): Promise<unknown[] | undefined> {
  if (request.method !== 'POST') return undefined;
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const bare = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  const text = await answer(request.url!, await bodyOf(request));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
});

const koa = new Koa();
koa.use(async (ctx) => {
  ctx.body = await answer(ctx.path, await bodyOf(ctx.req));
  ctx.type = 'application/json';
});
const onKoa = createServer(koa.callback());

const portOf = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)));
console.log(JSON.stringify({ bare: await portOf(bare), koa: await portOf(onKoa) }));
