/** Hidden, absent, archived and foreign items, and addresses in no, one and three accounts, get the same answer in the same time. Compares
 *  medians of interleaved calls in one run. */
import { randomUUID } from 'node:crypto';
import { median } from '../bench/measure.ts';
import { callTool, restHeaders } from './requests.ts';
import { type Stage, THRICE } from './stage.ts';

const ROUNDS = 300;
const SIGN_IN_ROUNDS = 60;
const WARM_UP_ROUNDS = 10;
const SHARE = 0.25;
const LEAST_MS = 1;
const ABSENT = 987_654_321;

type Call = (id: number, workspaceId: number) => Promise<Response>;
interface Target {
  name: string;
  call(): Promise<Response>;
  /** A text of the request that the answer repeats. */
  repeats?: string;
}

function operations({ refs }: Stage, baseUrl: string): Record<string, Call> {
  const headers = restHeaders({ restKey: refs.key('viewerKey') });
  const get = (path: string, workspaceId: number, id: number) =>
    fetch(`${baseUrl}/api/v1${path}?workspaceId=${workspaceId}&id=${id}`, { headers });
  const post = (path: string, body: object) => fetch(`${baseUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const tool = (name: string, given: object) =>
    fetch(`${baseUrl}/mcp`, { method: 'POST', ...callTool({ agentKey: refs.key('viewerAgent') }, name, given) });
  const record = (id: number) => ({ id, version: 1, type: 'task', title: 'x', description: '', status: 'planned', fields: {} });
  return {
    'GET /item': (id, workspaceId) => get('/item', workspaceId, id),
    'GET /comments': (id, workspaceId) => get('/comments', workspaceId, id),
    'POST /comments': (id, workspaceId) => post('/comments', { workspaceId, id, body: 'x' }),
    'POST /items/save': (id, workspaceId) => post('/items/save', { workspaceId, record: record(id) }),
    svc_get_item: (id) => tool('svc_get_item', { id }),
    svc_update_item: (id) => tool('svc_update_item', { requestId: randomUUID(), id, version: 1, title: 'x' }),
    svc_add_note: (id) => tool('svc_add_note', { requestId: randomUUID(), id, body: 'x' }),
    svc_remove_item: (id) => tool('svc_remove_item', { requestId: randomUUID(), id, version: 1 }),
    svc_time: (id) => tool('svc_time', { requestId: randomUUID(), action: 'start', itemId: id }),
  };
}

function signIn(baseUrl: string, email: string): Promise<Response> {
  const body = new URLSearchParams({ email, password: 'guess' });
  return fetch(`${baseUrl}/sign-in`, { method: 'POST', redirect: 'manual', headers: { Origin: 'http://localhost' }, body });
}

/** Prints a line for each operation. Returns true if all take equal time. */
export async function compareRefusals(stage: Stage): Promise<boolean> {
  const { refs } = stage;
  const web = await stage.startWeb({ RATE_LIMIT_REST: '1000000', RATE_LIMIT_MCP: '1000000', RATE_LIMIT_SIGN_IN: '1000000' });
  const [here, there] = [refs.id('victimPlace'), refs.id('attackerPlace')];
  const targets: [name: string, id: number, workspaceId: number][] = [
    ['hidden', refs.id('hidden'), here],
    ['absent', ABSENT, here],
    ['archived', refs.id('archived'), here],
    ['foreign', refs.id('long0'), there],
  ];
  let kept = true;
  console.log(`\nRefusals: medians of interleaved calls, in ms; they may differ by ${SHARE * 100} % + ${LEAST_MS} ms`);
  try {
    for (const [name, call] of Object.entries(operations(stage, web.baseUrl))) {
      const calls = targets.map(([what, id, workspaceId]): Target => ({ name: what, call: () => call(id, workspaceId) }));
      kept = (await compare(name, calls, ROUNDS)) && kept;
    }
    const addresses = { none: 'absent@x.example', one: 'viewer@x.example', three: THRICE };
    const calls = Object.entries(addresses).map(
      ([what, email]): Target => ({ name: what, call: () => signIn(web.baseUrl, email), repeats: email }),
    );
    kept = (await compare('POST /sign-in', calls, SIGN_IN_ROUNDS)) && kept;
  } finally {
    web.process.kill('SIGKILL');
    await web.process.exit();
  }
  return kept;
}

async function compare(name: string, targets: Target[], rounds: number): Promise<boolean> {
  const times: number[][] = targets.map(() => []);
  const bodies = new Set<string>();
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    // Each round begins with another target, so that no target gains from its position.
    for (let step = 0; step < targets.length; step++) {
      const n = (round + WARM_UP_ROUNDS + step) % targets.length;
      const { call, repeats } = targets[n]!;
      const started = performance.now();
      const answer = await call();
      const text = await answer.text();
      if (round >= 0) times[n]!.push(performance.now() - started);
      bodies.add(`${answer.status} ${answer.headers.get('x-error-code')} ${repeats ? text.replaceAll(repeats, '…') : text}`);
    }
  }
  const medians = times.map(median);
  const equal = bodies.size === 1 && Math.max(...medians) - Math.min(...medians) <= SHARE * Math.min(...medians) + LEAST_MS;
  const figures = targets.map((target, n) => `${target.name} ${medians[n]!.toFixed(2)}`).join('  ');
  console.log(`${name.padEnd(18)} ${figures}  ${equal ? 'kept' : `BROKEN: ${[...bodies].join(' / ')}`}`);
  return equal;
}
