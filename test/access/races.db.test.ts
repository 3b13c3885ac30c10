/** Two web processes under constant calls: once a change of access is acknowledged on one, no later call succeeds on either, and no earlier
 *  requestId restores anything. Other calls continue. */
import type { ExecutionContext } from 'ava';
import type { ImportInput } from '../../src/import/schema.ts';
import { fileDatabase } from '../support/database.ts';
import { Fixtures } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { Visitor } from '../support/visitor.ts';
import { spawnWeb, type Web, world } from '../support/world.ts';
import { everyGrant } from './outside/draw.ts';
import { type Answer, Faces, once } from './outside/faces.ts';

const test = suite(import.meta.url);

const CALLS_BEFORE = 1;
const CALLS_AFTER = 3;

const database = fileDatabase();
let fixtures: Fixtures;
let webs: Web[];
test.before('two web processes', async () => {
  fixtures = new Fixtures(database.url);
  webs = await Promise.all([spawnWeb(database.url), spawnWeb(database.url)]);
});
test.after('close', () => Promise.all([...(webs ?? []).map((web) => web.stop()), fixtures?.close()]));

const all = { tasks: 'delete', requirements: 'delete', releases: 'delete', milestones: 'delete', time: 'write', plans: 'write' } as const;
let count = 0;

/** An account: Ana administers it, Bo is a member with a key, an agent and a session. */
function town(): ImportInput {
  const email = (name: string) => `${name}${count}@races.example`;
  count++;
  return {
    accounts: [
      {
        name: 'Races',
        users: [
          { ref: 'ana', email: email('ana'), name: 'Ana', accountRole: 'owner' },
          { ref: 'bo', email: email('bo'), name: 'Bo' },
        ],
        workspaces: [
          {
            ...{
              ref: 'apollo',
              name: 'Apollo',
              mcp: { enabled: true, limits: all },
              items: [{ ref: 'task', type: 'task', title: 'Task' }],
            },
            members: [
              { user: 'ana', role: 'owner' },
              { user: 'bo', role: 'manager' },
            ],
          },
        ],
        restKeys: [{ ref: 'key', user: 'bo', name: 'Key', grants: everyGrant as never }],
        connections: [{ ref: 'agent', user: 'bo', name: 'Agent', workspaces: ['apollo'], permissions: all, notes: ['read', 'add'] }],
      },
    ],
  };
}

type Callers = 'key' | 'session' | 'agent';
interface Lane {
  face: Callers;
  writes: boolean;
  call(faces: Faces): Promise<Answer>;
}

interface Scene {
  lanes: Record<string, Lane>;
  /** Ana's session for the workspace settings, and Bo's for his agents. */
  ana: Visitor;
  bo: Visitor;
  id(ref: string): number;
}

async function setUp(): Promise<Scene> {
  const refs = await world(database.url, town());
  const [workspaceId, id] = [refs.id('apollo'), refs.id('task')];
  const caller = (face: Callers, cookie: string, csrf: string) =>
    ({ face, user: { cookie, csrf, restKey: { key: refs.key('key') }, agent: { key: refs.key('agent') } } }) as never;
  const cookies = await Promise.all(['ana', 'bo'].map((ref) => fixtures.session(refs.id(ref))));
  const [ana, bo] = cookies.map((cookie) => Object.assign(new Visitor(webs[0]!.baseUrl), { cookie })) as [Visitor, Visitor];
  const { csrfToken } = (await new Faces(webs[0]!.baseUrl).rest(caller('session', bo.cookie, ''), 'GET', '/capabilities')).body;
  const [key, session, agent] = (['key', 'session', 'agent'] as const).map((face) => caller(face, bo.cookie, csrfToken)) as [
    never,
    never,
    never,
  ];
  const earlier = once({ id, body: 'Said before' });
  await new Faces(webs[1]!.baseUrl).tool(agent, 'svc_add_note', earlier);
  const place = `/workspaces/${workspaceId}/items/${id}`;
  const lane = (face: Callers, writes: boolean, call: Lane['call']): Lane => ({ face, writes, call });
  return {
    ...{ ana, bo, id: refs.id },
    lanes: {
      'key reads': lane('key', false, (faces) => faces.rest(key, 'GET', '/item', { workspaceId, id })),
      'key writes': lane('key', true, (faces) => faces.rest(key, 'POST', '/comments', { workspaceId, id, body: 'Said' })),
      'page reads': lane('session', false, (faces) => faces.page(session, place)),
      'page writes': lane('session', true, (faces) => faces.page(session, `${place}/comments`, { body: 'Said' })),
      'agent reads': lane('agent', false, (faces) => faces.tool(agent, 'svc_get_item', { id })),
      'agent writes': lane('agent', true, (faces) =>
        faces.tool(agent, 'svc_time', once({ action: 'log', itemId: id, date: '2026-01-05', minutes: 1 })),
      ),
      'agent replays': lane('agent', true, (faces) => faces.tool(agent, 'svc_add_note', earlier)),
    },
  };
}

interface Call {
  lane: string;
  /** True if it was sent after the change was acknowledged. */
  late: boolean;
  outcome: string;
}

/** Calls on all lanes and both processes. After CALLS_BEFORE calls a lane calls on at the pace of the slowest, so that the change is not
 *  slowed down by hundreds of calls. When `change` is done, each lane calls CALLS_AFTER times more. */
