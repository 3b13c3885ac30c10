import test from 'ava';
import pg from 'pg';
import { fileDatabase, freshDatabase } from '../support/database.ts';

const shared = fileDatabase();

async function query(url: string, text: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a test file has a migrated database of its own', async (t) => {
  const [row] = await query(shared.url, 'select count(*)::int as n from migrations');
  t.true(row.n > 0);
});

test('what one test writes another does not see', async (t) => {
  const [one, two] = await Promise.all([freshDatabase(t), freshDatabase(t)]);
  await query(one, 'create table mine ()');
  t.deepEqual(await query(two, "select to_regclass('mine') as found"), [{ found: null }]);
});

test('an unmigrated database has no tables', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  t.deepEqual(await query(url, "select to_regclass('migrations') as found"), [{ found: null }]);
});
