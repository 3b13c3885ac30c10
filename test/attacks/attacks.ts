/** What hostile clients do, each as hard as one process can, until it is told to stop. Runs in a process of its own (attacker.ts), so that
 *  whoever measures is not slowed by it. */
import { randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export interface Target {
  port: number;
  /** A REST key and an agent key of the attacker's own. */
  restKey: string;
  agentKey: string;
  workspaceId: number;
  /** A workspace of the attacker's with items as long as they can be. */
  longWorkspaceId: number;
}

export interface Attack {
  /** What is done, for the table. */
  title: string;
  seconds: number;
  run(target: Target, signal: AbortSignal, tally: Tally): Promise<void>;
  /** What takes long to make is made before the clock starts. */
  prepare?(): void;
}

/** How often which answer came: a status, `closed`, `failed`. */
export class Tally {
  counts: Record<string, number> = {};
  add(what: string | number): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

const BASE = '/stint';

/** `count` loops at once, each again and again until the end. */
async function loops(count: number, signal: AbortSignal, work: (n: number) => Promise<unknown>): Promise<void> {
  const loop = async (n: number) => {
    while (!signal.aborted) await work(n);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => loop(n)));
}

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Called instead of sending a body at once. */
  feed?(sending: ClientRequest): void;
}

/** One request; its answer is read and counted. */
function send({ port }: Target, { method = 'POST', path, headers = {}, body, feed }: Sent, tally: Tally): Promise<void> {
  return new Promise((resolve) => {
    const sending = request({ port, host: '127.0.0.1', method, path: BASE + path, headers, agent: false, timeout: 15_000 }, (answer) => {
      tally.add(answer.statusCode ?? 0);
      answer.resume();
      answer.on('close', resolve);
    });
    sending.on('timeout', () => sending.destroy());
    sending.on('error', () => {
      tally.add('closed');
      resolve();
    });
    sending.on('close', resolve);
    if (feed) feed(sending);
    else sending.end(body);
  });
}

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const mcpHeaders = ({ agentKey }: Target) => ({
  ...json,
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${agentKey}`,
});
const toolCall = (name: string, given: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } });

/** A socket that says `opening`, then a byte now and then; opened anew when it is closed. */
async function drip({ port }: Target, signal: AbortSignal, tally: Tally, opening: string, drop: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      if (!signal.aborted) tally.add('closed');
      resolve();
    });
  });
  socket.on('error', () => {});
  socket.on('data', (data) => tally.add(data.toString('latin1').slice(9, 12)));
  socket.write(opening);
  const timer = setInterval(() => socket.write(drop), 1_000);
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  await closed;
  clearInterval(timer);
  signal.removeEventListener('abort', end);
}

const head = (line: string, headers: Record<string, string | number>) =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}`;

/** Asks for long answers, several on each connection, and never reads one. */
async function stall({ port, restKey, longWorkspaceId }: Target, signal: AbortSignal, tally: Tally): Promise<void> {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const path = `${BASE}/api/v1/items?workspaceId=${longWorkspaceId}&limit=100`;
  socket.write(`${head(`GET ${path}`, { 'X-API-Key': restKey })}\r\n`.repeat(2));
  socket.pause();
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await closed;
  if (!signal.aborted) tally.add('closed');
}

const MIB = 1024 * 1024;
let compressed: (readonly ['gzip' | 'br', Buffer])[] = [];
const zeros = (mib: number) => Buffer.alloc(mib * MIB, 0x61);
/** 300 MiB as a few hundred KiB. */
const bomb = () => gzipSync(zeros(300), { level: 9 });
const brotliBomb = () => brotliCompressSync(zeros(300), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** 100 MiB in pieces, as fast as they are taken. */
function feedHundred(sending: ClientRequest): void {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  let left = 1_600;
  const push = () => {
    while (left-- > 0) if (!sending.write(piece)) return void sending.once('drain', push);
    sending.end();
  };
  sending.on('error', () => {});
  push();
}

/** Personal notes whose elements are nested or misnested as far as 128 KiB go. */
const nested = [
  '<b>'.repeat(40_000),
  '<p><b>'.repeat(20_000),
  '<a href="http://a.example"><b>'.repeat(4_000),
  '<table><tr><td>'.repeat(8_000),
  '<blockquote><ul><li>'.repeat(6_000),
  '<b><i><u><s><p>'.repeat(8_000),
  `<p>${'&amp;'.repeat(25_000)}</p>`,
  '<table><b>x'.repeat(11_000),
  '</p>'.repeat(32_000),
];

export const attacks: Record<string, Attack> = {
  slowHeaders: {
    ...{ title: '300 connections that send a header a byte a second', seconds: 20 },
    run: (target, signal, tally) =>
      loops(300, signal, () => drip(target, signal, tally, `${head(`GET ${BASE}/api/v1/workspaces`, {})}X-Slow: `, 'a')),
  },
  slowBodies: {
    ...{ title: '300 connections that send a body a byte a second', seconds: 20 },
    run: (target, signal, tally) => {
      const opening = `${head(`POST ${BASE}/api/v1/comments`, { ...json, 'X-API-Key': target.restKey, 'Content-Length': 100_000 })}\r\n{`;
      return loops(300, signal, () => drip(target, signal, tally, opening, ' '));
    },
  },
  slowReaders: {
    ...{ title: '60 connections that ask for 2 × 5 MB and never read', seconds: 15 },
    run: (target, signal, tally) => loops(60, signal, () => stall(target, signal, tally)),
  },
  idle: {
    ...{ title: '500 connections that say nothing, 500 kept alive', seconds: 8 },
    run: (target, signal, tally) => {
      const opening = `${head(`GET ${BASE}/healthz`, {})}\r\n`;
      return loops(1_000, signal, (n) => drip(target, signal, tally, n % 2 ? opening : '', ''));
    },
  },
  bombs: {
    ...{ title: '300 MiB as gzip and brotli, to the API, the agents and the sign-in', seconds: 8 },
    prepare: () => {
      compressed = [
        ['gzip', bomb()],
        ['br', brotliBomb()],
      ];
    },
    run: async (target, signal, tally) => {
      const to = [
        { path: '/api/v1/items/save', headers: { ...json, 'X-API-Key': target.restKey } },
        { path: '/mcp', headers: mcpHeaders(target) },
        { path: '/sign-in', headers: form },
      ];
      await loops(6, signal, async (n) => {
        const [encoding, body] = compressed[n % 2]!;
        const { path, headers } = to[n % 3]!;
        await send(target, { path, headers: { ...headers, 'Content-Encoding': encoding }, body }, tally);
      });
    },
  },
  hugeBodies: {
    ...{ title: '100 MiB bodies, with a length and in chunks without one', seconds: 8 },
    run: (target, signal, tally) =>
      loops(6, signal, (n) => {
        const to = [
          { path: '/api/v1/items/save', headers: { ...json, 'X-API-Key': target.restKey } },
          { path: '/mcp', headers: mcpHeaders(target) },
          { path: '/sign-in', headers: form },
        ];
        const { path, headers } = to[n % 3]!;
        return send(
          target,
          { path, headers: n < 3 ? headers : { ...headers, 'Content-Length': String(100 * MIB) }, feed: feedHundred },
          tally,
        );
      }),
  },
  uploads: {
    ...{ title: '100 MiB as an attachment to the sign-in', seconds: 8 },
    run: (target, signal, tally) =>
      loops(4, signal, () =>
        send(
          target,
          {
            path: '/sign-in',
            headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
            feed: (sending) => {
              sending.write(
                '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: application/octet-stream\r\n\r\n',
              );
              feedHundred(sending);
            },
          },
          tally,
        ),
      ),
  },
  deepJson: {
    ...{ title: 'JSON as deep and as manifold as its size allows', seconds: 8 },
    run: (target, signal, tally) => {
      const shapes = [
        '['.repeat(MIB - 1),
        `[${'[],'.repeat(340_000)}[]]`,
        `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":0`).join()}}`,
        `"${'\\u0061'.repeat(170_000)}"`,
      ];
      return loops(4, signal, (n) =>
        send(target, { path: '/api/v1/items/save', headers: { ...json, 'X-API-Key': target.restKey }, body: shapes[n]! }, tally),
      );
    },
  },
  wideArguments: {
    ...{ title: '8 MiB of arguments to a tool: lists, keys, items', seconds: 8 },
    run: (target, signal, tally) => {
      const item = '{"type":"task","title":""}';
      const shapes = [
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_create_items","arguments":{"requestId":"${randomUUID()}","workspaceId":1,"items":[${`${item},`.repeat(300_000)}${item}]}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_context","arguments":{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":0`).join()}}}}`,
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_context","arguments":{"x":[${'[],'.repeat(2_700_000)}[]]}}}`,
        toolCall('svc_add_note', { requestId: randomUUID(), id: 1, body: 'a'.repeat(8_000_000) }),
      ];
      return loops(2, signal, async (n) => {
        await send(target, { path: '/mcp', headers: mcpHeaders(target), body: shapes[n]! }, tally);
        await send(target, { path: '/mcp', headers: mcpHeaders(target), body: shapes[n + 2]! }, tally);
      });
    },
  },
  nestedHtml: {
    ...{ title: 'Personal notes of nested and misnested HTML, 128 KiB each', seconds: 8 },
    run: (target, signal, tally) => {
      let turn = 0;
      return loops(4, signal, () => {
        const html = nested[turn++ % nested.length]!.slice(0, 131_000);
        return send(
          target,
          { path: '/mcp', headers: mcpHeaders(target), body: toolCall('svc_personal_notes_create', { requestId: randomUUID(), html }) },
          tally,
        );
      });
    },
  },
  signIns: {
    ...{ title: '200 sign-ins at once, again and again', seconds: 10 },
    run: (target, signal, tally) =>
      loops(200, signal, (n) =>
        send(target, { path: '/sign-in', headers: form, body: `email=nobody${n}%40x.example&password=${randomUUID()}` }, tally),
      ),
  },
  wrongKeys: {
    ...{ title: 'Keys tried out by 16 connections', seconds: 8 },
    run: (target, signal, tally) =>
      loops(16, signal, (n) =>
        n % 2
          ? send(target, { method: 'GET', path: '/api/v1/workspaces', headers: { 'X-API-Key': `stint_rest_${randomUUID()}` } }, tally)
          : send(
              target,
              {
                path: '/mcp',
                headers: { ...mcpHeaders({ ...target, agentKey: `stint_agent_${randomUUID()}` }) },
                body: toolCall('svc_context', {}),
              },
              tally,
            ),
      ),
  },
  pipelined: {
    ...{ title: '20 connections a second with 500 requests in one breath each', seconds: 8 },
    run: (target, signal, tally) => {
      const burst = `${head(`GET ${BASE}/api/v1/workspaces`, { 'X-API-Key': target.restKey })}\r\n`.repeat(500);
      return loops(20, signal, () => burstOf(target, burst, signal, tally));
    },
  },
};

async function burstOf({ port }: Target, burst: string, signal: AbortSignal, tally: Tally): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  let answers = 0;
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('data', (data) => {
      for (const [, status] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        tally.add(status!);
        if (++answers >= 500) socket.destroy();
      }
    });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    setTimeout(() => socket.destroy(), 10_000).unref();
    socket.write(burst);
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}
