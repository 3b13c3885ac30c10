import { computeSnapshot } from '../../src/capacity/snapshots/computeSnapshot.ts';
import { enqueue } from '../../src/queue/jobs.ts';
import type { Task } from '../task.ts';

const task: Task<'snapshot_forecast'> = async ({ forecastId }, { db, streams, signal }) => {
  const outcome = await computeSnapshot(streams, { forecastId, since: null }, signal);
  // Another worker computes it: should that one die, somebody has to look again.
  const again = { delaySeconds: 1, key: `snapshot_forecast:${forecastId}` };
  if (outcome === 'later') await enqueue(db.pool(), 'snapshot_forecast', { forecastId }, again);
};

export default task;
