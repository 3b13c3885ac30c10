/** SQL of what a search covers: workspaces with the caller's rights, item types, open or closed work, and filters. */
import { bits, type ItemType, possibleNeeds, resourceOf } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { conditionsOf, type FilterName, type Filters } from './filterQueries.ts';

export interface Sought {
  types: readonly ItemType[];
  /** False: open work, true: closed work. */
  closed: readonly boolean[];
  filters: Filters;
}

export const closedOf = ({ closed }: Pick<Sought, 'closed'>): Fragment => sql.fragment`${sql.array([...closed], 'bool')}`;

/** CTE `scope`: the rows of `access` with the values of `items.needs` that the caller may read: the rule of visible rows as an array, which
 *  indexes can check. */
export const scopeCte = (types: readonly ItemType[], where = sql.fragment`true`): Fragment => sql.fragment`
  scope as materialized (
    select access.workspace_id, access.user_id, access.rights, access.context_rights,
      array(select n from unnest(${sql.array(types.flatMap(possibleNeeds), 'int4')}) n where n & access.rights = n) as needs
    from access where ${where}
  )`;

/** Rows (type): the types that row `s` of `scope` may read. */
export function typesOf(types: readonly ItemType[]): Fragment {
  const reads = types.map((type) => bits(resourceOf(type), 'read'));
  return sql.fragment`(select t.type from unnest(${sql.array([...types], 'text')}, ${sql.array(reads, 'int4')}) t (type, read) where t.read & s.rights <> 0)`;
}

/** True if row `i` is visible and matches, for a row `s` of `scope`. */
export function matches({ closed, filters }: Pick<Sought, 'closed' | 'filters'>, except?: FilterName): Fragment {
  const shown = filters.archived ? sql.fragment`true` : sql.fragment`i.shown`;
  return sql.fragment`i.workspace_id = s.workspace_id and ${shown} and i.needs = any(s.needs) and i.closed = any(${closedOf({ closed })})
    and ${conditionsOf(filters, except)}`;
}
