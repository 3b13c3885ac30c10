import type { Task } from '../task.ts';

const task: Task<'trend_workspace'> = (wanted, { computations, signal }) => computations.trendPoints(wanted, signal);

export default task;
