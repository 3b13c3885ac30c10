/** The agent endpoint against the bare library, a list routed by hand, and the same calls in REST; svc_find_work at 1,000 and at 200,000
 *  items. */
import { randomUUID } from 'node:crypto';
import { authenticate } from '../../src/access/queries.ts';
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb } from '../../src/database/db.ts';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { modernRequest } from '../support/modernRequest.ts';
import { spawnNode } from '../support/processes.ts';
import { Fixtures } from '../support/restWorld.ts';
import { capture } from './capture.ts';
import type { Call, Caller } from './load.ts';
import { compare, type Figure, printFigures, printGoals, type Variant } from './measure.ts';
import { saves } from './saves.ts';
import { benchDatabase, encodeBuffer, type Server, startWebProcess } from './servers.ts';

const PATH = '/mcp';
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
const BATCH = 100;

type Rpc = (method: string, params?: unknown) => Call;

function rpcWith(key: string): Rpc {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
  return (method, params) => ({ method: 'POST', path: PATH, headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
}

/** The same request as revision 2026-07-28 sends it. */
function modern(call: Call, method: string): Call {
  const { body, headers } = modernRequest(method);
  return { ...call, headers: { ...call.headers, ...(headers as Record<string, string>) }, body: JSON.stringify(body) };
}

export async function mcp(adminUrl: string): Promise<void> {
  const url = await benchDatabase(adminUrl, 'bench_mcp');
  const found: Record<string, Figure> = {};
  for (const size of [1_000, 200_000]) {
    const bulk = await makeBulk(url, size);
    const key = await agentKey(url, bulk);
    const web = await startWebProcess(url);
    const floors = await startFloors(url, key);
    try {
      const rows = size === 1_000 ? [...protocolRows(floors, web, rpcWith(key)), ...toolRows(web, bulk, rpcWith(key))] : [];
      const figures = await compare([...rows, ...findRows(web, bulk, rpcWith(key), size)]);
      printFigures(`The agent endpoint, ${size.toLocaleString('en')} items`, figures);
      for (const figure of figures) found[figure.name] = figure;
    } finally {
      await web.stop();
      await floors.library.stop();
    }
  }
  goals(found);
}

async function agentKey(url: string, { userId, workspaceId }: Bulk): Promise<string> {
  const fixtures = new Fixtures(url);
  await openToAgents(fixtures, workspaceId);
  const { key } = await connect(fixtures, userId, { workspaces: [workspaceId] });
  await fixtures.close();
  return key;
}

async function startFloors(url: string, key: string): Promise<{ library: Server; byHand: Server }> {
  const db = await connectDb(url, 1);
  const [statement] = await capture(() => authenticate(db.pool(), { kind: 'agent', hash: hashSecret(key) }));
  await db.close();
  const statements = JSON.stringify({ authenticate: statement }, encodeBuffer);
  const spawned = spawnNode(['test/bench/mcpFloors.ts'], { env: { DATABASE_URL: url, STATEMENTS: statements, NODE_ENV: 'production' } });
  const ports = JSON.parse(await spawned.line(/"library"/));
  const stop = async () => {
    spawned.kill('SIGKILL');
    await spawned.exit();
  };
  const server = (port: number): Server => ({ port, pid: spawned.pid, stop });
  return { library: server(ports.library), byHand: server(ports.byHand) };
}

function protocolRows(floors: { library: Server; byHand: Server }, web: Server, rpc: Rpc): Variant[] {
  const same = (call: Call) => () => () => call;
  const noop = rpc('tools/call', { name: 'noop', arguments: {} });
  return [
    { name: 'library alone, a tool that does nothing', ...floors.library, calls: same(noop) },
    { name: 'library alone, tools/list', ...floors.library, calls: same(rpc('tools/list')) },
    { name: 'by hand, tools/list', ...floors.byHand, calls: same(rpc('tools/list')) },
    { name: 'tools/list', ...web, calls: same(rpc('tools/list')) },
    { name: 'tools/list, 2026-07-28', ...web, calls: same(modern(rpc('tools/list'), 'tools/list')) },
    { name: 'by hand, tools/list, 2026-07-28', ...floors.byHand, calls: same(modern(rpc('tools/list'), 'tools/list')) },
    { name: 'initialize', ...web, calls: same(rpc('initialize', initialize)) },
  ];
}

function toolRows(web: Server, bulk: Bulk, rpc: Rpc): Variant[] {
  const { workspaceId, lastTaskId } = bulk;
  const headers = { 'X-API-Key': bulk.key };
  const item = { method: 'GET' as const, path: `/api/v1/item?workspaceId=${workspaceId}&id=${lastTaskId}`, headers };
  const items = Array.from({ length: BATCH }, (_, n) => ({ type: 'task', title: `Task ${n}`, fields: { estimatedHours: 2 } }));
  const ids = Array.from({ length: 64 }, () => randomUUID());
  // Not the item that is read: its answer would include the notes.
  const noted = lastTaskId - 1;
  const note = (requestId: string) => rpc('tools/call', { name: 'svc_add_note', arguments: { requestId, id: noted, body: 'Seen.' } });
  const create = () => rpc('tools/call', { name: 'svc_create_items', arguments: { requestId: randomUUID(), workspaceId, items } });
  return [
    { name: 'GET /item', ...web, calls: () => () => item },
    { name: 'svc_get_item', ...web, calls: () => () => rpc('tools/call', { name: 'svc_get_item', arguments: { id: lastTaskId } }) },
    { name: 'POST /items/save', ...web, calls: () => saves(bulk, 10, (record) => ({ ...record, title: randomUUID() })) },
    { name: 'svc_update_item', ...web, calls: () => updates(bulk, rpc) },
    { name: 'svc_add_note', ...web, calls: () => () => note(randomUUID()) },
    { name: 'svc_add_note, replayed', ...web, calls: () => (connection) => note(ids[connection]!) },
    { name: `svc_create_items of ${BATCH}`, ...web, calls: () => create },
  ];
}

function findRows(web: Server, { workspaceId }: Bulk, rpc: Rpc, size: number): Variant[] {
  const find = (given: object) => () => () => rpc('tools/call', { name: 'svc_find_work', arguments: { workspaceId, ...given } });
  return [
    { name: `svc_find_work, ${size}`, ...web, calls: find({ assignee: 'all' }) },
    { name: `svc_find_work search, ${size}`, ...web, calls: find({ assignee: 'all', search: 'task 7' }) },
  ];
}

function updates({ firstTaskId }: Bulk, rpc: Rpc): Caller {
  const begun = new Set<number>();
  return (connection, last) => {
    const id = firstTaskId + 100 + connection;
    if (!begun.has(connection)) {
      begun.add(connection);
      return rpc('tools/call', { name: 'svc_get_item', arguments: { id } });
    }
    const { item } = JSON.parse(last!.body).result.structuredContent;
    const given = { requestId: randomUUID(), id, version: item.version, title: randomUUID() };
    return rpc('tools/call', { name: 'svc_update_item', arguments: given });
  };
}

function goals(found: Record<string, Figure>) {
  const speed = (name: string, against: string) => found[name]!.perSecond / found[against]!.perSecond;
  const cpu = (name: string, against: string) => found[name]!.cpuMicros / found[against]!.cpuMicros;
  const create = found[`svc_create_items of ${BATCH}`]!;
  printGoals([
    { text: 'svc_get_item against GET /item', value: speed('svc_get_item', 'GET /item'), want: 'at least', bound: 0.75 },
    {
      text: 'tools/list against one routed by hand, CPU',
      value: cpu('tools/list', 'by hand, tools/list'),
      want: 'at most',
      bound: 1.5,
    },
    {
      text: 'tools/list of 2026-07-28 against one routed by hand, CPU',
      value: cpu('tools/list, 2026-07-28', 'by hand, tools/list, 2026-07-28'),
      want: 'at most',
      bound: 1.5,
    },
    {
      text: 'a replayed svc_add_note against its first call, CPU',
      value: cpu('svc_add_note, replayed', 'svc_add_note'),
      want: 'at most',
      bound: 1,
    },
    { text: 'svc_update_item against POST /items/save', value: speed('svc_update_item', 'POST /items/save'), want: 'at least', bound: 0.5 },
    { text: 'items a second by svc_create_items', value: create.perSecond * BATCH, want: 'at least', bound: 3_000 },
    ...['svc_find_work', 'svc_find_work search'].map((name) => ({
      text: `${name}: 200,000 items against 1,000, time`,
      value: 1 / speed(`${name}, 200000`, `${name}, 1000`),
      want: 'at most' as const,
      bound: 1.3,
    })),
  ]);
}
