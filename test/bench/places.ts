/** Databases with a number of items and a web process on each, and the calls that load them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Bulk, makeBulk } from '../support/bulk.ts';
import { connect, openToAgents } from '../support/mcpWorld.ts';
import { Fixtures } from '../support/restWorld.ts';
import type { Bench, Server } from './bench.ts';
import type { Call, Caller } from './load.ts';
import type { Figure, Variant } from './measure.ts';

export interface Place {
  url: string;
  size: number;
  bulk: Bulk;
  web: Server;
  /** The owner's agent key and session. */
  agent: string;
  cookie: { Cookie: string };
}

export async function makePlace(
  bench: Bench,
  size: number,
  fill: (client: pg.Client, bulk: Bulk) => Promise<unknown> = async () => {},
): Promise<Place> {
  const url = await bench.database();
  const bulk = await makeBulk(url, size);
  const client = await bench.client(url);
  await fill(client, bulk);
  const credentials = await credentialsOf(url, bulk);
  await client.query('vacuum analyze');
  return { url, size, bulk, ...credentials, web: await bench.web(url) };
}

/** Of the owner, for all workspaces of the account. */
export async function credentialsOf(url: string, { accountId, userId }: Bulk) {
  const fixtures = new Fixtures(url);
  const rows = await fixtures.sql('select id from workspaces where account_id = $1', [accountId]);
  const workspaces = rows.map(({ id }) => Number(id));
  for (const id of workspaces) await openToAgents(fixtures, id);
  const { key } = await connect(fixtures, userId, { workspaces });
  const cookie = { Cookie: `JSESSIONID=${await fixtures.session(userId)}` };
  await fixtures.close();
  return { agent: key, cookie };
}

/** Each call in each place. The same calls follow each other, because the machine changes within minutes. */
export const inPlaces = (places: Place[], callsOf: (place: Place) => Record<string, () => Caller>): Variant[] =>
  Object.keys(callsOf(places[0]!)).flatMap((name) =>
    places.map((place) => ({ name: `${name}, ${place.size}`, web: place.web, calls: callsOf(place)[name]! })),
  );

/** The larger place's cost divided by the smaller one's. */
export const growth = (found: Record<string, Figure>, name: string, [small, large]: Place[], cost: (figure: Figure) => number) =>
  cost(found[`${name}, ${large!.size}`]!) / cost(found[`${name}, ${small!.size}`]!);

export const keyOf = ({ key }: Bulk) => ({ 'X-API-Key': key });
export const get = (path: string, headers: Record<string, string> = {}): Call => ({ method: 'GET', path, headers });
export const post = (path: string, headers: Record<string, string>, body: object): Call => ({
  ...{ method: 'POST', path, headers, body: JSON.stringify(body) },
});
export const rpc = (agent: string, method: string, params?: object): Call =>
  post(
    '/mcp',
    { Authorization: `Bearer ${agent}`, Accept: 'application/json, text/event-stream' },
    { jsonrpc: '2.0', id: 1, method, params },
  );
export const callTool = (agent: string, name: string, given: object) => rpc(agent, 'tools/call', { name, arguments: given });
/** One call that is not part of a load. */
export const ask = ({ port }: Server, { method, path, headers, body }: Call): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...{ method, body: body ?? null, headers: { ...headers, 'Content-Type': 'application/json' } },
  });
/** The same call again and again. */
export const same = (call: Call) => () => () => call;

export const getItem = (bulk: Bulk, id = bulk.lastTaskId) => get(`/api/v1/item?workspaceId=${bulk.workspaceId}&id=${id}`, keyOf(bulk));
export const listItems = (bulk: Bulk, after = Math.floor((bulk.firstTaskId + bulk.lastTaskId) / 2)) =>
  get(`/api/v1/items?workspaceId=${bulk.workspaceId}&after=${after}&limit=50`, keyOf(bulk));

export type Revise = (record: Record<string, unknown>, n: number) => Record<string, unknown>;
const newTitle: Revise = (record, n) => ({ ...record, title: `Revised ${n} ${randomUUID()}` });

/** POST /items/save: each connection saves its own item, `offset` from the first task on, with the version of the last answer. */
export function saves(bulk: Bulk, offset: number, revise = newTitle): Caller {
  let count = 0;
  return (connection, last) => {
    if (!last) return getItem(bulk, bulk.firstTaskId + offset + connection);
    const record = revise(JSON.parse(last.body), count++);
    return post('/api/v1/items/save', keyOf(bulk), { workspaceId: bulk.workspaceId, record });
  };
}

/** A mixed load of twenty calls: reads, lists, saves, notes, agents and pages. */
export async function mixOf(url: string, bulk: Bulk, connections: number): Promise<() => Caller> {
  const { agent, cookie } = await credentialsOf(url, bulk);
  const { workspaceId, firstTaskId } = bulk;
  let notes = 0;
  const item: Caller = () => getItem(bulk, firstTaskId + 500);
  const list: Caller = () => get(`/api/v1/items?workspaceId=${workspaceId}&limit=50`, keyOf(bulk));
  const found: Caller = () => callTool(agent, 'svc_find_work', { workspaceId, search: 'number 77' });
  const page: Caller = () => get(`/workspaces/${workspaceId}?type=task`, cookie);
  const day: Caller = () => get('/', cookie);
  const note: Caller = () =>
    post('/api/v1/comments', keyOf(bulk), { workspaceId, id: firstTaskId + 900 + (notes++ % 100), body: 'As we said.' });
  return () => {
    const save = saves(bulk, 100);
    // A save is two calls: read the item, then save another title.
    const order = [item, save, save, list, item, found, item, save, save, list, item, page, item, note, item, found, item, list, day, item];
    const at = Array.from({ length: connections }, (_, connection) => connection * 7);
    return (connection, last) => {
      const before = order[at[connection]!++ % order.length];
      const next = order[at[connection]! % order.length]!;
      // The second call of a pair uses the first one's answer.
      return next(connection, next === save && before === save ? last : undefined);
    };
  };
}

export const capacityOf = (bulk: Bulk, etag?: string) =>
  get(`/api/v1/capacity?workspaceId=${bulk.workspaceId}`, { ...keyOf(bulk), ...(etag ? { 'If-None-Match': etag } : {}) });

/** Polls until there is a forecast, other than the one with this ETag. Returns its ETag. */
export async function forecastTag(web: Server, bulk: Bulk, other?: string): Promise<string> {
  for (;;) {
    const answer = await ask(web, capacityOf(bulk, other));
    await answer.arrayBuffer();
    if (answer.status === 200) return answer.headers.get('etag')!;
    if (answer.status !== 304 && answer.status !== 503) throw new Error(`GET /capacity answered ${answer.status}`);
    await sleep(20);
  }
}
