/** The official conformance scenarios for a tools-only server, through a loopback proxy that adds the key. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { type McpWorld, mcpWorld, type Target } from '../support/mcpWorld.ts';
import { spawnFor } from '../support/processes.ts';

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after.always('close', () => world?.end());

const suite = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

/** Forwards every request, Origin included, with the key added. Its own address counts as the endpoint's. */
async function keyed(t: ExecutionContext, { url, key }: Target): Promise<string> {
  const target = new URL(url);
  const server = http.createServer((request, response) => {
    const { origin, ...headers } = request.headers;
    const own = origin === undefined || origin.endsWith(`:${(server.address() as AddressInfo).port}`);
    const passed = { ...headers, authorization: `Bearer ${key}`, ...(own ? {} : { origin }) };
    const upstream = http.request(target, { method: request.method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
}

for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
  test(`conformance: ${scenario}`, async (t) => {
    const url = await keyed(t, world.agent);
    const run = spawnFor(t, [suite, 'server', '--url', url, '--scenario', scenario], { cwd: temporaryFolder() });
    const { code } = await run.exit();
    t.is(code, 0, run.lines.join('\n'));
    t.true(
      run.lines.some((line) => /Passed: [1-9]\d*\/\d+, 0 failed/.test(line)),
      run.lines.join('\n'),
    );
  });
}
