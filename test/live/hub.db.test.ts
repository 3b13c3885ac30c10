/** The events of a web process' open streams, with everyone's current rights checked at each event. */
import { hashSecret } from '../../src/access/secrets.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { LiveHub, type Stream } from '../../src/live/hub.ts';
import { openPlace, sealPlace } from '../../src/live/place.ts';
import { liveFollower } from '../../src/live/since.ts';
import { makeLogger } from '../../src/log.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { caughtUp } from '../support/following.ts';
import { draftOf, type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { TEST_SECRET } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const log = makeLogger('silent', 'web');
let world: RestWorld;
let db: Db;
let hub: LiveHub;
test.before('people and a hub', async () => {
  world = await restWorld(database.url);
  db = await connectDb(database.url, 4);
  hub = new LiveHub({ db, log, secretKey: TEST_SECRET, most: 100, pace: { lookMs: 20, beatMs: 60 } });
});
test.after('stop', async () => {
  hub?.end();
  await db?.close();
  await world?.end();
});

interface Heard {
  id?: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, looked into freely
  data: any;
}
interface Ear extends Stream {
  heard: Heard[];
  ended: boolean;
}

function heardIn(text: string): Heard[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)));
      return { id: fields.id, name: fields.event, data: JSON.parse(fields.data) };
    });
}

/** A stream in a new session of the person. */
async function listen(userId: number, cookie?: string, at = hub): Promise<Ear> {
  const hash = hashSecret(cookie ?? (await world.fixtures.session(userId)));
  const [{ id: sessionId }] = await world.fixtures.sql('select id::int from sessions where token_hash = $1', [hash]);
  const ear: Ear = {
    sessionId,
    userId,
    accountId: world.accountId,
    heard: [],
    ended: false,
    write(text) {
      ear.heard.push(...heardIn(text.toString()));
    },
    end() {
      ear.ended = true;
    },
  };
  if (!(await at.add(ear))) throw new Error('There is no room.');
  return ear;
}

/** A member with a role in the workspace, and their stream. */
async function member(role: string, overrides: Record<string, string> = {}) {
  const { userId } = await world.join(role, overrides);
  return { userId, ear: await listen(userId) };
}

const changes = ({ heard }: Ear) => heard.filter(({ name }) => name === 'changes').map(({ data }) => data);
const tell = (userId: number) => world.fixtures.sql(`select pg_notify('live', $1)`, [JSON.stringify({ person: userId })]);

/** Waits until every open stream has received all changes so far: later messages on the same connection arrive after them. */
async function allDelivered(...ears: Ear[]): Promise<void> {
  await caughtUp(db, liveFollower);
  const last = await listen(world.ownerId);
  await tell(world.ownerId);
  await eventually(
    async () => last.heard.some(({ name }) => name === 'own'),
    (heard) => heard,
  );
  hub.remove(last);
  for (const ear of ears) hub.remove(ear);
}

test('a change is sent only to users who see the item, with its parents', async (t) => {
  const outside = await listen(await world.fixtures.user(world.accountId));
  const [viewer, blind] = [await member('member'), await member('viewer', { tasks: 'none' })];
  const requirement = await world.owner.save(draftOf('requirement'));
  const task = await world.owner.save(draftOf('task', { requirementId: requirement.id, assigneeId: viewer.userId }));
  await allDelivered(viewer.ear, blind.ear, outside);
  const seen = changes(viewer.ear);
  t.deepEqual(
    seen.flatMap(({ items }) => items),
    [requirement.id, task.id],
  );
  t.true(seen.at(-1).above.includes(requirement.id) && seen.at(-1).mine);
  t.deepEqual(
    changes(blind.ear).flatMap(({ items }) => items),
    [requirement.id],
  );
  t.false(changes(blind.ear).some(({ above, mine }) => above.length > 0 || mine));
  t.deepEqual(changes(outside), []);
});

test('an event has ids and no written text, and an encrypted place', async (t) => {
  await allDelivered();
  const { ear } = await member('viewer');
  const task = await world.owner.save(draftOf('task', {}, { title: 'Unspeakable' }));
  await allDelivered(ear);
  const [only] = ear.heard.filter(({ name }) => name === 'changes');
  t.deepEqual(only!.data, { workspace: world.workspaceId, items: [task.id], above: [], own: false, mine: false });
  t.truthy(openPlace({ secretKey: TEST_SECRET }, only!.id!));
  t.is(openPlace({ secretKey: 'x'.repeat(32) }, only!.id!), null);
  const again = sealPlace(TEST_SECRET, openPlace({ secretKey: TEST_SECRET }, only!.id!)!);
  t.not(again, only!.id);
  t.is(again.length, only!.id!.length);
});

