/** The agent endpoint against the same calls in REST and a list of tools routed by hand; svc_find_work at 1,000 and at 200,000 items. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../../src/access/queries.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { modernRequest } from '../support/modernRequest.ts';
import { withDb } from '../support/withDb.ts';
import type { Bench } from './bench.ts';
import { capture } from './capture.ts';
import type { Call, Caller } from './load.ts';
import { atLeast, atMost, compare, type Goal, type Variant } from './measure.ts';
import { callTool, getItem, growth, inPlaces, makePlace, type Place, rpc, same, saves } from './places.ts';

const BATCH = 100;
const LIST = 'tools/list';

export async function mcp(bench: Bench): Promise<Goal[]> {
  const places: Place[] = [];
  for (const size of bench.sizes) places.push(await makePlace(bench, size));
  const [small] = places as [Place];
  const statement = await withDb(small.url, 1, async (db) => {
    const sent = await capture(() => authenticate(db.pool(), { kind: 'agent', hash: hashSecret(small.agent) }));
    return sent[0]!;
  });
  const { byHand } = await bench.floors(small.url, { authenticate: statement });
  const lists = { [LIST]: rpc(small.agent, LIST), [`${LIST} of 2026-07-28`]: modernList(small.agent) };
  const found = await compare(bench, 'The agent endpoint', [
    ...Object.entries(lists).flatMap(([name, call]): Variant[] => [
      { name: `by hand, ${name}`, web: byHand, calls: same(call) },
      { name, web: small.web, calls: same(call) },
    ]),
    ...Object.entries(callsOf(small)).map(([name, calls]) => ({ name, web: small.web, calls })),
    ...inPlaces(places, finds),
  ]);
  const speed = (name: string, against: string) => found[name]!.perSecond / found[against]!.perSecond;
  const cpu = (name: string, against: string) => found[name]!.web / found[against]!.web;
  const grown = (name: string) => growth(found, name, places, ({ perSecond }) => 1 / perSecond);
  return [
    atLeast('svc_get_item against GET /item', speed('svc_get_item', 'GET /item'), 0.75),
    atLeast('svc_update_item against POST /items/save', speed('svc_update_item', 'POST /items/save'), 0.5),
    atMost('CPU of a replayed svc_add_note, against its first call', cpu('svc_add_note, replayed', 'svc_add_note'), 1),
    atLeast('items a second by svc_create_items', found.svc_create_items!.perSecond * BATCH, 3_000),
    ...Object.keys(finds(small)).map((name) => atMost(`${name}: time with 200,000 items against 1,000`, grown(name), 1.3)),
    ...Object.keys(lists).map((name) => atMost(`CPU of ${name}, against one written by hand`, cpu(name, `by hand, ${name}`), 1.5)),
  ];
}

/** The same request as revision 2026-07-28 sends it. */
function modernList(agent: string): Call {
  const { body, headers } = modernRequest(LIST);
  const call = rpc(agent, LIST);
  return { ...call, headers: { ...call.headers, ...(headers as Record<string, string>) }, body: JSON.stringify(body) };
}

function callsOf({ bulk, agent }: Place): Record<string, () => Caller> {
  const { workspaceId, lastTaskId } = bulk;
  const items = Array.from({ length: BATCH }, (_, n) => ({ type: 'task', title: `Task ${n}`, fields: { estimatedHours: 2 } }));
  const ids = Array.from({ length: 8 }, () => randomUUID());
  // Not the item that is read: its answer would include the notes.
  const note = (requestId: string) => callTool(agent, 'svc_add_note', { requestId, id: lastTaskId - 1, body: 'Seen.' });
  return {
    'GET /item': same(getItem(bulk)),
    svc_get_item: same(callTool(agent, 'svc_get_item', { id: lastTaskId })),
    'POST /items/save': () => saves(bulk, 10),
    svc_update_item: () => updates(bulk.firstTaskId + 100, agent),
    svc_add_note: () => () => note(randomUUID()),
    'svc_add_note, replayed': () => (connection) => note(ids[connection]!),
    svc_create_items: () => () => callTool(agent, 'svc_create_items', { requestId: randomUUID(), workspaceId, items }),
  };
}

function finds({ agent, bulk: { workspaceId } }: Place): Record<string, () => Caller> {
  const find = (given = {}) => same(callTool(agent, 'svc_find_work', { workspaceId, assignee: 'all', ...given }));
  return { svc_find_work: find(), 'svc_find_work with a search': find({ search: 'task 7' }) };
}

/** Each connection reads its own item once, then updates it. */
const updates =
  (first: number, agent: string): Caller =>
  (connection, last) => {
    const id = first + connection;
    if (!last) return callTool(agent, 'svc_get_item', { id });
    const { version } = JSON.parse(last.body).result.structuredContent.item;
    return callTool(agent, 'svc_update_item', { requestId: randomUUID(), id, version, title: randomUUID() });
  };
