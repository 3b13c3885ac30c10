/** Web processes behind PgBouncer in transaction mode: sign-in, pages, REST and agents over fewer sessions than connections. */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { sql } from 'slonik';
import { connectDb } from '../../src/database/db.ts';
import { stint } from '../support/cli.ts';
import { freshDatabase } from '../support/database.ts';
import { call, mcpWorld, once } from '../support/mcpWorld.ts';
import { PASSWORD_HASH } from '../support/password.ts';
import { findPgbouncer, type Installed, startPgbouncer } from '../support/pgbouncer.ts';
import { suite } from '../support/suite.ts';
import { signedIn } from '../support/visitor.ts';
import { startWeb, TEST_SECRET } from '../support/world.ts';
import { type Agent, effects, writes } from '../support/writes.ts';

const test = suite(import.meta.url);

const installed = findPgbouncer();

/** Two web applications with five connections each over three sessions. */
async function pooled(t: ExecutionContext, pgbouncer: Installed) {
  const direct = await freshDatabase(t);
  const through = await startPgbouncer(t, pgbouncer, direct);
  const settings = {
    DATABASE_URL: through,
    DATABASE_DIRECT_URL: direct,
    DATABASE_PREPARED_STATEMENTS: pgbouncer.preparedStatements ? 'on' : 'off',
  };
  const world = await mcpWorld(direct, settings);
  t.teardown(world.end);
  const other = await startWeb(direct, settings);
  t.teardown(other.stop);
  return { direct, through, settings, world, other };
}

type Pooled = Awaited<ReturnType<typeof pooled>>;

async function people(t: ExecutionContext, { other, world }: Pooled) {
  const email = 'wei@acme.example';
  const userId = await world.fixtures.user(world.accountId, 'Wei');
  await world.fixtures.member(world.workspaceId, userId);
  await world.fixtures.sql(`update users set email = $2, password_hash = $3, account_role = 'owner' where id = $1`, [
    userId,
    email,
    PASSWORD_HASH,
  ]);
  const owner = await signedIn(other.baseUrl, email);
  await owner.go(`/workspaces/${world.workspaceId}`);
  t.regex(owner.at.text, /Apollo/);
  await owner.go('/settings/keys');
  t.regex((await owner.send('/create', { name: 'CI', grants: ['tasks:read'] })).text, /stint_rest_/);
  await owner.send('/sign-out');
  t.is((await owner.go('/settings/keys')).path.split('?')[0], '/sign-in');
}

async function integrations(t: ExecutionContext, { world }: Pooled) {
  const { owner } = world;
  t.is((await owner.get('/capabilities')).status, 200);
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => owner.save({ type: 'task', title: `Task ${n}`, description: '', status: 'planned', fields: {} })),
  );
  await Promise.all(
    made.map(async (task) => {
      t.is((await owner.save({ ...task, title: 'Revised' })).version, task.version + 1);
      t.is((await owner.post('/items/save', { record: task })).code, 'version_conflict');
      t.is((await owner.post('/comments', { id: task.id, body: 'Said' })).status, 200);
      t.is((await owner.get('/comments', { id: task.id })).body.comments.length, 1);
      t.is((await owner.get('/item', { id: task.id })).body.title, 'Revised');
    }),
  );
  t.is(
    (await owner.get('/items', { type: 'task', limit: 100 })).body.items.filter(({ title }: { title: string }) => title === 'Revised')
      .length,
    made.length,
  );
}

/** Every kind of write concurrently, each sent to both applications, and a replay. */
async function agents(t: ExecutionContext, { world, other }: Pooled) {
  const { fixtures, accountId, workspaceId } = world;
  await Promise.all(
    writes.map(async (write) => {
      const userId = await fixtures.user(accountId);
      await fixtures.member(workspaceId, userId);
      const agent: Agent = { ...(await world.agentOf(userId)), userId, workspaceId };
      const given = once(await write.prepare(agent, fixtures));
      const there = { url: `${other.baseUrl}/mcp`, key: agent.key };
      const answers = await Promise.all([agent, there, agent, there].map((target) => call(target, write.tool, given)));
      answers.push(await call(there, write.tool, given));
      t.deepEqual(new Set(answers.map(({ isError }) => isError)), new Set([false]), JSON.stringify(answers[0]!.value));
      t.is(answers.filter(({ replayed }) => !replayed).length, 1, write.title);
      t.is(new Set(answers.map(({ value }) => JSON.stringify(value))).size, 1, write.title);
    }),
  );
  t.true((await effects(fixtures, writes[0]!)) > 0);
}

/** LISTEN bypasses the pooler. Statements through it run with our session settings. */
async function sessions(t: ExecutionContext, { direct, through, settings }: Pooled) {
  const db = await connectDb(through, 2, { directUrl: direct, preparedStatements: settings.DATABASE_PREPARED_STATEMENTS === 'on' });
  t.teardown(db.close);
  const waiting = await db.listen('told', 'one');
  await db.pool().query(sql.unsafe`select pg_notify('told', 'one')`);
  await waiting.within(60_000);
  waiting.end();
  for (const [name, value] of [
    ['TimeZone', 'UTC'],
    ['lock_timeout', '5s'],
    ['statement_timeout', '10s'],
    ['idle_in_transaction_session_timeout', '15s'],
  ] as const) {
    t.is(await db.pool().oneFirst(sql.unsafe`select current_setting(${name})`), value, name);
  }
  // Without a living worker the doctor would report that.
  await db.pool().query(sql.unsafe`insert into workers (id, lane, pid, host) values ('l1', 'prompt', 1, 'here')`);
  const { code, json } = await stint(direct, ['doctor', '--json'], { env: { ...settings, SECRET_KEY: TEST_SECRET } });
  t.is(code, 0, JSON.stringify(json));
}

if (installed) {
  test('doctor finds a pooler whose sessions lack our settings', async (t) => {
    const direct = await freshDatabase(t);
    const client = new pg.Client(direct);
    await client.connect();
    await client.query(`do $$ begin execute format('alter database %I set timezone = %L', current_database(), 'Asia/Tokyo'); end $$`);
    await client.end();
    const through = await startPgbouncer(t, installed, direct, { connectQuery: 'select 1' });
    const env = { DATABASE_URL: through, DATABASE_DIRECT_URL: direct, DATABASE_PREPARED_STATEMENTS: 'off', SECRET_KEY: TEST_SECRET };
    const { code, json } = await stint(direct, ['doctor', '--json'], { env });
    t.is(code, 1);
    const { ok, message } = json.checks.find(({ name }: { name: string }) => name === 'pooler');
    t.false(ok);
    t.regex(message, /not in UTC.*no lock_timeout.*no statement_timeout/);
  });

  const modes = [{ ...installed, preparedStatements: false }, ...(installed.preparedStatements ? [installed] : [])];
  for (const mode of modes) {
    test(`through PgBouncer ${mode.version}, statements ${mode.preparedStatements ? 'prepared' : 'unnamed'}`, async (t) => {
      t.timeout(50_000);
      const all = await pooled(t, mode);
      await Promise.all([people(t, all), integrations(t, all), agents(t, all)]);
      await sessions(t, all);
    });
  }
} else {
  test('skipped: PgBouncer is not installed (Debian: apt-get install pgbouncer)', (t) => {
    t.log('PgBouncer is not installed: nothing of it was tested.');
    t.pass();
  });
}
