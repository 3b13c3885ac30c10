import { lookAgain } from '../../src/capacity/snapshots/renew.ts';
import type { Task } from '../task.ts';

const task: Task<'snapshot_forecast'> = async ({ forecastId }, { db, computations, signal }) => {
  const outcome = await computations.snapshot({ forecastId, since: null }, signal);
  if (outcome === 'later') await lookAgain(db, forecastId);
};

export default task;
