import type { Bulk } from '../support/bulk.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import type { Caller } from './load.ts';
import { newTitle, saves } from './saves.ts';

/** A mixed load of twenty calls: reads, lists, saves, notes, agents and pages. */
export async function mixOf(url: string, bulk: Bulk, connections: number): Promise<() => Caller> {
  const fixtures = new Fixtures(url);
  await openToAgents(fixtures, bulk.workspaceId);
  const { key } = await connect(fixtures, bulk.userId, { workspaces: [bulk.workspaceId] });
  const cookie = { Cookie: `JSESSIONID=${await fixtures.session(bulk.userId)}` };
  await fixtures.close();
  const { workspaceId, firstTaskId } = bulk;
  let notes = 0;
  const rest = { 'X-API-Key': bulk.key };
  const agent = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' };
  const find = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'svc_find_work', arguments: { workspaceId, search: 'number 77' } },
  };
  const get =
    (path: string, headers: Record<string, string> = rest): Caller =>
    () => ({ method: 'GET', path, headers });
  return () => {
    const save = saves(bulk, 100, newTitle);
    const item = get(`/api/v1/item?workspaceId=${workspaceId}&id=${firstTaskId + 500}`);
    const list = get(`/api/v1/items?workspaceId=${workspaceId}&limit=50`);
    const found: Caller = () => ({ method: 'POST', path: '/mcp', headers: agent, body: JSON.stringify(find) });
    const note: Caller = () => ({
      method: 'POST',
      path: '/api/v1/comments',
      headers: rest,
      body: JSON.stringify({ workspaceId, id: firstTaskId + 900 + (notes++ % 1000), body: 'As we said.' }),
    });
    const page = get(`/workspaces/${workspaceId}?type=task`, cookie);
    const day = get('/', cookie);
    // A save is two calls: read the item, then save another title.
    const order = [item, save, save, list, item, found, item, save, save, list, item, page, item, note, item, found, item, list, day, item];
    const at = Array.from({ length: connections }, (_, connection) => connection * 7);
    return (connection, last) => {
      const before = order[at[connection]! % order.length];
      at[connection] = at[connection]! + 1;
      const next = order[at[connection]! % order.length]!;
      // The second call of a pair uses the first one's answer.
      return next(connection, next === save && before === save ? last : undefined);
    };
  };
}
