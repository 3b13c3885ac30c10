/** SQL of one row of a list of work, for a row `i` of items that the caller sees (schema.ts, ListRow). */

import { z } from 'zod';
import { readsGoals } from '../../access/queries.ts';
import type { ItemType } from '../../access/rights.ts';
import type { Fragment } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { childrenOf } from '../../items/findWork/belowQueries.ts';
import { standsJson } from '../../items/forecastQueries.ts';
import { firstValue } from '../../items/goalTrendQueries.ts';
import type { ListRow } from './schema.ts';

/** So many items below a row are looked at. */
const MOST_BELOW = 100;
/** So many requirements are compared. */
const MOST_RANKED = 1_000;

/** What an item is part of, nearest kind of link first. All of these but a goal's parent are ancestors that whoever sees the item sees. */
export const upOf = sql.fragment`coalesce(i.parent_item_id, i.parent_id, i.requirement_id, i.release_id, case when ${readsGoals} then i.goal_id end)`;

const person = (id: Fragment) =>
  sql.fragment`(select json_build_object('id', u.id, 'name', u.name, 'kind', u.kind) from users u where u.id = ${id})`;

const upJson = sql.fragment`(
  select json_build_object('id', up.id, 'type', up.type, 'title', up.title) from items up
  where up.id = ${upOf} and (up.shown or not i.shown) and up.needs & access.context_rights = up.needs)`;

const belowJson = sql.fragment`(
  select json_build_object('done', least(${MOST_BELOW}, count(*) filter (where b.status = 'done')), 'total', least(${MOST_BELOW}, count(*)),
    'more', count(*) > ${MOST_BELOW})
  from (
    select c.status from (select i.id, i.type) up cross join lateral (${childrenOf(sql.fragment`i.status`, sql.fragment`access.rights`)}) c
    where c.status <> 'cancelled' limit ${MOST_BELOW + 1}) b)`;

export const scoreOf = sql.fragment`i.reach * i.impact * i.confidence / 100 / nullif(i.effort, 0)`;

/** CTE `ranked (id, rank)`: the open requirements of `needs`, by score; empty where there are too many to compare. */
export const ranked = sql.fragment`
  ranked as materialized (
    select id, rank from (
      select o.id, rank() over (order by o.score desc) as rank, count(*) over () as among
      from (
        select s.id, s.score from needs n cross join lateral (
          select i.id, ${scoreOf} as score from items i
          where i.workspace_id = n.workspace_id and i.needs = n.needs and not i.closed and i.shown limit ${MOST_RANKED + 1}
        ) s limit ${MOST_RANKED + 1}
      ) o where o.score is not null
    ) r where among <= ${MOST_RANKED}
  ),`;

const ofRequirement = sql.fragment`'score', ${scoreOf}, 'rank', (select r.rank from ranked r where r.id = i.id), 'targetDate', i.target_date,
  'approval', (select p.action from approvals p where p.item_id = i.id order by p.item_version desc limit 1), 'below', ${belowJson}`;
const ofGoal = sql.fragment`'target', i.target, 'current', i.current, 'unit', i.unit, 'first', ${firstValue}, 'targetDate', i.target_date, 'below', ${belowJson}`;
const ofRelease = sql.fragment`'versionLabel', i.version_label, 'targetDate', i.target_date, 'below', ${belowJson}, 'forecast', ${standsJson(sql.fragment`i.id`)}`;
const ofTask = sql.fragment`'progressPercent', i.progress_percent`;

const ofType: Record<ItemType, Fragment> = {
  task: ofTask,
  requirement: ofRequirement,
  goal: ofGoal,
  release: ofRelease,
  milestone: ofRelease,
};

/** JSON, with nulls, which take less to be left out where it is read; with the row's `access`. `detail`: more names and values. */
export const rowJson = (type: ItemType, group: Fragment, detail = sql.fragment``): Fragment => sql.fragment`json_build_object(
  'id', i.id, 'version', i.version, 'type', i.type, 'title', i.title, 'status', i.status, 'statusKey', i.status_key,
  'priorityKey', i.priority_key, 'assignee', ${person(sql.fragment`i.assignee_id`)}, 'owner', ${person(sql.fragment`i.owner_id`)}, 'due', i.due,
  'estimatedHours', i.estimated_hours, 'blockedReason', i.blocked_reason, 'up', ${upJson}, 'changedSinceApproval', nullif(i.changed_since_approval, false),
  'archived', case when i.archived_at is not null then true end, 'group', ${group}, ${ofType[type]}${detail})`;

/** Rows as rowJson writes them. */
export const ListRows = z.custom<ListRow[]>().transform((rows) => rows.map(withoutNulls));

/** A loop: a list of pairs and back costs three times as much, for hundreds of rows. */
function withoutNulls(row: ListRow): ListRow {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) if (value !== null) kept[name] = value;
  return kept as unknown as ListRow;
}
