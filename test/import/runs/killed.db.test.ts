/** An import survives the death of its worker process, without lost or doubled rows (behaviour §36.22). */
import test from 'ava';
import { timeWorld } from '../../support/timeWorld.ts';
import { queueOf, runningWorker } from '../../support/workers.ts';
import { fileOf, owner, start, stateOf, upload } from './importWorld.ts';

const world = timeWorld();

test.serial('workers are killed while they stage and write an import, and another one finishes it', async (t) => {
  t.timeout(180_000);
  const team = await owner(world);
  const issues = Array.from({ length: 2_500 }, (_, n) => ({
    key: `SHOP-${n}`,
    labels: [`l${n % 7}`],
    ...(n > 0 && { blockedBy: [`SHOP-${n - 1}`] }),
    ...(n % 5 && { parent: `SHOP-${n - (n % 5)}` }),
    comments: [{ author: 'Zoe', at: '03/Feb/26 10:00 AM', body: `Comment of ${n}` }],
  }));
  const queue = await queueOf(t, world.url);
  const id = await upload(world, team, fileOf(issues));
  const workers = [await runningWorker(t, world.url, { pace: '200,1500' }), await runningWorker(t, world.url, { pace: '200,1500' })];
  await queue.until(`select state = 'ready' from imports where id = ${id}`);
  await start(world, team, id);
  const killAll = async () => {
    for (const worker of workers.splice(0)) {
      worker.kill('SIGKILL');
      await worker.exit();
    }
    workers.push(await runningWorker(t, world.url, { pace: '200,1500' }), await runningWorker(t, world.url, { pace: '200,1500' }));
  };
  await queue.until(`select staged > 0 or staged is null from imports where id = ${id}`);
  await killAll();
  await queue.until(`select done >= 600 from imports where id = ${id}`);
  const before = await stateOf(world, id);
  await killAll();
  t.true(before.done < issues.length, 'it was killed in the middle');
  await queue.until(`select state <> 'running' from imports where id = ${id}`, 150_000);
  t.like(await stateOf(world, id), { state: 'done', created: issues.length, comments: issues.length, refused: 0 });
  const count = (table: string) => world.value(`select count(*) from ${table} where workspace_id = $1`, [team.workspaceId]);
  t.is(await count('imported_items'), issues.length);
  t.is(await count('items'), issues.length + 1);
  t.is(await count('comments'), issues.length);
  t.is(await count('item_labels'), issues.length);
  t.is(await count('item_dependencies'), issues.length - 1);
  t.is(
    await world.value(`select count(distinct item_id) from changes where workspace_id = $1 and kind = 'item.created'`, [team.workspaceId]),
    issues.length,
  );
  t.is(await world.value(`select count(*) from changes where workspace_id = $1`, [team.workspaceId]), 2 * issues.length);
});
