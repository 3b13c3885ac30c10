import { snapshotWorkspace } from '../../src/capacity/snapshots/snapshotWorkspace.ts';
import type { Task } from '../task.ts';

const task: Task<'snapshot_workspace'> = ({ workspaceId }, { db, computations, signal }) =>
  snapshotWorkspace(db, computations, workspaceId, signal);

export default task;
