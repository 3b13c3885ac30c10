/** `node test/bench/floors.ts bare|tools`: a floor without any rule of ours. `bare` runs plain statements on node:http, `tools` answers
 *  tools/list on Koa. */
import { createServer, type IncomingMessage } from 'node:http';
import Koa from 'koa';
import pg from 'pg';
import { listedTool } from '../../src/mcp/adapter.ts';
import { tools } from '../../src/mcp/tools.ts';
import type { Statement } from './capture.ts';

/** By name. `save` and `comment` take values from the request's body. */
const statements: Record<string, Statement> = JSON.parse(process.env.STATEMENTS!);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10, options: '-c timezone=UTC' });
const query = (name: string, values = statements[name]!.values) => pool.query({ name, text: statements[name]!.text, values });

async function bodyOf(request: IncomingMessage) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const bare = createServer(async (request, response) => {
  const { rows } = await query(request.url!.slice(1), request.method === 'POST' ? await bodyOf(request) : undefined);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(rows[0].json) });
  response.end(rows[0].json);
});

const list = JSON.stringify({ tools: tools.map(listedTool) });
const koa = new Koa();
koa.use(async (ctx) => {
  const { id } = await bodyOf(ctx.req);
  await query('authenticate');
  ctx.body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${list}}`;
  ctx.type = 'application/json';
});

const server = process.argv[2] === 'bare' ? bare : createServer(koa.callback());
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
