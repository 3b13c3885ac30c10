/** Migrations: concurrent, repeated, and against a database newer than the code. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { isRefusedForNumber } from '../../src/database/connections.ts';
import { migrate } from '../../src/database/migrate.ts';
import { knownMigrations } from '../../src/database/migrations.ts';
import { freshDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { eventually } from '../support/eventually.ts';
import { limitedRole } from '../support/limitedRole.ts';
import { hold } from '../support/mcpWorld.ts';
import { spawnFor } from '../support/processes.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

async function applied(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query('select name from migrations order by number')).rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}

test('six concurrent migrations apply each file once', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  await Promise.all(Array.from({ length: 6 }, () => migrate(url)));
  t.deepEqual(
    await applied(url),
    (await knownMigrations()).map((migration) => migration.name),
  );
});

test('two processes migrate concurrently, and both report success', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const commands = Array.from({ length: 2 }, () => spawnFor(t, ['src/cli.ts', 'migrate', '--json'], { env: { DATABASE_URL: url } }));
  t.deepEqual(await Promise.all(commands.map(async (command) => (await command.exit()).code)), [0, 0]);
  t.is((await applied(url)).length, (await knownMigrations()).length);
});

test('migration numbers are unique and without gaps', async (t) => {
  const numbers = (await knownMigrations()).map((migration) => migration.number);
  t.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  );
});

test('release, web and worker run on a database with a newer compatible migration, and migrate warns', async (t) => {
  const url = await freshDatabase(t);
  t.is(await migrate(url, { from: withOneMore(t, 'create table more (id integer);') }), null);
  t.regex((await migrate(url))!, /newer than this version of Stint \(9999_more\.sql\), and compatible with it/);
  const release = spawnFor(t, ['src/cli.ts', 'migrate'], { env: { DATABASE_URL: url } });
  t.is((await release.exit()).code, 0);
  const env = { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32), PORT: '0' };
  for (const script of ['src/web.ts', 'workers/index.ts']) t.truthy(await spawnFor(t, [script], { env }).log({ msg: 'listening' }), script);
});

test('release, web and worker refuse a database with a newer incompatible migration, with the reason', async (t) => {
  const url = await freshDatabase(t);
  const from = withOneMore(t, '-- oldest code: 9999\ncreate table more (id integer);');
  await migrate(url, { from });
  const error = await t.throwsAsync(migrate(url));
  t.regex(error!.message, /9999_more\.sql, which this version of Stint cannot use[.:] [Dd]eploy the newer version/);
  const env = { DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32), PORT: '0' };
  for (const script of ['src/web.ts', 'workers/index.ts']) {
    const child = spawnFor(t, [script], { env });
    t.is((await child.exit()).code, 1, script);
    t.regex(child.lines.join('\n'), /cannot use[.:] [Dd]eploy the newer version, or restore a backup/, script);
  }
});

test('migrate waits for free connections, and says what to do if none becomes free in time', async (t) => {
  const url = await freshDatabase(t);
  const role = await limitedRole(t, url, 2);
  const releases = [await role.hold(), await role.hold()];
  const error = await t.throwsAsync(migrate(role.url, { connectWithinMs: 500 }));
  t.regex(
    error!.message,
    /^No connection was free for 0\.5 s: it has too many connections: raise the limit .*\(too many connections for role/,
  );
  const migrating = migrate(role.url);
  t.true(await eventually(async () => isRefusedForNumber(), Boolean));
  for (const release of releases) await release();
  await t.notThrowsAsync(migrating);
});

/** This version's migrations and one more. */
function withOneMore(t: ExecutionContext, text: string): URL {
  const folder = temporaryFolder();
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(new URL('../../sql/', import.meta.url), folder, { recursive: true });
  writeFileSync(`${folder}/9999_more.sql`, text);
  return pathToFileURL(`${folder}/`);
}

test("a statement that can't run in a transaction is applied once by concurrent migrations", async (t) => {
  const url = await freshDatabase(t);
  const from = withOneMore(t, '-- no transaction\ncreate index concurrently if not exists items_by_title on items (title);\n');
  await Promise.all(Array.from({ length: 8 }, () => migrate(url, { from })));
  t.is((await applied(url)).at(-1), '9999_more.sql');
});

test('a migration that needs a table in use yields and retries', async (t) => {
  const url = await freshDatabase(t);
  const from = withOneMore(t, 'alter table items add column more integer;');
  const free = await hold(url, 'select count(*) from items');
  const migrated = migrate(url, { from, lockTimeoutMs: 50 });
  const reader = new pg.Client(url);
  await reader.connect();
  // Time for some retries: other readers get through between them.
  for (let reads = 0; reads < 10; reads++) await reader.query('select count(*), pg_sleep(0.05) from items');
  t.not((await applied(url)).at(-1), '9999_more.sql');
  await reader.end();
  await free();
  await migrated;
  t.is((await applied(url)).at(-1), '9999_more.sql');
});

