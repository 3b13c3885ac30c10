/** SQL of a release's burn-up: the items that are or were below it, with their recorded changes (behaviour §38.7). */
import { isReadable } from '../access/queries.ts';
import { fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { MOST_SUMMED } from './belowTreeQueries.ts';

/** The newest changes of an item that are read. */
const MOST_OF_ITEM = 200;
/** Of all items together: then items with many changes have fewer of them read. */
const MOST_CHANGES_READ = 20_000;

const readable = sql.fragment`i.workspace_id = access.workspace_id and ${isReadable('i', 'access.rights')}`;
const changing = fixedSql(`array['status', 'estimatedHours', 'releaseId', 'requirementId', 'parentItemId', 'parentId']`);

/** CTE `ever_below (id)`, for a statement with `access` and `self`: archived items too. Lazy, like `idsBelow`. */
export const everBelowCte = sql.fragment`
  ever_below as materialized (
    with recursive up (id, type) as (
      select id, type from self where type = 'release'
      union
      select child.id, child.type from up cross join access cross join lateral (
        select i.id, i.type from items i where i.parent_item_id = up.id and up.type in ('task', 'milestone') and ${readable}
        union all
        select i.id, i.type from items i where i.requirement_id = up.id and up.type = 'requirement' and ${readable}
        union all
        select i.id, i.type from items i where i.release_id = up.id and up.type = 'release' and ${readable}
        union all
        select i.id, i.type from items i where i.parent_id = up.id and up.type = 'requirement' and ${readable}
        union all
        select i.id, i.type from changes c cross join lateral (select * from items one where one.id = c.item_id limit 1) i
        where left_links(c.fields) <> '{}' and left_links(c.fields) @> array[up.id] and ${readable}
      ) child
    )
    select id from up where id <> (select id from self) limit ${MOST_SUMMED + 1}
  )`;

/** CTE `limited (most)`: the changes to read of each item, so that at most MOST_CHANGES_READ are read. Items with fewer leave theirs to the
 *  others: the shares are computed from the item with the fewest changes on. */
const limited = sql.fragment`
  counted as materialized (
    select b.id, (select count(*) from (select from changes c where c.item_id = b.id order by c.era desc, c.xact desc, c.id desc limit ${MOST_OF_ITEM}) newest)
      as changes
    from (select id from ever_below limit ${MOST_SUMMED}) b
  ),
  limited as materialized (
    select coalesce(max(floor(share)) filter (where changes > share), ${MOST_OF_ITEM})::integer as most
    from (select changes, (${MOST_CHANGES_READ} - sum(changes) over fewest + changes) / (count(*) over () - row_number() over fewest + 1) as share
      from counted window fewest as (order by changes, id)) shares
  )`;

/** JSON of BurnUp. */
export const burnUpJson = sql.fragment`(
  with ${limited}
  select json_build_object('releaseId', (select id from self), 'more', (select count(*) > ${MOST_SUMMED} from ever_below),
    'items', coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'status', i.status, 'hours', coalesce(i.estimated_hours, 0),
      'archived', i.archived_at is not null, 'parentItemId', i.parent_item_id, 'requirementId', i.requirement_id, 'releaseId', i.release_id,
      'parentId', i.parent_id, 'created', (i.created_at at time zone 'UTC')::date, 'completed', (i.completed_at at time zone 'UTC')::date,
      'first', recorded.first, 'changes', coalesce(recorded.changes::text, '[]')) order by i.id), '[]'))
  from counted b
  cross join lateral (select * from items one where one.id = b.id limit 1) i
  cross join lateral (
    select min(c.day) as first, json_agg(json_build_array(c.day, c.kind, c.fields -> 'status', c.fields -> 'estimatedHours', c.fields -> 'releaseId',
        c.fields -> 'requirementId', c.fields -> 'parentItemId', c.fields -> 'parentId') order by c.era desc, c.xact desc, c.id desc)
      filter (where c.kind <> 'item.created' and (c.kind in ('item.archived', 'item.restored') or c.fields ?| ${changing})) as changes
    from (
      select c.kind, c.fields, c.comment_id, c.era, c.xact, c.id, (c.at at time zone 'UTC')::date as day from changes c where c.item_id = i.id
      order by c.era desc, c.xact desc, c.id desc limit (select most from limited)
    ) c where c.comment_id is null
  ) recorded)`;
