/** Migrations: by many at once, again, and against a database that is newer than the code. */
import test from 'ava';
import pg from 'pg';
import { migrate } from '../src/migrate.ts';
import { knownMigrations } from '../src/migrations.ts';
import { freshDatabase } from './support/database.ts';
import { spawnFor } from './support/processes.ts';

async function applied(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query('select name from migrations order by number')).rows.map((row) => row.name);
  } finally {
    await client.end();
  }
}

test('twenty at once apply each migration once', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  await Promise.all(Array.from({ length: 20 }, () => migrate(url)));
  t.deepEqual(
    await applied(url),
    (await knownMigrations()).map((migration) => migration.name),
  );
});

test('several processes at once do as well, and each says that it is done', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const commands = Array.from({ length: 4 }, () => spawnFor(t, ['src/cli.ts', 'migrate', '--json'], { env: { DATABASE_URL: url } }));
  t.deepEqual(await Promise.all(commands.map(async (command) => (await command.exit()).code)), [0, 0, 0, 0]);
  t.is((await applied(url)).length, (await knownMigrations()).length);
});

test('migration numbers are unique and without gaps', async (t) => {
  const numbers = (await knownMigrations()).map((migration) => migration.number);
  t.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  );
});

test('a database that is newer than the code is refused with what to do', async (t) => {
  const url = await freshDatabase(t);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`insert into migrations (number, name) values (9999, '9999_from_the_future.sql')`);
  await client.end();
  const error = await t.throwsAsync(migrate(url));
  t.regex(error!.message, /9999_from_the_future\.sql.*deploy the newer version/);
});
