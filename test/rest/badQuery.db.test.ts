/** Refused query strings (behaviour §5.6). */
import { fileDatabase } from '../support/database.ts';
import { badRequest, refused, send } from '../support/refusals.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

/** A valid query for each operation with parameters. */
const good = () => {
  const { workspaceId } = world;
  return [
    { path: '/items', query: `workspaceId=${workspaceId}` },
    { path: '/item', query: `workspaceId=${workspaceId}&id=1` },
    { path: '/comments', query: `workspaceId=${workspaceId}&id=1` },
    { path: '/options', query: `workspaceId=${workspaceId}` },
  ];
};

test('an unknown parameter is refused by name', async (t) => {
  for (const { path, query } of good()) {
    await refused(t, world, { target: `${path}?${query}&page=2` }, badRequest(/^page: is not known/));
    await refused(t, world, { target: `${path}?${query}&workspaceid=1` }, badRequest(/^workspaceid: /));
    await refused(t, world, { target: `${path}??${query}` }, badRequest(/^(\?workspaceId|workspaceId): /));
    await refused(t, world, { target: `${path}?${query}&workspaceId[]=1` }, badRequest(/^workspaceId\[\]: /));
    for (const name of ['__proto__', 'constructor', 'toString']) {
      await refused(t, world, { target: `${path}?${query}&${name}=1` }, badRequest(new RegExp(`^${name}: `)));
    }
  }
  for (const path of ['/workspaces', '/capabilities']) await refused(t, world, { target: `${path}?x=1` }, badRequest(/^x: /));
});

test('a repeated parameter is refused, whatever its values', async (t) => {
  for (const { path, query } of good()) {
    await refused(t, world, { target: `${path}?${query}&${query.split('&')[0]}` }, badRequest(/^workspaceId: give it once/));
    await refused(t, world, { target: `${path}?${query}&workspace%49d=2` }, badRequest(/^workspaceId: give it once/));
    await refused(t, world, { target: `${path}?${query}&__proto__=1&__proto__=2` }, badRequest(/^__proto__: give it once/));
  }
});

test('a missing parameter is refused by name', async (t) => {
  for (const { path } of good()) await refused(t, world, { target: path }, badRequest(/^workspaceId: is required/));
  for (const path of ['/item', '/comments']) await refused(t, world, { target: `${path}?workspaceId=1` }, badRequest(/^id: is required/));
});

test('an id has plain digits, from 1 to 2^53-1', async (t) => {
  const ids = [
    '',
    '0',
    '-1',
    '1.0',
    '1.5',
    '1e3',
    '0x1',
    '+1',
    '%201',
    '1%20',
    '1_0',
    'abc',
    'NaN',
    'null',
    'Infinity',
    '%00',
    '1%00',
    '١',
  ];
  for (const id of [...ids, '9007199254740992', '99999999999999999', '9'.repeat(400)]) {
    const written = encodeURI(id).replaceAll('%25', '%');
    await refused(t, world, { target: `/items?workspaceId=${written}` }, badRequest(/^workspaceId: /));
    await refused(t, world, { target: `/item?workspaceId=1&id=${written}` }, badRequest(/^id: /));
  }
});

test('a page has 1 to 100 items of one type, from a cursor of 0 or more', async (t) => {
  const wrong: Record<string, string[]> = {
    limit: ['0', '101', '-1', '1.5', 'all', '', '1000000'],
    after: ['-1', '1.5', 'x', '', '9007199254740992'],
    type: ['', 'Task', 'tasks', 'epic', 'task,goal', '%00', 'task%00'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      await refused(t, world, { target: `/items?workspaceId=${world.workspaceId}&${name}=${value}` }, badRequest(new RegExp(`^${name}: `)));
    }
  }
});

test('invalid percent-encoding is refused', async (t) => {
  for (const text of ['%', '%z1', '%1', '%ff', '%c3', '%ed%a0%80', '%c0%80']) {
    await refused(t, world, { target: `/items?workspaceId=1&type=${text}` }, badRequest(/percent-encoded/));
    await refused(t, world, { target: `/items?workspaceId=1&${text}=1` }, badRequest(/percent-encoded/));
  }
});

test('an empty query counts as none', async (t) => {
  t.is((await send(world, { target: '/workspaces?' })).status, 200);
  t.is((await send(world, { target: `/items?workspaceId=${world.workspaceId}&` })).status, 200);
});

test('a forecast starts on a valid day and covers one workspace or all', async (t) => {
  for (const day of ['', '2026-02-30', '2026-4-1', '20260401', '2026-04-01T00:00:00Z', 'today', '0']) {
    await refused(t, world, { target: `/capacity?from=${day}` }, badRequest(/^from: /));
  }
  for (const id of ['', '-1', '1.5', 'all', '9007199254740992']) {
    await refused(t, world, { target: `/capacity?workspaceId=${id}` }, badRequest(/^workspaceId: /));
  }
  await refused(t, world, { target: '/capacity?from=2026-04-01&from=2026-04-01' }, badRequest(/^from: give it once/));
  await refused(t, world, { target: '/capacity?weeks=8' }, badRequest(/^weeks: /));
});
