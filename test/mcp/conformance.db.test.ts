/** The official conformance scenarios of both eras for a tools-only server, through a loopback proxy that adds the key. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { ExecutionContext } from 'ava';
import { fileDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { type McpWorld, mcpWorld, type Target } from '../support/mcpWorld.ts';
import { spawnFor } from '../support/processes.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const command = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

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

interface Scenario {
  name: string;
  revision: '2025-11-25' | '2026-07-28';
  /** Checks that need what this server does not offer: the suite's own diagnostic tools, prompts and resources. */
  notOffered?: readonly string[];
}

const scenarios: Scenario[] = [
  ...['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'].map((name) => ({
    name,
    revision: '2025-11-25' as const,
  })),
  ...[
    ...['tools-list', 'dns-rebinding-protection', 'server-sse-multiple-streams', 'http-header-validation'],
    ...['input-required-result-unsupported-methods', 'input-required-result-ignore-extra-params'],
  ].map((name) => ({ name, revision: '2026-07-28' as const })),
  {
    name: 'server-stateless',
    revision: '2026-07-28',
    notOffered: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    name: 'caching',
    revision: '2026-07-28',
    notOffered: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  },
];

for (const { name, revision, notOffered = [] } of scenarios) {
  test(`conformance with ${revision}: ${name}`, async (t) => {
    const url = await keyed(t, world.agent);
    const options = ['--url', url, '--scenario', name, '--spec-version', revision];
    const run = spawnFor(t, [command, 'server', ...options], { cwd: temporaryFolder() });
    const { code } = await run.exit();
    const lines = run.lines.map(stripVTControlCharacters);
    const failed = lines.flatMap((line) => /\[(\S+)\s*\] FAILURE/.exec(line)?.[1] ?? []);
    t.deepEqual(failed.sort(), [...notOffered].sort(), lines.join('\n'));
    t.true(
      lines.some((line) => /Passed: [1-9]\d*\/\d+/.test(line)),
      lines.join('\n'),
    );
    t.is(code, notOffered.length ? 1 : 0);
  });
}
