/** SQL of looking items up by their ids. Plans are made once (docs/decisions/0007), often while a table is small, and anything is as cheap as
 *  its primary key then: an index that begins with the workspace, or a join with all rows. They are kept while it grows, so they get no choice. */
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** As `visible`, of a row `i` whose id is known: no index by workspace. */
export const visibleById = sql.fragment`i.workspace_id + 0 = access.workspace_id and i.shown and i.needs & access.rights = i.needs`;

/** A relation of these ids. */
export const listed = (ids: readonly number[]): Fragment => sql.fragment`(select distinct unnest(${sql.array([...ids], 'int8')}) as id)`;

/** The items `i` whose ids are in the column `id` of `relation`: each by itself. */
export const itemsOf = (relation: Fragment): Fragment =>
  sql.fragment`${relation} link cross join lateral (select * from items one where one.id = link.id limit 1) i`;
