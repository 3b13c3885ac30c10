import { type ItemType, possibleNeeds } from '../../access/rights.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import type { Status } from '../../workspaces/statuses.ts';
import { isBelow } from './belowQueries.ts';
import { type FilterName, filterNames } from './searchPlans.ts';
import { isHit, type TextWanted } from './textQueries.ts';

export interface WorkWanted extends TextWanted {
  workspaceId?: number | undefined;
  types: readonly ItemType[];
  assignee: 'me' | 'all' | 'unassigned' | number;
  closed: readonly boolean[];
  status?: Status | undefined;
  statusKey?: string | undefined;
  priorityKey?: string | undefined;
  requirementId?: number | undefined;
  releaseId?: number | undefined;
  underId?: number | undefined;
  ids?: readonly number[] | undefined;
  /** Both days included; null for no bound. `days`: see searchPlans.ts. */
  due?: { from: string | null; to: string | null; days: number | null } | undefined;
  limit: number;
}

export const and = (conditions: Fragment[]) =>
  conditions.length ? sql.fragment`${sql.join(conditions, sql.fragment` and `)}` : sql.fragment`true`;
const equal = (column: string, value: string | number | undefined) =>
  value === undefined ? [] : [sql.fragment`${fixedSql(column)} = ${value}`];

/** The conditions of the given filters, in their order, on a row `i` of stream `s`. */
export function conditions(wanted: WorkWanted): Partial<Record<FilterName, Fragment>> {
  const { ids, assignee, status, statusKey, priorityKey, requirementId, releaseId, underId, search, due } = wanted;
  const nobody = sql.fragment`i.assignee_id is null`;
  const parts: Record<FilterName, Fragment[]> = {
    ids: ids ? [sql.fragment`i.id = any(${sql.array([...ids], 'int8')})`] : [],
    requirement: equal('i.requirement_id', requirementId),
    release: equal('i.release_id', releaseId),
    due: due ? [sql.fragment`i.due between ${due.from ?? '-infinity'}::date and ${due.to ?? 'infinity'}::date`] : [],
    assignee: assignee === 'all' ? [] : [assignee === 'unassigned' ? nobody : sql.fragment`i.assignee_id = ${assigneeId(wanted)}`],
    status: [...equal('i.status', status), ...equal('i.status_key', statusKey)],
    priority: equal('i.priority_key', priorityKey),
    under: underId === undefined ? [] : [sql.fragment`i.id <> ${underId} and ${isBelow(sql.fragment`i.id`, underId)}`],
    text: search === undefined ? [] : [isHit(wanted)],
  };
  return Object.fromEntries(filterNames.flatMap((name) => (parts[name].length ? [[name, and(parts[name])]] : [])));
}

export const needs = (wanted: WorkWanted): Fragment => sql.fragment`${sql.array(wanted.types.flatMap(possibleNeeds), 'int4')}`;
export const closed = (wanted: WorkWanted): Fragment => sql.fragment`${sql.array([...wanted.closed], 'bool')}`;
/** For scans that do not split by `needs`. */
export const mayRead = (wanted: WorkWanted): Fragment => sql.fragment`i.needs & s.rights = i.needs and i.needs = any(${needs(wanted)})`;

export function allBut(wanted: WorkWanted, ...leading: readonly string[]): Fragment[] {
  const all = conditions(wanted);
  return filterNames.flatMap((name) => (leading.includes(name) || !all[name] ? [] : [all[name]]));
}

export const assigneeId = ({ assignee }: WorkWanted) =>
  assignee === 'me' ? sql.fragment`s.user_id` : sql.fragment`${Number(assignee)}::bigint`;

export function filtersOf(wanted: WorkWanted): FilterName[] {
  return Object.keys(conditions(wanted)) as FilterName[];
}
