/** Senseless arguments: refused with a message, never a failure of the service. */
import fc from 'fast-check';
import { inputSchema } from '../../src/mcp/schemas.ts';
import { isWrite, tools } from '../../src/mcp/tools.ts';
import { fileDatabase } from '../support/database.ts';
import { call, type McpWorld, mcpWorld, once, post } from '../support/mcpWorld.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: McpWorld;
test.before('an endpoint', async () => {
  world = await mcpWorld(database.url);
});
test.after('close', () => world?.end());

const allowed = new Set(['ok', 'invalid_request', 'forbidden', 'conflict']);
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>('\0', '\ud800', '💥'.repeat(400), -0, 1e308, -1, 0, 2 ** 53, 1.5, '1', '0x1', 'NaN', [], {}, null, true),
  fc.constantFrom(
    '2026-02-30',
    '2026-01-01T25:00',
    '0001-01-01',
    '9999-12-31',
    '2026-01-01',
    "'; drop table items; --",
    '../../etc/passwd',
  ),
  fc.nat({ max: 20 }),
);

for (const tool of tools) {
  test(`${tool.name}: odd arguments are refused with a message`, async (t) => {
    const { properties } = inputSchema(tool) as { properties: Record<string, { enum?: string[] }> };
    const names = Object.keys(properties).filter((name) => name !== 'requestId');
    const value = (name: string) => fc.oneof(odd, fc.constantFrom(...(properties[name]!.enum ?? ['x'])));
    const known = fc.record(Object.fromEntries(names.map((name) => [name, value(name)])), { requiredKeys: [] });
    const strange = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')), odd, { maxKeys: 2 });
    await fc.assert(
      fc.asyncProperty(
        known,
        fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strange }),
        async (given, more) => {
          const all = JSON.parse(JSON.stringify({ ...given, ...more }));
          const { value: found, isError } = await call(world.agent, tool.name, isWrite(tool) ? once(all) : all);
          const code = isError ? found.error.code : 'ok';
          t.true(allowed.has(code), `${JSON.stringify(all)} ${JSON.stringify(found)}`);
          const unknown = Object.keys(all).some((name) => !Object.hasOwn(properties, name));
          if (unknown) t.is(code, 'invalid_request', JSON.stringify(all));
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test(`${tool.name}: a write refuses a missing or invalid requestId, a read refuses any`, async (t) => {
    const properties = inputSchema(tool).properties as object;
    const write = isWrite(tool);
    const rest = !write && 'id' in properties ? { id: 1 } : {};
    // svc_context accepts a write's requestId to report its result.
    if (!write && 'requestId' in properties) return t.is(tool.name, 'svc_context');
    for (const requestId of write ? [undefined, null, '', 5, 'not-a-uuid', ` ${once({}).requestId}`] : [once({}).requestId]) {
      const { value } = await call(world.agent, tool.name, { requestId, ...rest });
      t.is(value.error.code, 'invalid_request');
      t.regex(value.error.message, /requestId/);
    }
  });
}

test('no request body causes a failure of the service', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      ),
      async (body) => {
        const answer = await post(world.agent, body);
        t.true([200, 202, 400].includes(answer.status), `${answer.status} to ${body}`);
        await answer.arrayBuffer();
      },
    ),
    { numRuns: runs(100) },
  );
});
