/** A forecast is stored in short transactions, and readers find it when it is complete (behaviour §6.24). */
import { readSnapshot, type Snapshot } from '../../../src/capacity/snapshots/queries.ts';
import { eventually } from '../../support/eventually.ts';
import { hold } from '../../support/mcpWorld.ts';
import { suite } from '../../support/suite.ts';
import { again, compute, ownWorld, place, world } from './place.ts';

const test = suite(import.meta.url);
ownWorld();

const snapshotsOf = (forecastId: number): Promise<number> =>
  world.value('select count(*)::int from capacity_snapshots where forecast_id = $1', [forecastId]);
/** Makes the forecast's times older. */
const age = (forecastId: number, by: string) =>
  world.rows('update capacity_snapshots set as_of = as_of - $2::interval, took_ms = 0 where forecast_id = $1', [forecastId, by]);

test('while a forecast is stored, changes of all accounts are delivered, and readers get the one before', async (t) => {
  const found = await place();
  const { owner, workspaceId } = found;
  const forecastId = await compute(found, workspaceId);
  const newest = async () => (await readSnapshot(world.db.pool(), owner, { workspaceId, known: [] })) as Snapshot;
  const before = await newest();
  await age(forecastId, '10 minutes');
  const free = await hold(world.url, 'lock table capacity_pages in exclusive mode');
  t.teardown(free);
  const computed = again(forecastId, new Date().toISOString());
  await eventually(
    () => world.value(`select count(*)::int from pg_locks where relation = 'capacity_pages'::regclass and not granted`),
    (waiting) => waiting === 1,
  );
  t.is(await snapshotsOf(forecastId), 2, 'its pieces are stored');
  const xact = await world.value('select pg_current_xact_id()::text');
  // The condition of followers. Other databases' transactions count, too.
  const settled = () => world.value('select $1::xid8 < pg_snapshot_xmin(pg_current_snapshot())', [xact]);
  t.true(await eventually(settled, (value) => value === true));
  t.is((await newest()).id, before.id);
  await free();
  await computed;
  t.not((await newest()).id, before.id);
});

test('what a worker that died has stored of a forecast is deleted by the next computation', async (t) => {
  const found = await place();
  const { accountId } = found;
  const forecastId = await compute(found, found.workspaceId);
  await world.rows(`insert into capacity_snapshots (account_id, forecast_id, day) values ($1, $2, 'infinity')`, [accountId, forecastId]);
  await age(forecastId, '10 minutes');
  await again(forecastId, new Date().toISOString());
  await age(forecastId, '2 minutes');
  await again(forecastId, new Date().toISOString());
  t.is(await world.value(`select count(*)::int from capacity_snapshots where forecast_id = $1 and day = 'infinity'`, [forecastId]), 0);
});
