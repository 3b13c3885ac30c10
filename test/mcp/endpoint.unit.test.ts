/** One server for all requests of a process, and yet no answer reaches another caller (behaviour §7.1). */
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { answerMessage, type Handlers } from '../../src/mcp/endpoint.ts';
import { Unchanging, Written } from '../../src/mcp/results.ts';
import { Unavailable } from '../../src/values/errors.ts';

const kinds = ['list', 'call', 'unknown tool', 'unknown method', 'ping', 'initialize', 'fails', 'no request'] as const;
type Kind = (typeof kinds)[number];

const requests: Record<Kind, object> = {
  list: { method: 'tools/list' },
  call: { method: 'tools/call', params: { name: 'known', arguments: {} } },
  'unknown tool': { method: 'tools/call', params: { name: 'unknown' } },
  'unknown method': { method: 'resources/list' },
  ping: { method: 'ping' },
  initialize: {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  fails: { method: 'tools/call', params: { name: 'fails', arguments: {} } },
  'no request': { method: 'ping', params: 5 },
};

const list = new Unchanging(JSON.stringify({ tools: [] }));

/** Handlers that answer with their caller's name, after so many turns of the event loop. */
function handlersOf(caller: string, turns: number): Handlers {
  const later = async () => {
    for (let n = 0; n < turns; n++) await turn();
  };
  const mine = new Written(JSON.stringify({ caller }));
  return {
    async listTools() {
      await later();
      return list;
    },
    async callTool(name) {
      await later();
      if (name === 'fails') throw new Unavailable(caller);
      return name === 'known' ? mine : null;
    },
  };
}

const expected: Record<Kind, (answer: { result?: object; error?: { code: number } }, caller: string) => boolean> = {
  list: ({ result }) => JSON.stringify(result) === '{"tools":[]}',
  call: ({ result }, caller) => (result as { caller: string }).caller === caller,
  'unknown tool': ({ error }) => error?.code === -32602,
  'unknown method': ({ error }) => error?.code === -32601,
  ping: ({ result }) => JSON.stringify(result) === '{}',
  initialize: ({ result }) => (result as { protocolVersion: string }).protocolVersion === '2025-06-18',
  fails: () => false,
  'no request': ({ error }) => error?.code === -32600,
};

test('however requests of many callers interleave, under whatever ids, each gets its own answer under its own id', async (t) => {
  const asked = fc.record({ kind: fc.constantFrom(...kinds), id: fc.constantFrom<string | number>(0, 1, 2, '1', 'a'), turns: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 40 }), async (all) => {
      await Promise.all(
        all.map(async ({ kind, id, turns }, n) => {
          const caller = `caller ${n}`;
          const work = answerMessage({ jsonrpc: '2.0', id, ...requests[kind] }, handlersOf(caller, turns));
          if (kind === 'fails') return t.throwsAsync(work, { instanceOf: Unavailable, message: caller });
          const { body, invalid } = await work;
          const answer = JSON.parse(String(body));
          t.is(invalid, kind === 'no request');
          t.is(answer.id, invalid ? null : id);
          t.true(expected[kind](answer, caller), `${kind}: ${body}`);
        }),
      );
    }),
    { numRuns: 60 },
  );
});

test('what one client says of itself is told to nobody, and a cancellation of an id reaches no request of another', async (t) => {
  const slow = answerMessage({ jsonrpc: '2.0', id: 1, ...requests.call }, handlersOf('slow', 20));
  const named = {
    method: 'initialize',
    params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'needle', version: '1' } },
  };
  await answerMessage({ jsonrpc: '2.0', id: 1, ...named }, handlersOf('needle', 0));
  const { body } = await answerMessage({ jsonrpc: '2.0', id: 1, ...requests.initialize }, handlersOf('other', 0));
  t.notRegex(String(body), /needle/);
  const cancel = { jsonrpc: '2.0', id: 1, method: 'notifications/cancelled', params: { requestId: 1 } };
  t.is(JSON.parse(String((await answerMessage(cancel, handlersOf('rude', 0))).body)).error.code, -32601);
  t.is(JSON.parse(String((await slow).body)).result.caller, 'slow');
});
