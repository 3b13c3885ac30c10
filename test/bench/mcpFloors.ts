/** The protocol's own cost: the official library with one empty tool, and tools/list routed by hand. One process. */
import { createServer, type IncomingMessage } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import Koa from 'koa';
import pg from 'pg';
import { listedTool } from '../../src/mcp/adapter.ts';
import { tools } from '../../src/mcp/tools.ts';

const { DATABASE_URL, STATEMENTS } = process.env;
const { authenticate } = JSON.parse(STATEMENTS!);
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: 10, options: '-c timezone=UTC' });
const list = { tools: tools.map(listedTool) };
const listText = JSON.stringify(list);

async function bodyOf(request: IncomingMessage): Promise<{ id: number }> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const library = createServer(async (request, response) => {
  const server = new Server({ name: 'floor', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => list as never);
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text' as const, text: '{}' }] }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport as never);
  await transport.handleRequest(request, response, await bodyOf(request));
});

/** On Koa, with our own credential statement. */
const koa = new Koa();
koa.use(async (ctx) => {
  const { id } = await bodyOf(ctx.req);
  await pool.query({ name: 'authenticate', text: authenticate.text, values: authenticate.values });
  ctx.body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${listText}}`;
  ctx.type = 'application/json';
});
const byHand = createServer(koa.callback());

const portOf = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)));
console.log(JSON.stringify({ library: await portOf(library), byHand: await portOf(byHand) }));
