import { computeSnapshot } from '../../src/capacity/snapshots/computeSnapshot.ts';
import { lookAgain } from '../../src/capacity/snapshots/renew.ts';
import type { Task } from '../task.ts';

const task: Task<'snapshot_forecast'> = async ({ forecastId }, { db, streams, signal }) => {
  const outcome = await computeSnapshot(streams, { forecastId, since: null }, signal);
  if (outcome === 'later') await lookAgain(db, forecastId);
};

export default task;
