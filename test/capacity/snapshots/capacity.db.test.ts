/** GET /capacity with a real worker process: access, content, and that a snapshot is computed once. */

import { Capacity } from '../../../src/capacity/schema.ts';
import { fileDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type Spawned, spawnNode } from '../../support/processes.ts';
import { type Answer, type Client, clientOf, type RestWorld, restWorld } from '../../support/restWorld.ts';
import { rowsWithoutTriggers } from '../../support/rowsAt.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: RestWorld;
let worker: Spawned;

test.before(async () => {
  worker = spawnNode(['workers/index.ts'], {
    env: { DATABASE_URL: database.url, SECRET_KEY: 'a secret of thirty-two characters', BASE_URL: 'http://localhost' },
  });
  world = await restWorld(database.url);
  await worker.log({ msg: 'listening' });
});
test.after(async () => {
  worker?.kill('SIGKILL');
  await world?.end();
});

/** A workspace with its owner. */
async function place(role = 'owner') {
  const { fixtures, accountId, api } = world;
  const userId = await fixtures.user(accountId, 'Ana');
  const workspaceId = await fixtures.workspace(accountId);
  await fixtures.member(workspaceId, userId, role);
  return { userId, workspaceId, client: clientOf(api, await fixtures.key(userId), workspaceId) };
}

const task = (title: string, fields: object) => ({ type: 'task', title, description: '', status: 'planned', fields });
const release = (title: string, targetDate: string | null) => ({
  type: 'release',
  title,
  description: '',
  status: 'planned',
  fields: { targetDate },
});

const snapshots = (forWorkspace: number) =>
  world.fixtures.sql(
    'select s.*, f.week::text from capacity_snapshots s join capacity_forecasts f on f.id = s.forecast_id where f.scope_key = $1::text',
    [forWorkspace],
  );