async function callDuring({ lanes }: Scene, change: () => Promise<unknown>): Promise<Call[]> {
  const calls: Call[] = [];
  let late = false;
  const rounds = Object.entries(lanes).flatMap(([lane, { call }]) =>
    webs.map(({ baseUrl }) => {
      const faces = new Faces(baseUrl);
      return async (count: number) => {
        for (let n = 0; n < count; n++) {
          const isLate = late;
          const { outcome } = await call(faces);
          calls.push({ lane, late: isLate, outcome });
        }
      };
    }),
  );
  const all = (count: number) => Promise.all(rounds.map((round) => round(count)));
  await all(CALLS_BEFORE);
  const during = async () => {
    while (!late) await all(1);
  };
  const running = during();
  await change().finally(() => {
    late = true;
  });
  await Promise.all([running, all(CALLS_AFTER)]);
  return calls;
}

/** The expected result of later calls. */
type Expected = (lane: Lane) => string;

async function race(t: ExecutionContext, change: (scene: Scene) => Promise<unknown>, expected: Expected): Promise<void> {
  const scene = await setUp();
  const calls = await callDuring(scene, () => change(scene));
  for (const [name, lane] of Object.entries(scene.lanes)) {
    const made = calls.filter((one) => one.lane === name);
    const outcomes = made.filter(({ late }) => late).map(({ outcome }) => outcome);
    t.deepEqual([...new Set(outcomes)], [expected(lane)], `${name} after the change`);
    const before = made.slice(0, CALLS_BEFORE * webs.length);
    t.true(
      before.every(({ outcome }) => outcome === 'ok'),
      `${name} before the change: ${JSON.stringify(before)}`,
    );
  }
}

const only =
  (face: Callers, outcome: string): Expected =>
  (lane) =>
    lane.face === face ? outcome : 'ok';
const settings = ({ id }: Scene, part: string) => `/workspaces/${id('apollo')}/settings/${part}`;
/** The part of the settings with the form. */
const partOf = (form: string) => (form.startsWith('/members') ? 'members' : /^\/(mcp|agents)/.test(form) ? 'agents' : 'general');

/** Sends a form of the workspace settings as Ana. */
const atSettings =
  (form: string, values: (scene: Scene) => Record<string, string | null>, which?: (fields: URLSearchParams, scene: Scene) => boolean) =>
  async (scene: Scene) => {
    await scene.ana.go(settings(scene, partOf(form)));
    const { path, fields } = scene.ana.form(form, which && ((one) => which(one, scene)));
    fields.delete('_ask');
    fields.set('_sure', 'yes');
    for (const [name, value] of Object.entries(values(scene))) {
      if (value === null) fields.delete(name);
      else fields.set(name, value);
    }
    await sent(scene.ana, path, fields);
  };

async function sent(visitor: Visitor, path: string, fields: URLSearchParams): Promise<void> {
  const headers = { Origin: new URL(visitor.baseUrl).origin };
  const answer = await visitor.request(path, { method: 'POST', body: fields, headers });
  if (answer.status !== 303 && answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

const at =
  (who: 'ana' | 'bo', page: string | ((scene: Scene) => string), form: string, value: (scene: Scene) => Record<string, string>) =>
  async (scene: Scene) => {
    const visitor = scene[who];
    await visitor.go(typeof page === 'string' ? page : page(scene));
    const wanted = Object.entries(value(scene));
    const { path, fields } = visitor.form(form, (one) => wanted.every(([name, text]) => one.get(name) === text));
    fields.delete('_ask');
    fields.set('_sure', 'yes');
    await sent(visitor, path, fields);
  };

const bo = ({ id }: Scene) => ({ userId: String(id('bo')) });
const agent = ({ id }: Scene) => ({ connectionId: String(id('agent')) });

const changes: [title: string, change: (scene: Scene) => Promise<unknown>, expected: Expected][] = [
  ['revoking a key', at('ana', '/settings/keys', '/revoke', ({ id }) => ({ keyId: String(id('key')) })), only('key', 'unauthenticated')],
  ['revoking a connection', at('bo', '/mcp-access', '/revoke', agent), only('agent', 'unauthenticated')],
  ['rotating a key', at('bo', '/mcp-access', '/rotate', agent), only('agent', 'unauthenticated')],
  [
    'ending a membership',
    atSettings(
      '/members/remove',
      () => ({}),
      (fields, scene) => fields.get('userId') === bo(scene).userId,
    ),
    () => 'forbidden',
  ],
  ['archiving a workspace', atSettings('/archive', () => ({})), () => 'forbidden'],
  ['switching MCP off', atSettings('/mcp', () => ({ enabled: null })), only('agent', 'forbidden')],
  ['disconnecting an agent', atSettings('/agents/disconnect', () => ({})), only('agent', 'forbidden')],
  [
    'deactivating a person',
    at(
      'ana',
      ({ id }) => `/settings/people/${id('bo')}`,
      '/active',
      (scene) => ({ ...bo(scene), active: 'no' }),
    ),
    () => 'unauthenticated',
  ],
  ['signing out', at('bo', '/my', '/sign-out', () => ({})), only('session', 'unauthenticated')],
  [
    'lowering the limits of a workspace to read',
    atSettings('/mcp', () => ({ 'limit-tasks': 'read', 'limit-time': 'read' })),
    (lane) => (lane.face === 'agent' && lane.writes ? 'forbidden' : 'ok'),
  ],
];

for (const [title, change, expected] of changes) {
  test(`after ${title}, every later call on both processes is refused`, (t) => race(t, change, expected));
}
