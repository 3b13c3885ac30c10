import { literals } from '../database/db.ts';
import { closedStatuses } from './statuses.ts';

/** SQL text: true if `column`, trusted text, contains a closed status. Items have this as column `closed` (sql/0009_find_work.sql). */
export const isClosed = (column: string): string => `${column} in (${literals(closedStatuses)})`;