test('an index is built completely despite a long transaction and an interrupted earlier attempt', async (t) => {
  const url = await freshDatabase(t);
  const statement = 'create index concurrently if not exists items_by_title on items (title)';
  const free = await hold(url, 'update items set title = title where false');
  const client = new pg.Client(url);
  await client.connect();
  t.teardown(() => client.end());
  await client.query('set lock_timeout = 50');
  await t.throwsAsync(client.query(statement), { message: /lock timeout/ });
  const migrated = migrate(url, { from: withOneMore(t, `-- no transaction\n${statement};\n`), lockTimeoutMs: 50 });
  const waits = `select from pg_stat_activity where query like '%items_by_title%' and wait_event_type = 'Lock' and now() - query_start > interval '0.2 s'`;
  await eventually(
    async () => (await client.query(waits)).rowCount,
    (count) => count === 1,
  );
  await free();
  await migrated;
  t.deepEqual((await client.query(`select indisvalid from pg_index where indexrelid = 'items_by_title'::regclass`)).rows, [
    { indisvalid: true },
  ]);
});

/** Migrations with lower numbers than this. */
async function migrateBefore(t: ExecutionContext, url: string, end: number): Promise<void> {
  const folder = temporaryFolder();
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, number } of await knownMigrations())
    if (number < end) cpSync(new URL(`../../sql/${name}`, import.meta.url), `${folder}/${name}`);
  await migrate(url, { from: pathToFileURL(`${folder}/`) });
}

test('cursors of 1.2.0 count up to the upgrade; if its dump was restored before, up to the new era', async (t) => {
  for (const restored of [false, true]) {
    const url = await freshDatabase(t, { migrated: false });
    await migrateBefore(t, url, 132);
    const client = new pg.Client(url);
    await client.connect();
    t.teardown(() => client.end());
    await client.query(`set session_replication_role = replica;
      insert into changes (account_id, workspace_id, item_id, actor_id, via, kind, version, xact)
      values (1, 1, 1, 1, 'rest', 'item.created', 1, ${restored ? `'1000000000000'` : 'pg_current_xact_id()'})`);
    const { rows: ends } = await client.query('select pg_snapshot_xmin(pg_current_snapshot())::text as xact');
    await migrate(url);
    const { rows } = await client.query({
      text: `select change_era(), plain_era, plain_xact >= $1 as last_counts, plain_xact < pg_snapshot_xmax(pg_current_snapshot()) as is_past,
          (select (era, xact) < (plain_era, plain_xact) from changes) as row_counts
        from cursor_key`,
      values: [ends[0].xact],
      rowMode: 'array',
    });
    t.deepEqual(rows, [restored ? [2, 2, false, true, true] : [1, 1, true, true, true]]);
  }
});

test('stored amounts beyond their bounds are clamped, and no others change', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  await migrateBefore(t, url, 77);
  const client = new pg.Client(url);
  await client.connect();
  t.teardown(() => client.end());
  await client.query(`set session_replication_role = replica;
    insert into items (account_id, workspace_id, type, title, status, status_key, version, estimated_hours, progress_percent, reach, impact, confidence, effort, target, current) values
      (1, 1, 'task', 'most', 'planned', 'planned', 3, 1e308, 100, 1e308, 'infinity', 100, 1e13, 1e308, -1e308),
      (1, 1, 'task', 'least', 'planned', 'planned', 3, 1e-300, 1e-7, 1e-308, 0, 9e-7, 5e-324, -1e-9, 1e-9),
      (1, 1, 'task', 'kept', 'planned', 'planned', 3, 1e6, 33.3, 1e12, 1e-6, 0, null, -1e12, 0.1)`);
  await migrate(url);
  const { rows } = await client.query({
    text: `select version, estimated_hours, progress_percent, reach, impact, confidence, effort, target, current from items order by id`,
    rowMode: 'array',
  });
  t.deepEqual(rows, [
    [3, 1e6, 100, 1e12, 1e12, 100, 1e12, 1e12, -1e12],
    [3, 0, 0, 0, 0, 0, 0, 0, 0],
    [3, 1e6, 33.3, 1e12, 1e-6, 0, null, -1e12, 0.1],
  ]);
  await t.throwsAsync(client.query('update items set reach = 1e13'), { message: /items_amounts/ });
});
