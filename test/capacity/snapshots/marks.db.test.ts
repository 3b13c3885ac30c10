/** Only changes that can alter a workspace's forecast mark it as out of date (behaviour §6.25). */

import { suite } from '../../support/suite.ts';
import { changes, log, others, type Row, time } from './changes.ts';
import { ownWorld, place, world } from './place.ts';

const test = suite(import.meta.url);
ownWorld();

/** True if the last step marks the first workspace. Fails if it marks the other one. */
async function marks([, first, second]: Row): Promise<{ marked: boolean; jobs: number; elsewhere: boolean }> {
  const at = await place();
  if (second) {
    const before = await first(at);
    await world.rows('delete from capacity_marks where account_id = $1', [at.accountId]);
    await world.rows(`delete from graphile_worker._private_jobs where payload->>'workspaceId' = $1::text`, [at.workspaceId]);
    await second(at, before);
  } else await first(at);
  const marked = await world.rows('select workspace_id from capacity_marks where account_id = $1', [at.accountId]);
  const ids = marked.map(({ workspace_id }) => workspace_id);
  const jobs = await world.value(
    `select count(*)::int from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'snapshot_workspace' and p.payload->>'workspaceId' = $1::text`,
    [at.workspaceId],
  );
  return { marked: ids.includes(at.workspaceId), jobs, elsewhere: ids.includes(at.otherId) };
}

/** These also mark the account's other workspaces. */
const ofPeople = /^a person|^weekly hours/;

for (const row of changes) {
  test(`${row[0]}: marks the forecast and enqueues one computation`, async (t) => {
    t.deepEqual(await marks(row), { marked: true, jobs: 1, elsewhere: ofPeople.test(row[0]) });
  });
}

for (const row of others) {
  test(`${row[0]}: marks no forecast`, async (t) => {
    t.deepEqual(await marks(row), { marked: false, jobs: 0, elsewhere: false });
  });
}

test('time that moves to an item of another workspace marks both', async (t) => {
  const at = await place();
  const target = await at.item('Elsewhere', at.otherId);
  const { entry } = await log(at);
  await world.rows('delete from capacity_marks where account_id = $1', [at.accountId]);
  await time(at, { action: 'correct', entryId: entry.id, revision: 1, reason: 'was there', itemId: target });
  const marked = await world.rows('select workspace_id from capacity_marks where account_id = $1 order by 1', [at.accountId]);
  t.deepEqual(
    marked.map(({ workspace_id }) => workspace_id),
    [at.workspaceId, at.otherId].sort((a, b) => a - b),
  );
});
