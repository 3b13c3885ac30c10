import { pruneAll } from '../prune.ts';
import type { Task } from '../task.ts';

const prune: Task<'prune'> = (_payload, { db, log, config, signal }) => pruneAll(db, log, config, signal);

export default prune;
