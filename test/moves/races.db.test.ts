/** Two web processes and a worker while the same items are moved to and fro, edited, commented and removed at the same time: nothing is
 *  lost or doubled, and both feeds agree with it (behaviour §42, §15). */
import { connectDb, type Db } from '../../src/database/db.ts';
import { everyGrant } from '../access/outside/draw.ts';
import { type Answer, Faces, once } from '../access/outside/faces.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { settled } from '../support/following.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { queueOf, runningWorker } from '../support/workers.ts';
import { oneWorkspace, spawnWeb, type Web, world } from '../support/world.ts';

const test = suite(import.meta.url);

const ITEMS = 4;
const ROUNDS = 6;

const database = fileDatabase();
let db: Db;
let fixtures: Fixtures;
let webs: Web[];
test.before('two web processes', async () => {
  db = await connectDb(database.url, 1);
  fixtures = new Fixtures(database.url);
  webs = await Promise.all([spawnWeb(database.url), spawnWeb(database.url)]);
});
test.after('close', () => Promise.all([...(webs ?? []).map((web) => web.stop()), fixtures?.close(), db?.close()]));

interface Row {
  id: number;
  itemId: number;
  kind: string;
  version: number;
  commentId?: number;
  fields: Record<string, [unknown, unknown]>;
}