/** GET /capacity, again on 503, while the worker is computing. */
const read = (client: Client, query: Record<string, string | number> = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  eventually(
    () => client.get('/capacity', query, headers),
    ({ status }) => status !== 503,
  );

/** Reads until the forecast is as wanted: the one from before the last write may stay for a second. */
async function readUntil(client: Client, wanted: (body: Capacity) => boolean): Promise<Capacity> {
  const readOnce = async () => {
    const { status, body } = await read(client);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return Capacity.parse(body);
  };
  const capacity = await eventually(readOnce, wanted);
  if (!wanted(capacity)) throw new Error(`The forecast did not become as wanted: ${JSON.stringify(capacity)}`);
  return capacity;
}

test('a small forecast has the figures calculated by hand', async (t) => {
  const { client, userId, workspaceId } = await place();
  await world.fixtures.sql('update users set weekly_minutes = 2400 where id = $1', [userId]);
  const { id: releaseId } = await client.save(release('One', '2099-01-01'));
  const started = await client.save(task('half done', { releaseId, assigneeId: userId, estimatedHours: 16, progressPercent: 50 }));
  await client.save(task('next', { releaseId, assigneeId: userId, estimatedHours: 40 }));
  await client.save(task('without a release', { assigneeId: userId, estimatedHours: 1 }));
  const { projects, people, ...head } = await readUntil(client, (found) => found.projects[0]?.work.length === 2);
  const [{ today }] = await world.fixtures.sql('select current_date::text as today');
  t.like(head, { workspaceId, today, weeks: 8, timezone: 'UTC', canManage: false });
  t.deepEqual(
    projects.map(({ work, trend, forecastDate: _f, bufferedDate: _b, ...project }) => ({ ...project, works: work.length, trend })),
    [
      {
        id: releaseId,
        title: 'One',
        targetDate: '2099-01-01',
        scopeHours: 56,
        remainingHours: 48,
        bufferedHours: 60,
        weightedProgress: 14.3,
        outlook: 'within_capacity',
        method: 'edf-daily/1 buffer=0.25',
        dataIncomplete: false,
        works: 2,
        trend: [{ date: today, scopeHours: 56, remainingHours: 48, weightedProgress: 14.3 }],
      },
    ],
  );
  t.like(projects[0]!.work[0], {
    id: started.id,
    title: 'half done',
    status: 'planned',
    assigneeId: userId,
    remainingHours: 8,
    late: false,
    issues: [],
  });
  t.like(people, [{ id: userId, name: 'Ana', weeklyHours: 40, confirmed: true }]);
  t.is(people[0]!.weeks.length, 8);
});

test("recorded time and plan blocks count by UTC day; cancelled blocks don't count", async (t) => {
  const { client, userId, workspaceId } = await place();
  const { id } = await client.save(task('work', {}));
  // A week that has not been computed yet.
  const [{ from }] = await world.fixtures.sql(`select (current_date - 7)::text as from`);
  const of = [world.accountId, workspaceId, userId, id];
  await world.fixtures.sql(
    `insert into time_entries (account_id, workspace_id, user_id, item_id, kind, day, minutes)
     values ($1, $2, $3, $4, 'manual', current_date, 90)`,
    of,
  );
  await world.fixtures.sql(
    `insert into plan_blocks (account_id, workspace_id, user_id, item_id, start_local, end_local, timezone, starts_at, ends_at, state)
     select $1, $2, $3, $4, '2026-01-01T00:00', '2026-01-01T00:00', 'UTC', monday + interval '23 hours', monday + interval '26 hours', state
     from (values ('scheduled'), ('cancelled')) s (state), (select date_trunc('week', now()) + interval '13 days' as monday) m`,
    of,
  );
  const { people } = Capacity.parse((await read(client, { from })).body);
  t.deepEqual(people[0]!.weeks.map(({ recordedHours }) => recordedHours).filter(Boolean), [1.5]);
  // From Sunday 23:00 to Monday 02:00: one hour in one week, two in the next.
  t.deepEqual(
    people[0]!.weeks.map(({ plannedHours }) => plannedHours),
    [0, 0, 1, 2, 0, 0, 0, 0],
  );
});

test('a write appears in the next snapshot, and the old ETag no longer gets 304', async (t) => {
  const { client } = await place();
  const { id: releaseId } = await client.save(release('R', null));
  await readUntil(client, ({ projects }) => projects.length === 1);
  const before = await read(client);
  const etag = before.headers.get('etag')!;
  t.is((await read(client, {}, { 'If-None-Match': etag })).status, 304);
  await client.save(task('new', { releaseId, estimatedHours: 3 }));
  const after = await readUntil(client, ({ projects }) => projects[0]?.scopeHours === 3);
  t.is(after.projects[0]!.work.length, 1);
  const again = await read(client, {}, { 'If-None-Match': etag });
  t.is(again.status, 200);
  t.not(again.headers.get('etag'), etag);
});

test('a burst of writes is one queued job and at most a few computations', async (t) => {
  const { client, workspaceId } = await place();
  const { id: releaseId } = await client.save(release('R', null));
  await read(client);
  const [{ last: before }] = await world.fixtures.sql(`select last_value::int as last from capacity_snapshots_id_seq`);
  const queued = () =>
    world.fixtures.sql(
      `select count(*)::int as jobs from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'snapshot_workspace' and (payload->>'workspaceId')::bigint = $1 and locked_at is null`,
      [workspaceId],
    );
  for (let n = 0; n < 20; n++) {
    await client.save(task(`t${n}`, { releaseId, estimatedHours: 1 }));
    t.true((await queued())[0].jobs <= 1);
  }
  await readUntil(client, ({ projects }) => projects[0]?.scopeHours === 20);
  // The worker deletes the replaced snapshot just after the new one is readable.
  const left = await eventually(
    () => snapshots(workspaceId),
    (rows) => rows.length === 1,
  );
  t.is(left.length, 1);
  t.true(Number(left[0].id) > before);
});

test('fifty concurrent readers of an uncomputed scope cause one computation', async (t) => {
  const { client, workspaceId } = await place();
  await client.save(release('R', null));
  // Otherwise the forecast that is read would be renewed.
  await eventually(
    () => world.fixtures.sql(`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'snapshot_workspace'`),
    ([{ n }]) => n === 0,
  );
  const [{ last: before }] = await world.fixtures.sql(`select last_value::int as last from capacity_snapshots_id_seq`);
  const answers = await Promise.all(Array.from({ length: 50 }, () => read(client, { from: '2030-05-05' })));
  t.deepEqual([...new Set(answers.map(({ status, headers }) => `${status} ${headers.get('etag')}`))].length, 1);
  t.is(answers[0]!.body.from, '2030-04-29');
  const made = (await snapshots(workspaceId)).filter(({ week }) => week === '2030-04-29');
  t.is(made.length, 1);
  const others = await world.fixtures.sql('select count(*)::int as n from capacity_snapshots where id > $1 and forecast_id = $2', [
    before,
    made[0].forecast_id,
  ]);
  t.is(others[0].n, 1);
});

test('scope 0 is all workspaces where the caller has all the rights', async (t) => {
  const { fixtures, accountId, api } = world;
  const userId = await fixtures.user(accountId, 'Bo');
  const [all, noReleases, noOversight] = [
    await fixtures.workspace(accountId),
    await fixtures.workspace(accountId),
    await fixtures.workspace(accountId),
  ];
  await fixtures.member(all, userId, 'manager');
  await fixtures.member(noReleases, userId, 'owner', { releases: 'none' });
  await fixtures.member(noOversight, userId, 'member');
  const client = clientOf(api, await fixtures.key(userId), all);
  const own = await client.save(release('mine', null));
  await clientOf(api, await fixtures.key(userId), noReleases).save({ ...release('hidden', null), type: 'requirement', fields: {} });
  const { status, body } = await read(client, { workspaceId: 0 });
  t.is(status, 200);
  t.is(body.workspaceId, 0);
  t.deepEqual(
    body.projects.map(({ id }: { id: number }) => id),
    [own.id],
  );
  for (const workspaceId of [noReleases, noOversight, 999_999_999]) t.is((await read(client, { workspaceId })).status, 403);
  // A missing parameter means 0.
  const bare = await api.fetch(`${api.base}/capacity`, { headers: { 'X-API-Key': await fixtures.key(userId) } });
  t.is(((await bare.json()) as Capacity).workspaceId, 0);
  // Another person with the same workspaces gets the same snapshot.
  const other = await fixtures.user(accountId, 'Cy');
  await fixtures.member(all, other, 'owner');
  const same = await read(clientOf(api, await fixtures.key(other), all), { workspaceId: 0 });
  t.is(same.headers.get('etag'), bare.headers.get('etag'));
});

test('each of the grants is needed, and without time oversight all of them are not enough', async (t) => {
  const { fixtures, accountId, api } = world;
  const grants = ['workspaces:read', 'capacity:read', 'tasks:read', 'requirements:read', 'releases:read', 'milestones:read'] as const;
  const { userId, workspaceId } = await place('manager');
  const status = async (given: readonly (typeof grants)[number][]) =>
    (await read(clientOf(api, await fixtures.key(userId, given), workspaceId))).status;
  t.is(await status(grants), 200);
  for (const missing of grants) t.is(await status(grants.filter((grant) => grant !== missing)), 403, missing);
  await fixtures.sql('update memberships set time_oversight = false where user_id = $1', [userId]);
  t.is(await status(grants), 403);
  const outsider = await fixtures.user(accountId);
  t.is((await read(clientOf(api, await fixtures.key(outsider), 0), { workspaceId: 0 })).status, 403);
});

test('a session that manages the whole scope gets canManage, which is part of the ETag', async (t) => {
  const { fixtures, api } = world;
  const { userId, workspaceId, client } = await place('manager');
  const session = await fixtures.session(userId);
  const readBySession = (headers: Record<string, string> = {}) =>
    api.fetch(`${api.base}/capacity?workspaceId=${workspaceId}`, { headers: { Cookie: `JSESSIONID=${session}`, ...headers } });
  const byKey = await read(client);
  const bySession = await readBySession();
  t.false(byKey.body.canManage);
  t.true(((await bySession.json()) as Capacity).canManage);
  t.not(bySession.headers.get('etag'), byKey.headers.get('etag'));
  t.is((await readBySession({ 'If-None-Match': bySession.headers.get('etag')! })).status, 304);
  t.is((await readBySession({ 'If-None-Match': '*' })).status, 304);
  await fixtures.sql(`update memberships set role = 'member', time_oversight = true where user_id = $1`, [userId]);
  t.false(((await (await readBySession({ 'If-None-Match': bySession.headers.get('etag')! })).json()) as Capacity).canManage);
});

test('access is checked before the ETag, and again after a wait', async (t) => {
  const { userId, client } = await place();
  const etag = (await read(client)).headers.get('etag')!;
  await world.fixtures.sql('delete from memberships where user_id = $1', [userId]);
  t.is((await read(client, {}, { 'If-None-Match': etag })).status, 403);
});

test('invalid input is refused with the name of the parameter', async (t) => {
  const { client } = await place();
  const refused = [
    { from: '2026-02-30' },
    { from: '26-01-01' },
    { from: '' },
    { from: '9999-12-31' },
    { workspaceId: -1 },
    { workspaceId: 'x' },
    { week: 1 },
  ];
  for (const query of refused) {
    const { status, body } = await read(client, query as never);
    t.is(status, 400, JSON.stringify(query));
    t.regex(body.error, new RegExp(`^${Object.keys(query)[0]}: `));
  }
});

test('a snapshot contains no archived work, cancelled tasks or other workspaces', async (t) => {
  const { client, workspaceId } = await place();
  const elsewhere = await place();
  await elsewhere.client.save(release('elsewhere', null));
  const { id: releaseId } = await client.save(release('here', null));
  const gone = await client.save(release('archived', null));
  await world.fixtures.sql('update items set archived_at = now() where id = $1', [gone.id]);
  await client.save({ ...task('cancelled', { releaseId, estimatedHours: 5 }), status: 'cancelled' });
  await client.save({ ...task('done', { releaseId, estimatedHours: 5 }), status: 'done' });
  const body = await readUntil(client, ({ projects }) => projects.length === 1 && projects[0]!.work.length === 1);
  t.like(body, {
    workspaceId,
    projects: [{ id: releaseId, scopeHours: 5, remainingHours: 0, outlook: 'within_capacity' }],
  });
  t.is(body.projects.length, 1);
});

test('a large answer is streamed in pieces and complete', async (t) => {
  const { client, workspaceId } = await place();
  const { id: releaseId } = await client.save(release('large', null));
  await rowsWithoutTriggers(
    database.url,
    `insert into items (account_id, workspace_id, type, title, status, status_key, estimated_hours, release_id)
     select $1, $2, 'task', repeat('ä', 200) || n, 'planned', 'planned', 1, $3 from generate_series(1, 5000) n`,
    [world.accountId, workspaceId, releaseId],
  );
  const { body, headers } = await read(client, { from: '2031-01-01' });
  t.is(body.projects[0].work.length, 5000);
  t.is(headers.get('transfer-encoding'), 'chunked');
});