test('added, removed and scanned files are sent to pages of users who see the item, without a position', async (t) => {
  const [viewer, blind] = [await member('viewer'), await member('viewer', { tasks: 'none' })];
  const outside = await listen(await world.fixtures.user(world.accountId));
  const task = await world.owner.save(draftOf('task'));
  await allDelivered();
  viewer.ear.heard.length = blind.ear.heard.length = 0;
  const [{ id }] = await world.fixtures.sql(
    `insert into item_files (account_id, workspace_id, item_id, name, size, type, state, added_by)
     values ($1, $2, $3, 'Secret.png', 3, 'image/png', 'scanning', $4) returning id`,
    [world.accountId, world.workspaceId, task.id, world.ownerId],
  );
  await world.fixtures.sql(`update item_files set state = 'ready' where id = $1`, [id]);
  await world.fixtures.sql(`update item_files set removed_at = now(), removed_by = $2 where id = $1`, [id, world.ownerId]);
  await allDelivered(viewer.ear, blind.ear, outside);
  const told = viewer.ear.heard.filter(({ name }) => name === 'changes');
  t.true(told.length >= 1 && told.length <= 3);
  for (const one of told)
    t.deepEqual(one, { id: undefined, name: 'changes', data: { workspace: world.workspaceId, items: [task.id], above: [], files: true } });
  t.deepEqual([changes(blind.ear), changes(outside)], [[], []]);
});

test('a comment is sent only to users who may read comments, and reveals no activity to others', async (t) => {
  const [reader, deaf] = [await member('member'), await member('viewer', { comments: 'none' })];
  const task = await world.owner.save(draftOf('task'));
  await allDelivered();
  reader.ear.heard.length = deaf.ear.heard.length = 0;
  const answer = await world.owner.post('/comments', { id: task.id, body: 'Hello' });
  t.is(answer.status, 200, JSON.stringify(answer.body));
  await allDelivered(reader.ear, deaf.ear);
  t.deepEqual(changes(reader.ear)[0]?.items, [task.id]);
  t.deepEqual(changes(deaf.ear), []);
});

test('events use current rights: lowered, removed, of an archived workspace, of an inactive person', async (t) => {
  const people = [await member('viewer'), await member('viewer'), await member('viewer'), await member('viewer')];
  const [lowered, removed, inactive, kept] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0], (typeof people)[0]];
  await world.fixtures.sql(`update memberships set overrides = '{"tasks": "none"}' where user_id = $1`, [lowered.userId]);
  await world.fixtures.sql('delete from memberships where user_id = $1', [removed.userId]);
  await world.fixtures.sql('update users set active = false where id = $1', [inactive.userId]);
  const task = await world.owner.save(draftOf('task'));
  await allDelivered();
  t.deepEqual(changes(kept.ear)[0]?.items, [task.id]);
  for (const { ear } of [lowered, removed, inactive]) t.deepEqual(changes(ear), []);
  kept.ear.heard.length = 0;
  await world.owner.save({ ...task, title: 'Changed' });
  await world.fixtures.sql('update workspaces set archived_at = now() where id = $1', [world.workspaceId]);
  await allDelivered(...people.map(({ ear }) => ear));
  await world.fixtures.sql('update workspaces set archived_at = null where id = $1', [world.workspaceId]);
  t.deepEqual(changes(kept.ear), []);
});

