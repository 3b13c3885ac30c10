/** Pieces that both ways of finding a list's rows have in common. */
import { type Fragment, fixedSql, literals } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isClosed } from '../../workspaces/statusQueries.ts';
import type { ListWork } from './schema.ts';
import { statusesWanted } from './wanted.ts';

/** So many rows are counted and summed. */
export const MOST_COUNTED = 1_000;

/** What is under way comes first, then what waits, and what is over last. */
const inOrder = ['in_progress', 'in_review', 'blocked', 'pending_approval', 'approved', 'planned', 'done', 'cancelled'];
const orderOfStatuses = fixedSql(`array[${literals(inOrder)}]`);

/** Where a status `s` stands among the groups. A position is within a million (sql/0003_workspaces.sql). */
export const statusPlace = (s: Fragment): Fragment =>
  sql.fragment`(array_position(${orderOfStatuses}, ${s}.status) * 10000000::float8 + ${s}.position)`;

export const closedText = fixedSql(isClosed('s.status'));

/** Whether work in the status `s` is asked for. */
export function statusWanted(wanted: ListWork): Fragment {
  const { closed, statuses, keys } = statusesWanted(wanted);
  return sql.fragment`((${closedText}) = any(${sql.array(closed, 'bool')}) or s.status = any(${sql.array([...statuses], 'text')}) or s.key = any(${sql.array(keys, 'text')}))`;
}

/** The hours of rows of items: what they are estimated at, and what of that is left of open ones. */
export const hoursOf = (row: Fragment): Fragment => sql.fragment`sum(${row}.estimated_hours) as estimated,
  sum(${row}.estimated_hours * (100 - coalesce(${row}.progress_percent, 0))) filter (where not ${row}.closed) / 100 as remaining`;
