/** The agent endpoint against the same calls in REST and a list of tools routed by hand. (The benchmark of rows measures growth.) */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../../src/access/queries.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { withDb } from '../support/withDb.ts';
import type { Bench } from './bench.ts';
import { capture } from './capture.ts';
import type { Caller } from './load.ts';
import { atLeast, atMost, compare, type Goal } from './measure.ts';
import { callTool, getItem, makePlace, type Place, rpc, same, saves } from './places.ts';

const BATCH = 100;
const LIST = 'tools/list';
const BY_HAND = 'tools/list by hand';

export async function mcp(bench: Bench): Promise<Goal[]> {
  const place = await makePlace(bench, 1_000);
  const [statement] = await withDb(place.url, 1, (db) =>
    capture(() => authenticate(db.pool(), { kind: 'agent', hash: hashSecret(place.agent) })),
  );
  // JSON has no bytes.
  const values = statement!.values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value));
  const byHand = await bench.floor('tools', place.url, { authenticate: { text: statement!.text, values } });
  const found = await compare(bench, 'The agent endpoint', [
    { name: BY_HAND, web: byHand, calls: same(rpc(place.agent, LIST)) },
    ...Object.entries(callsOf(place)).map(([name, calls]) => ({ name, web: place.web, calls })),
  ]);
  const speed = (name: string, against: string) => found[name]!.perSecond / found[against]!.perSecond;
  const cpu = (name: string, against: string) => found[name]!.web / found[against]!.web;
  return [
    atLeast('svc_get_item against GET /item', speed('svc_get_item', 'GET /item'), 0.75),
    atLeast('svc_update_item against POST /items/save', speed('svc_update_item', 'POST /items/save'), 0.5),
    atMost('CPU of a replayed svc_add_note, against its first call', cpu('svc_add_note, replayed', 'svc_add_note'), 1),
    atLeast('items a second by svc_create_items', found.svc_create_items!.perSecond * BATCH, 3_000),
    atMost('CPU of tools/list, against one written by hand', cpu(LIST, BY_HAND), 1.5),
  ];
}

function callsOf({ bulk, agent }: Place): Record<string, () => Caller> {
  const { workspaceId, lastTaskId } = bulk;
  const items = Array.from({ length: BATCH }, (_, n) => ({ type: 'task', title: `Task ${n}`, fields: { estimatedHours: 2 } }));
  const ids = Array.from({ length: 8 }, () => randomUUID());
  // Not the item that is read: its answer would include the notes.
  const note = (requestId: string) => callTool(agent, 'svc_add_note', { requestId, id: lastTaskId - 1, body: 'Seen.' });
  return {
    [LIST]: same(rpc(agent, LIST)),
    'GET /item': same(getItem(bulk)),
    svc_get_item: same(callTool(agent, 'svc_get_item', { id: lastTaskId })),
    'POST /items/save': () => saves(bulk, 10),
    svc_update_item: () => updates(bulk.firstTaskId + 100, agent),
    svc_add_note: () => () => note(randomUUID()),
    'svc_add_note, replayed': () => (connection) => note(ids[connection]!),
    svc_create_items: () => () => callTool(agent, 'svc_create_items', { requestId: randomUUID(), workspaceId, items }),
  };
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