test('users who could read an item get its archiving, and nothing about it or below it afterwards', async (t) => {
  const { ear } = await member('viewer');
  const parent = await world.owner.save(draftOf('requirement'));
  const child = await world.owner.save(draftOf('task', { requirementId: parent.id }));
  await allDelivered();
  ear.heard.length = 0;
  await world.fixtures.sql('update items set archived_at = now(), version = version + 1 where id = $1', [parent.id]);
  await world.fixtures.sql(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
     select account_id, workspace_id, id, $2, 'rest', 'item.archived', version from items where id = $1`,
    [parent.id, world.ownerId],
  );
  await allDelivered();
  t.deepEqual(changes(ear)[0]?.items, [parent.id]);
  await world.fixtures.sql(
    `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
     select account_id, workspace_id, id, $2, 'rest', 'item.updated', version from items where id = $1`,
    [child.id, world.ownerId],
  );
  await allDelivered(ear);
  t.is(changes(ear).length, 1);
});

test('each heartbeat has a place, from the first on: its absence would tell that nothing has happened, hidden or not', async (t) => {
  const own = new LiveHub({ db, log, secretKey: TEST_SECRET, most: 10, pace: { lookMs: 20, beatMs: 40 } });
  t.teardown(() => own.end());
  const ear = await listen(world.ownerId, undefined, own);
  const place = { era: '1', xact: '7', id: '0' };
  own.startAt(place);
  own.startAt({ ...place, xact: '9' });
  const beat = await eventually(
    async () => ear.heard.find(({ name }) => name === 'beat'),
    (found) => found !== undefined,
  );
  t.deepEqual(openPlace({ secretKey: TEST_SECRET }, beat!.id!), place, 'the earliest, so that no page skips a change');
});

test('the first page after a pause starts at its own place, not at that of the last page before', async (t) => {
  const own = new LiveHub({ db, log, secretKey: TEST_SECRET, most: 10, pace: { lookMs: 20, beatMs: 40 } });
  t.teardown(() => own.end());
  own.startAt({ era: '1', xact: '7', id: '0' });
  own.remove(await listen(world.ownerId, undefined, own));
  const ear = await listen(world.ownerId, undefined, own);
  const place = { era: '1', xact: '9', id: '0' };
  own.startAt(place);
  const beat = await eventually(
    async () => ear.heard.find(({ name }) => name === 'beat'),
    (found) => found !== undefined,
  );
  t.deepEqual(openPlace({ secretKey: TEST_SECRET }, beat!.id!), place);
});

test('the stream of an ended session is closed, and the others get heartbeats', async (t) => {
  const { userId } = await world.join('viewer');
  const cookie = await world.fixtures.session(userId);
  const [ended, other] = [await listen(userId, cookie), await listen(userId)];
  await world.fixtures.sql('delete from sessions where token_hash = $1', [hashSecret(cookie)]);
  await world.owner.save(draftOf('task'));
  await allDelivered();
  t.deepEqual(changes(ended), []);
  t.is(changes(other).length, 1);
  await eventually(
    async () => ended.ended && other.heard.some(({ name }) => name === 'beat'),
    (done) => done,
  );
  t.false(other.ended);
  hub.remove(other);
});

test('timer changes and notifications are sent only to their own user', async (t) => {
  const [ana, bea] = [await listen(world.ownerId), await member('member')];
  const task = await world.owner.save(draftOf('task'));
  await allDelivered();
  const own = () => ana.heard.filter(({ name }) => name === 'own').map(({ data }) => data.own);
  const before = own().length;
  const heardMore = (n: number) =>
    eventually(
      async () => own().length,
      (length) => length >= before + n,
    );
  const entry = await world.fixtures.sql(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, day)
     values ($1, $2, $3, $4, 'timer', date_trunc('second', now()), (now() at time zone 'UTC')::date) returning id::int`,
    [world.accountId, world.workspaceId, world.ownerId, task.id],
  );
  await heardMore(1);
  t.regex(own().at(-1), new RegExp(`^${entry[0].id}\\.1\\.`));
  await world.fixtures.sql('update time_entries set ended_at = started_at, minutes = 0, revision = 2 where id = $1', [entry[0].id]);
  await heardMore(2);
  t.regex(own().at(-1), /^0\.0\./);
  t.deepEqual(
    bea.ear.heard.filter(({ name }) => name === 'own'),
    [],
  );
  hub.remove(ana);
  hub.remove(bea.ear);
});

test('a change that the user made alone on a page is marked as their own', async (t) => {
  const { userId, ear } = await member('member');
  const task = await world.owner.save(draftOf('task'));
  await allDelivered();
  ear.heard.length = 0;
  const changed = (actor: number, via: string) =>
    world.fixtures.sql(
      `insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version)
       select account_id, workspace_id, id, $2, $3, 'item.updated', version from items where id = $1`,
      [task.id, actor, via],
    );
  await changed(userId, 'page');
  await allDelivered();
  await changed(userId, 'agent');
  await allDelivered();
  await Promise.all([changed(userId, 'page'), changed(world.ownerId, 'page')]);
  await allDelivered(ear);
  const marks = changes(ear).map(({ own }) => own);
  t.deepEqual(marks.slice(0, 2), [true, false]);
  t.true(marks.length > 2 && marks.slice(2).some((own) => !own));
});

test('one session keeps its three newest streams, a person twelve, and a process up to its limit', async (t) => {
  const small = new LiveHub({ db, log, secretKey: TEST_SECRET, most: 13 });
  const { userId } = await world.join('viewer');
  const cookie = await world.fixtures.session(userId);
  const ears = [];
  for (let n = 0; n < 4; n++) ears.push(await listen(userId, cookie, small));
  t.deepEqual(
    ears.map(({ ended }) => ended),
    [true, false, false, false],
  );
  for (let n = 0; n < 9; n++) await listen(userId, undefined, small);
  await t.throwsAsync(listen(userId, undefined, small), { message: 'There is no room.' });
  await listen(world.ownerId, undefined, small);
  t.true(small.isFull);
  small.end();
  t.is(small.size, 0);
  t.true(ears.every(({ ended }) => ended));
  await t.throwsAsync(listen(userId, undefined, small), { message: 'There is no room.' });
});

test('after the listening connection is lost, it is replaced and all streams refresh', async (t) => {
  const directUrl = `${database.url}?application_name=hears`;
  const apart = await connectDb(database.url, 2, { directUrl });
  const own = new LiveHub({ db: apart, log, secretKey: TEST_SECRET, most: 10 });
  const ear = await listen(world.ownerId, undefined, own);
  await world.fixtures.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hears'`);
  await eventually(
    async () => ear.heard.some(({ name }) => name === 'check'),
    (done) => done,
  );
  await tell(world.ownerId);
  await eventually(
    async () => ear.heard.some(({ name }) => name === 'own'),
    (done) => done,
  );
  t.deepEqual(
    ear.heard.map(({ name }) => name),
    ['check', 'own'],
  );
  own.end();
  await apart.close();
});
