/** Eight writers in two processes, and a reader that follows: each of thousands of changes arrives exactly once (behaviour §15.4). */
import { hashSecret } from '../../src/access/secrets.ts';
import { listChanges } from '../../src/changes/listChanges.ts';
import { connectDb, type Db } from '../../src/database/db.ts';
import { outputOf } from '../../src/operations/json.ts';
import { perform } from '../../src/operations/perform.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { spawnFor } from '../support/processes.ts';
import { type RestWorld, restWorld } from '../support/restWorld.ts';
import { suite } from '../support/suite.ts';
import { isThorough } from '../support/thorough.ts';

const test = suite(import.meta.url);

const CHANGES = isThorough ? 20_000 : 6_000;

const database = fileDatabase();
let world: RestWorld;
let db: Db;
test.before('a workspace', async () => {
  [world, db] = await Promise.all([restWorld(database.url), connectDb(database.url, 2)]);
});
test.after('stop', async () => {
  await world?.end();
  await db?.close();
});

test('a reader that pages during the writes gets every change once', async (t) => {
  const { fixtures, ownerId, workspaceId } = world;
  const hash = hashSecret(await fixtures.session(ownerId));
  const words = [database.url, hash.toString('hex'), String(workspaceId), String(CHANGES / 100 / 2)];
  const writers = [1, 2].map(() => spawnFor(t, ['test/changes/writer.ts', ...words]));
  let running = true;
  const ended = Promise.all(writers.map((writer) => writer.exit(120_000))).finally(() => {
    running = false;
  });
  const told: number[] = [];
  let pages = 0;
  let after = '0';
  // Other databases of the cluster may hold the last rows back for a moment.
  await eventually(async () => {
    const isLast = !running;
    for (let count = 1; count > 0; pages++) {
      const page = outputOf(await perform(db, { kind: 'session', hash }, listChanges, { workspaceId, after, limit: 200 }));
      told.push(...page.changes.map(({ id }) => id));
      after = page.nextAfter;
      count = page.changes.length;
    }
    return isLast && told.length >= CHANGES;
  }, Boolean);
  t.deepEqual(
    (await ended).map(({ code }) => code),
    [0, 0],
  );
  t.is(told.length, CHANGES);
  t.is(new Set(told).size, CHANGES);
  const [{ held }] = await fixtures.sql('select count(*)::int as held from changes where not (id = any($1::bigint[]))', [told]);
  t.is(held, 0);
  const inOrder = told.every((id, n) => n === 0 || id > told[n - 1]!);
  t.log(`${pages} pages; ids ${inOrder ? 'happened to come' : 'did not come'} in order`);
});
