import { fileDatabase, freshDatabase } from '../support/database.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const shared = fileDatabase();

test('a test file has its own migrated database', async (t) => {
  const [row] = await rowsAt(shared.url, 'select count(*)::int as n from migrations');
  t.true(row.n > 0);
});

test("one test file does not see another's rows", async (t) => {
  const [one, two] = await Promise.all([freshDatabase(t), freshDatabase(t)]);
  await rowsAt(one, 'create table mine ()');
  t.deepEqual(await rowsAt(two, "select to_regclass('mine') as found"), [{ found: null }]);
});

test('an unmigrated database has no tables', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  t.deepEqual(await rowsAt(url, "select to_regclass('migrations') as found"), [{ found: null }]);
});
