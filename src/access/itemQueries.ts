/** SQL that looks items up by id. Plans are made once (docs/decisions/0007), often while a table is small and every index looks as cheap as
 *  the primary key. PostgreSQL keeps such plans while the table grows, so these fragments leave only the primary key to choose. */

import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { isVisible } from './queries.ts';

/** Like `visible`, for a row `i` whose id is known. `+ 0` disables indexes that begin with the workspace. */
export const visibleById = sql.fragment`i.workspace_id + 0 = access.workspace_id and ${isVisible('i', 'access.rights')}`;

export const listed = (ids: readonly number[]): Fragment => sql.fragment`(select distinct unnest(${sql.array([...ids], 'int8')}) as id)`;

/** The items `i` whose ids are in column `id` of `relation`, each by its own lookup. */
export const itemsOf = (relation: Fragment): Fragment =>
  sql.fragment`${relation} link cross join lateral (select * from items one where one.id = link.id limit 1) i`;

/** The workspace of an item id. Only for accessTo, which checks that the caller has access to it. */
export function workspaceOf(itemId: number): Fragment {
  return sql.fragment`(select workspace_id from items where id = ${itemId})`;
}
