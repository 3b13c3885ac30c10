/** Hidden, absent, archived and foreign items get the same answer in the same time. Compares medians of interleaved calls in one run.
 *  (test/pages/addresses.db.test.ts counts the password checks of a sign-in.) */
import { randomUUID } from 'node:crypto';
import { median } from '../bench/measure.ts';
import { callTool, restHeaders } from './requests.ts';
import type { Stage } from './stage.ts';

const ROUNDS = 300;
const WARM_UP_ROUNDS = 10;
const SHARE = 0.25;
const LEAST_MS = 1;
const ABSENT = 987_654_321;

type Call = (id: number, workspaceId: number) => Promise<Response>;
type Target = [name: string, id: number, workspaceId: number];

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

/** Prints a line for each operation. Returns true if all take equal time. */
export async function compareRefusals(stage: Stage): Promise<boolean> {
  const { refs, target } = stage;
  const web = await stage.startWeb({ RATE_LIMIT_REST: '1000000', RATE_LIMIT_MCP: '1000000' });
  const here = refs.id('apollo');
  const targets: Target[] = [
    ['hidden', refs.id('hidden'), here],
    ['absent', ABSENT, here],
    ['archived', refs.id('archived'), here],
    ['foreign', target.costly.task, target.costly.workspaceId],
  ];
  let kept = true;
  console.log(`\nRefusals: medians of interleaved calls, in ms; they may differ by ${SHARE * 100} % + ${LEAST_MS} ms`);
  for (const [name, call] of Object.entries(operations(stage, web.baseUrl))) kept = (await compare(name, call, targets)) && kept;
  await web.stop();
  return kept;
}

async function compare(name: string, call: Call, targets: Target[]): Promise<boolean> {
  const times: number[][] = targets.map(() => []);
  const bodies = new Set<string>();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    // Each round begins with another target, so that no target gains from its position.
    for (let step = 0; step < targets.length; step++) {
      const n = (round + WARM_UP_ROUNDS + step) % targets.length;
      const [, id, workspaceId] = targets[n]!;
      const started = performance.now();
      const answer = await call(id, workspaceId);
      const text = await answer.text();
      if (round >= 0) times[n]!.push(performance.now() - started);
      bodies.add(`${answer.status} ${answer.headers.get('x-error-code')} ${text}`);
    }
  }
  const medians = times.map(median);
  const equal = bodies.size === 1 && Math.max(...medians) - Math.min(...medians) <= SHARE * Math.min(...medians) + LEAST_MS;
  const figures = targets.map(([what], n) => `${what} ${medians[n]!.toFixed(2)}`).join('  ');
  console.log(`${name.padEnd(18)} ${figures}  ${equal ? 'kept' : `BROKEN: ${[...bodies].join(' / ')}`}`);
  return equal;
}
