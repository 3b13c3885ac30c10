/** What a worker does after a change of a workspace, in this process. */
import { renewForecast, snapshotWorkspace } from '../../../src/capacity/snapshots/snapshotWorkspace.ts';
import { contextOf } from '../../support/tasks.ts';
import type { World } from '../../support/timeWorld.ts';

/** Forecasts that are due for renewal, in the order of their jobs. */
export const renewals = async (world: World): Promise<number[]> => {
  const rows = await world.rows(
    `select (p.payload ->> 'forecastId')::integer as id from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'renew_forecast' order by j.priority, j.run_at, j.id`,
  );
  return rows.map(({ id }) => id);
};

/** Runs the jobs that renew forecasts, each once. */
export async function runRenewals(world: World): Promise<void> {
  const { db, computations, signal } = contextOf(world);
  const ids = await renewals(world);
  await world.rows(`delete from graphile_worker._private_jobs where key like 'renew_forecast:%'`);
  for (const id of ids) await renewForecast(db, computations, id, signal);
}

export async function renew(world: World, workspaceId: number): Promise<void> {
  await snapshotWorkspace(world.db, workspaceId);
  await runRenewals(world);
}
