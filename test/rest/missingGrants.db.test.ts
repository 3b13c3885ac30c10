/** The grants that a 403 names (behaviour §3.28). */
import { randomUUID } from 'node:crypto';
import { grants as allGrants, type Grant } from '../../src/access/rights.ts';
import { Forbidden } from '../../src/values/errors.ts';
import { fileDatabase } from '../support/database.ts';
import { type Client, clientOf, draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const ABSENT = 987_654_321;
const general = new Forbidden().message;
const readsOfTypes = 'tasks:read, requirements:read, goals:read, releases:read, or milestones:read';
let world: RestWorld;
test.before('a world', async () => {
  world = await restWorld(database.url);
});
test.after('stop', () => world?.end());

const without = (...missing: Grant[]) => allGrants.filter((grant) => !missing.includes(grant));
const client = async (granted: readonly Grant[], workspaceId = world.workspaceId) =>
  clientOf(world.api, await world.fixtures.key(world.ownerId, granted), workspaceId);

interface Case {
  lacks: Grant[];
  needs: string;
  send(caller: Client): ReturnType<Client['get']>;
}

const save = (record: object, headers?: Record<string, string>) => (caller: Client) => caller.post('/items/save', { record }, headers);
const types = ['tasks:read', 'requirements:read', 'goals:read', 'releases:read', 'milestones:read'] as const;
const writes = ['tasks:write', 'requirements:write', 'goals:write', 'releases:write', 'milestones:write'] as const;
const cases: Record<string, Case> = {
  'GET /workspaces': { lacks: ['workspaces:read'], needs: 'workspaces:read', send: (caller) => caller.get('/workspaces') },
  'GET /options': { lacks: ['workspaces:read'], needs: 'workspaces:read', send: (caller) => caller.get('/options') },
  'GET /options, of any type': { lacks: [...types, ...writes], needs: readsOfTypes, send: (caller) => caller.get('/options') },
  'GET /items': {
    lacks: ['milestones:read', 'milestones:write'],
    needs: 'milestones:read',
    send: (caller) => caller.get('/items', { type: 'milestone' }),
  },
  'GET /changes': {
    lacks: ['workspaces:read', ...types, ...writes],
    needs: `workspaces:read and ${readsOfTypes}`,
    send: (caller) => caller.get('/changes'),
  },
  'GET /comments': {
    lacks: ['comments:read', 'comments:write'],
    needs: 'comments:read',
    send: (caller) => caller.get('/comments', { id: ABSENT }),
  },
  'GET /capacity': {
    lacks: ['capacity:read', 'releases:read', 'releases:write'],
    needs: 'capacity:read and releases:read',
    send: (caller) => caller.get('/capacity'),
  },
  'POST /comments': {
    lacks: ['comments:write'],
    needs: 'comments:write',
    send: (caller) => caller.post('/comments', { id: ABSENT, body: 'Hello' }),
  },
  'a creation': { lacks: ['goals:write'], needs: 'goals:write', send: save(draftOf('goal')) },
  'a creation with an Idempotency-Key': {
    lacks: ['tasks:write'],
    needs: 'tasks:write',
    send: save(draftOf('task'), { 'Idempotency-Key': randomUUID() }),
  },
  'a creation with links': {
    lacks: ['requirements:read', 'requirements:write', 'releases:read', 'releases:write'],
    needs: 'requirements:read and releases:read',
    send: save(draftOf('task', { requirementId: ABSENT, releaseId: ABSENT })),
  },
};

for (const [name, { lacks, needs, send }] of Object.entries(cases)) {
  test(`${name}: a 403 names the missing grant, also for a workspace that does not exist`, async (t) => {
    for (const workspaceId of [world.workspaceId, ABSENT]) {
      const { status, code, body } = await send(await client(without(...lacks), workspaceId));
      t.deepEqual([status, code], [403, 'forbidden']);
      t.is(body.error, `The key needs ${needs}: ask an owner of the account for a key with that access.`);
    }
  });
}

test('a 403 that does not depend on grants names none', async (t) => {
  const viewer = (await world.join('viewer')).client;
  const guest = clientOf(world.api, world.key, ABSENT);
  for (const answer of [
    await viewer.post('/items/save', { record: draftOf('task') }),
    await viewer.get('/capacity'),
    await guest.get('/items', { type: 'milestone' }),
    await guest.get('/options'),
    await guest.post('/items/save', { record: draftOf('task', { requirementId: ABSENT }) }),
  ]) {
    t.deepEqual([answer.status, answer.body.error], [403, general]);
  }
});

test('GET /item and updates name no grant: hidden, absent and read-only items get the same sentence', async (t) => {
  const requirement = await world.make('requirement');
  const task = await world.make('task', { requirementId: requirement.id });
  const hidden = await client(without('requirements:read', 'requirements:write'));
  const reader = await client(without('requirements:write', 'tasks:write'));
  const update = (id: number, type: string) => save(draftOf(type, {}, { id, version: 1, title: 'New' }));
  for (const answer of [
    await hidden.get('/item', { id: requirement.id }),
    await hidden.get('/item', { id: task.id }),
    await hidden.get('/item', { id: ABSENT }),
    await update(requirement.id, 'requirement')(hidden),
    await update(task.id, 'task')(hidden),
    await update(ABSENT, 'task')(hidden),
    await update(requirement.id, 'requirement')(reader),
  ]) {
    t.deepEqual([answer.status, answer.body.error], [403, general]);
  }
});

test('a session has no grants, and its 403 names none', async (t) => {
  const { userId } = await world.join('viewer');
  const cookie = `JSESSIONID=${await world.fixtures.session(userId)}`;
  const answer = await world.api.fetch(`${world.api.base}/capacity?workspaceId=${world.workspaceId}`, { headers: { Cookie: cookie } });
  t.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [403, general]);
});
