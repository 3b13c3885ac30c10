import { pruneAll } from '../prune.ts';
import type { Task } from '../task.ts';

const prune: Task<'prune'> = (_payload, { db, log, signal }) => pruneAll(db, log, signal);

export default prune;
