/** SQL of the items below an item, through links of every kind (behaviour §7.32). Everything above a visible item is visible, except goals,
 *  so walking down through visible items misses none. */
import { isVisible } from '../../access/queries.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';

export const rootOf = (id: number): Fragment => sql.fragment`
  root as (
    select i.id, i.type, i.workspace_id from items i join access a on a.workspace_id = i.workspace_id + 0
    where i.id = ${id} and ${isVisible('i', 'a.rights')}
  )`;

/** The visible items directly below `up (id, type)`, as rows of `columns`, by one index per kind of link. May contain duplicates. */
export const childrenOf = (columns: Fragment, rights: Fragment): Fragment => sql.fragment`
  select ${columns} from items i where i.parent_item_id = up.id and up.type in ('task', 'milestone') and ${isVisible('i', rights)}
  union all
  select ${columns} from items i where i.requirement_id = up.id and up.type = 'requirement' and ${isVisible('i', rights)}
  union all
  select ${columns} from items i where i.release_id = up.id and up.type = 'release' and ${isVisible('i', rights)}
  union all
  select ${columns} from items i where i.parent_id = up.id and up.type in ('requirement', 'goal') and ${isVisible('i', rights)}
  union all
  select ${columns} from items i where i.goal_id = up.id and up.type = 'goal' and ${isVisible('i', rights)}`;

/** Ids of all items below `root` that these rights can read. Lazy: it stops when the outer query needs no more. */
export const idsBelow = (rights: Fragment): Fragment => sql.fragment`
  with recursive up (id, type) as (
    select id, type from root
    union
    select child.id, child.type from up cross join lateral (${childrenOf(sql.fragment`i.id, i.type`, rights)}) child
  )
  select id from up where id <> (select id from root)`;

/** True if item `start` is `id` or below it; `id` is in `root`. Goal links are followed only if `root` is a goal. */
export const isBelow = (start: Fragment, id: number): Fragment => sql.fragment`exists (
  with recursive up (id) as (
    select ${start}
    union
    select link.id from up join items u on u.id = up.id and u.shown
    cross join lateral unnest(array[u.parent_item_id, u.parent_id, u.requirement_id, u.release_id,
      case when (select type from root) = 'goal' then u.goal_id end]) link (id)
    where link.id is not null
  )
  select from up where up.id = ${id})`;

/** JSON of the link that places row `i` below `id`: a direct link first, otherwise the nearest kind. */
export const viaJson = (id: number): Fragment => sql.fragment`(
  select json_build_object('field', link.field, 'id', link.id)
  from (values (1, 'parentItemId', i.parent_item_id), (2, 'parentId', i.parent_id), (3, 'requirementId', i.requirement_id),
    (4, 'releaseId', i.release_id), (5, 'goalId', case when (select type from root) = 'goal' then i.goal_id end)) link (place, field, id)
  where link.id is not null and ${isBelow(sql.fragment`link.id`, id)}
  order by link.id <> ${id}, link.place limit 1)`;
