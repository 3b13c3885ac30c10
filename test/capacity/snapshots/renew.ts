/** What a worker does after a change of a workspace, in this process. */
import { renewForecasts, snapshotWorkspace } from '../../../src/capacity/snapshots/snapshotWorkspace.ts';
import { contextOf } from '../../support/tasks.ts';
import type { World } from '../../support/timeWorld.ts';

/** Accounts of the due jobs that renew forecasts, in the order of the jobs. */
const due = async (world: World): Promise<number[]> => {
  const rows = await world.rows(
    `select (p.payload ->> 'accountId')::integer as id from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'renew_forecasts' and j.run_at <= now() order by j.priority, j.run_at, j.id`,
  );
  return rows.map(({ id }) => id);
};

/** Runs the due jobs that renew forecasts, and those that they enqueue. Resolves to the accounts in their order. */
export async function runRenewals(world: World): Promise<number[]> {
  const { db, computations, signal } = contextOf(world);
  const turns: number[] = [];
  for (let [accountId] = await due(world); accountId !== undefined; [accountId] = await due(world)) {
    await world.rows('delete from graphile_worker._private_jobs where key = $1', [`renew_forecasts:${accountId}`]);
    await renewForecasts(db, computations, accountId, signal);
    turns.push(accountId);
  }
  return turns;
}

export async function renew(world: World, workspaceId: number): Promise<void> {
  await snapshotWorkspace(world.db, workspaceId);
  await runRenewals(world);
}
