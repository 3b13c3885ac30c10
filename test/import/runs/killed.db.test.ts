/** An import survives the death of its worker process, without lost or doubled rows (behaviour §36.22). */

import { suite } from '../../support/suite.ts';
import { timeWorld } from '../../support/timeWorld.ts';
import { queueOf, runningWorker } from '../../support/workers.ts';
import { fileOf, owner, start, stateOf, upload } from './importWorld.ts';
import { killTwice, linkedIssues, readImported } from './kills.ts';

const test = suite(import.meta.url);

const world = timeWorld();
const ISSUES = 2_500;

test('workers are killed while they stage and write an import, and another one finishes it', async (t) => {
  t.timeout(180_000);
  const team = await owner(world);
  const queue = await queueOf(t, world.url);
  const id = await upload(world, team, fileOf(linkedIssues(ISSUES)));
  const twoWorkers = () => Promise.all([1, 2].map(() => runningWorker(t, world.url, { pace: '200,1500' })));
  let workers = await twoWorkers();
  await queue.until(`select state = 'ready' from imports where id = ${id}`);
  await start(world, team, id);
  let doneAtKill = 0;
  const killWorkers = async () => {
    ({ done: doneAtKill } = await stateOf(world, id));
    for (const worker of workers) {
      worker.kill('SIGKILL');
      await worker.exit();
    }
    workers = await twoWorkers();
  };
  await killTwice(id, ISSUES, { until: queue.until, killWorkers });
  t.true(doneAtKill < ISSUES, 'it was killed in the middle');
  await queue.until(`select state <> 'running' from imports where id = ${id}`, 150_000);
  t.like(await stateOf(world, id), { state: 'done', created: ISSUES, comments: ISSUES, refused: 0 });
  t.deepEqual(await readImported(world.rows, id, ISSUES), { lost: [], doubled: [] });
  const count = (table: string) => world.value(`select count(*) from ${table} where workspace_id = $1`, [team.workspaceId]);
  t.is(await count('imported_items'), ISSUES);
  t.is(await count('items'), ISSUES + 1);
  t.is(await count('changes'), 2 * ISSUES);
});