test('items that two processes move, edit, comment and remove at once lose and double nothing, and both feeds agree', async (t) => {
  await runningWorker(t, database.url);
  const queue = await queueOf(t, database.url);
  const mcp = { enabled: true, limits: { tasks: 'delete' } } as const;
  const refs = await world(
    database.url,
    oneWorkspace(
      {},
      {
        workspaces: [{ ref: 'hermes', name: 'Hermes', mcp, members: [{ user: 'ana', role: 'owner' }] }],
        restKeys: [{ ref: 'key', user: 'ana', name: 'Key', grants: everyGrant as never }],
        connections: [{ ref: 'agent', user: 'ana', name: 'Agent', workspaces: ['apollo', 'hermes'], permissions: { tasks: 'delete' } }],
      },
    ),
  );
  const places = [refs.id('apollo'), refs.id('hermes')];
  const cookie = await fixtures.session(refs.id('ana'));
  const as = (face: 'key' | 'session' | 'agent', csrf = '') =>
    ({ face, user: { cookie, csrf, restKey: { key: refs.key('key') }, agent: { key: refs.key('agent') } } }) as never;
  const faces = webs.map(({ baseUrl }) => new Faces(baseUrl));
  const { csrfToken } = (await faces[0]!.rest(as('session'), 'GET', '/capabilities')).body;
  const [key, session, agent] = [as('key'), as('session', csrfToken), as('agent')];
  const ids: number[] = [];
  for (let n = 0; n < ITEMS; n++) {
    const record = { type: 'task', title: `Task ${n}`, description: '', status: 'planned', fields: { estimatedHours: 4 } };
    ids.push((await faces[0]!.rest(key, 'POST', '/items/save', { workspaceId: places[0], record })).body.id);
  }

  const refusals: string[] = [];
  const isDone = ({ outcome, whole }: Answer): boolean => {
    if (outcome !== 'ok' && outcome !== 'forbidden' && outcome !== 'conflict') refusals.push(`${outcome} ${whole}`);
    return outcome === 'ok';
  };
  /** Of each item what was answered with success. */
  const done = new Map(ids.map((id) => [id, { moves: 0, edits: 0, comments: [] as string[] }]));

  const total = () => [...done.values()].reduce((sum, { moves }) => sum + moves, 0);
  const thirdMoved = Promise.withResolvers<void>();

  async function move(web: Faces, id: number, from: number, to: number): Promise<void> {
    const preview = await web.page(session, `/workspaces/${from}/move?ids=${id}&to=${to}`);
    const seen = preview.outcome === 'ok' && /name="seen" value="([^"]+)"/.exec(preview.body)?.[1];
    if (!seen) return;
    if (isDone(await web.page(session, `/workspaces/${from}/move`, { ids: String(id), to: String(to), below: 'on', seen })))
      done.get(id)!.moves++;
    if (total() >= ITEMS) thirdMoved.resolve();
  }
  async function edit(web: Faces, id: number, workspaceId: number, title: string): Promise<void> {
    const read = await web.rest(key, 'GET', '/item', { workspaceId, id });
    if (read.outcome !== 'ok') return;
    if (isDone(await web.rest(key, 'POST', '/items/save', { workspaceId, record: { ...read.body, title } }))) done.get(id)!.edits++;
  }
  async function comment(web: Faces, id: number, workspaceId: number, body: string): Promise<void> {
    if (isDone(await web.rest(key, 'POST', '/comments', { workspaceId, id, body }))) done.get(id)!.comments.push(body);
  }
  async function remove(web: Faces, id: number): Promise<void> {
    for (;;) {
      const { version } = (await web.tool(agent, 'svc_get_item', { id })).body.item;
      if (isDone(await web.tool(agent, 'svc_remove_item', once({ id, version })))) return;
      if (refusals.length > 0) return;
    }
  }

  /** What a reader of each feed gets, who continues from the last row. */
  const followed: Row[][] = [[], []];
  let isOver = false;
  async function follow(web: Faces, n: number): Promise<void> {
    let after: unknown = 0;
    await eventually(async () => {
      const isLast = isOver;
      for (let hasMore = true; hasMore; ) {
        const { body } = await web.rest(key, 'GET', '/changes', { workspaceId: places[n], after, limit: 5 });
        followed[n]!.push(...body.changes);
        ({ nextAfter: after, hasMore } = body);
      }
      return isLast;
    }, Boolean);
  }

  const followers = faces.map(follow);
  const lanes = faces.flatMap((web, n) => {
    const lane = async (call: (id: number, from: number, to: number, round: number) => Promise<void>) => {
      for (let round = 0; round < ROUNDS; round++)
        for (const id of ids) await call(id, places[(round + n) % 2]!, places[(round + n + 1) % 2]!, round);
    };
    return [
      lane((id, from, to) => move(web, id, from, to)),
      lane((id, from, _to, round) => edit(web, id, from, `Title ${n} ${round}`)),
      lane((id, from, _to, round) => comment(web, id, from, `Comment ${n} ${round}`)),
    ];
  });
  // Once a third of the moves has happened, one of four is removed by each process.
  const removals = faces.map(async (web, n) => {
    await Promise.race([thirdMoved.promise, Promise.all(lanes)]);
    await remove(web, ids[n]!);
  });
  await Promise.all([...lanes, ...removals]);
  await settled(db);
  isOver = true;
  await Promise.all(followers);
  t.deepEqual(refusals, []);
  t.true(total() >= ITEMS, `${total()} moves`);

  const feeds = await Promise.all(
    places.map(async (workspaceId) => (await faces[0]!.rest(key, 'GET', '/changes', { workspaceId, limit: 200 })).body),
  );
  for (const [n, feed] of feeds.entries()) {
    t.false(feed.hasMore);
    const seen = followed[n]!.map(({ id }) => id);
    t.is(new Set(seen).size, seen.length, 'each row once');
    for (const id of ids) {
      const last = feed.changes.findLast(({ itemId }: Row) => itemId === id);
      if (last) t.true(seen.includes(last.id), `the last row of item ${id} in workspace ${n}`);
    }
  }
  for (const [n, id] of ids.entries()) {
    const known = done.get(id)!;
    const [item] = await fixtures.sql(
      'select workspace_id::integer as place, version, archived_at is not null as archived from items where id = $1',
      [id],
    );
    const removed = Number(n < faces.length);
    t.is(Number(item.archived), removed);
    t.is(item.version, 1 + known.moves + known.edits + removed);
    const stored = await fixtures.sql('select workspace_id::integer as place, body from comments where item_id = $1', [id]);
    t.deepEqual(stored.map(({ body }) => body).sort(), known.comments.toSorted());
    t.true(stored.every(({ place }) => place === item.place));
    const [here, there] = [places.indexOf(item.place), 1 - places.indexOf(item.place)];
    const rowsIn = (place: number): Row[] => feeds[place]!.changes.filter(({ itemId }: Row) => itemId === id);
    const own = rowsIn(here);
    if (removed)
      t.deepEqual(
        own.map(({ kind, version }) => [kind, version]),
        [['item.archived', item.version]],
      );
    else {
      const versions = own.filter(({ commentId }) => commentId === undefined).map(({ version }) => version);
      t.deepEqual(
        versions,
        Array.from({ length: item.version }, (_, version) => version + 1),
      );
      t.is(own.filter(({ kind }) => kind === 'item.moved').length, known.moves);
      t.is(own.length - versions.length, known.comments.length);
    }
    const left = rowsIn(there);
    t.true(left.every(({ kind, fields }) => kind === 'item.moved' && fields.workspaceId?.[0] === places[there]));
    // It began in the first workspace, and each move changes sides.
    t.is(left.length, there === 0 ? Math.ceil(known.moves / 2) : Math.floor(known.moves / 2));
  }
  await queue.until(`select count(*) = 0 from graphile_worker._private_jobs where run_at <= now()`);
  t.deepEqual(await queue.rows('select last_error from graphile_worker._private_jobs where last_error is not null'), []);
});
