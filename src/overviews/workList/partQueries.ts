import { readsGoals } from '../../access/queries.ts';
import { type Fragment, fixedSql, literals } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { conditionsOf, type FilterName } from '../../items/findWork/filterQueries.ts';
import { isClosed, membershipJson, optionsJson } from '../../workspaces/queries.ts';
import { viewsJson } from '../../workspaces/viewQueries.ts';
import type { ListWork } from './schema.ts';
import { closedWanted, filtersOf, statusesWanted } from './wanted.ts';

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

/** True if any filter other than status and priority is set. */
export const isNarrowed = (wanted: ListWork): boolean => wanted.archived || conditionsOf(filtersOf(wanted), 'priority') !== null;

/** All filters except the status, on a row `i`; for a row `s` with the caller's user and rights. */
export function matches(wanted: ListWork, except?: FilterName): Fragment {
  const others = conditionsOf(filtersOf(wanted), except);
  return sql.fragment`i.closed = any(${sql.array(closedWanted(wanted), 'bool')})
    and ${fixedSql(wanted.archived ? 'i.archived_at is not null' : 'i.shown')} ${others ? sql.fragment`and ${others}` : sql.fragment``}`;
}

/** The columns that a list, a board and a timeline share, for a statement with `access`: what the filters offer and name. */
export const aroundColumns = ({ within }: ListWork): Fragment => sql.fragment`
  ${membershipJson} as membership, ${optionsJson} as options, ${viewsJson} as views,
  (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title)), '[]') from items i
    where i.id = any(${sql.array([...within], 'int8')}) and i.workspace_id + 0 = access.workspace_id and i.shown
      and (i.type <> 'goal' or ${readsGoals}) and i.needs & access.context_rights = i.needs) as named`;
