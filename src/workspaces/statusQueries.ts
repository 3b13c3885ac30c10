/** SQL about the canonical statuses. */
import { literals } from '../database/db.ts';
import { closedStatuses } from './statuses.ts';

/** SQL text: whether `column`, text of our own, holds a closed status. Items have it as a column, `closed` (sql/0009_find_work.sql). */
export const isClosed = (column: string): string => `${column} in (${literals(closedStatuses)})`;
