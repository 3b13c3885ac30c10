import { snapshotWorkspace } from '../../src/capacity/snapshots/snapshotWorkspace.ts';
import type { Task } from '../task.ts';

const task: Task<'snapshot_workspace'> = ({ workspaceId }, { db, streams, signal }) => snapshotWorkspace(db, streams, workspaceId, signal);

export default task;
