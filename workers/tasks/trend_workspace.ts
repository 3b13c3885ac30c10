import { keepTrendPoints } from '../../src/capacity/snapshots/keepTrendPoints.ts';
import type { Task } from '../task.ts';

const task: Task<'trend_workspace'> = ({ workspaceId, day }, { streams, signal }) => keepTrendPoints(streams, workspaceId, day, signal);

export default task;
