import { type Fragment, fixedSql, literals } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { isClosed } from '../../workspaces/statusQueries.ts';
import type { ListWork } from './schema.ts';
import { statusesWanted } from './wanted.ts';

export const MOST_COUNTED = 1_000;

const inOrder = ['in_progress', 'in_review', 'blocked', 'pending_approval', 'approved', 'planned', 'done', 'cancelled'];
const orderOfStatuses = fixedSql(`array[${literals(inOrder)}]`);

/** Sort position of status `s` among the groups. Positions are below a million (sql/0003_workspaces.sql). */
export const statusPlace = (s: Fragment): Fragment =>
  sql.fragment`(array_position(${orderOfStatuses}, ${s}.status) * 10000000::float8 + ${s}.position)`;

export const closedText = fixedSql(isClosed('s.status'));

export function statusWanted(wanted: ListWork): Fragment {
  const { closed, statuses, keys } = statusesWanted(wanted);
  return sql.fragment`((${closedText}) = any(${sql.array(closed, 'bool')}) or s.status = any(${sql.array([...statuses], 'text')}) or s.key = any(${sql.array(keys, 'text')}))`;
}

/** Estimated and remaining hours of item rows; only open items have remaining hours. */
export const hoursOf = (row: Fragment): Fragment => sql.fragment`sum(${row}.estimated_hours) as estimated,
  sum(${row}.estimated_hours * (100 - coalesce(${row}.progress_percent, 0))) filter (where not ${row}.closed) / 100 as remaining`;
