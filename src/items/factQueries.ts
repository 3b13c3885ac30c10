/** SQL of the facts that item rules need, for a statement with `access`. */

import { itemsOf, listed } from '../access/accountAccessQueries.ts';
import { isVisible } from '../access/queries.ts';
import { TASKS_WRITE } from '../access/rights.ts';
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { childrenOf } from './findWork/belowQueries.ts';
import { newestSnapshot, oversees } from './forecastQueries.ts';

export const noneById = sql.fragment`'{}'::json`;

export const statusesJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('key', s.key, 'status', s.status, 'types', s.types) order by s.position, s.key), '[]')
  from statuses s where s.workspace_id = access.workspace_id)`;

export const prioritiesJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('key', p.key, 'default', p.is_default)), '[]')
  from priorities p where p.workspace_id = access.workspace_id)`;

export const peopleJson = (ids: readonly number[]): Fragment => sql.fragment`(
  select coalesce(json_object_agg(u.id, u.name), '{}') from memberships m join users u on u.id = m.user_id and u.active
  where m.workspace_id = access.workspace_id and m.user_id = any(${sql.array([...ids], 'int8')})
    and m.rights & ${TASKS_WRITE} = ${TASKS_WRITE})`;

export const targetsJson = (ids: readonly number[]): Fragment => sql.fragment`(
  select coalesce(json_object_agg(i.id, i.type), '{}') from items i
  where i.id = any(${sql.array([...ids], 'int8')}) and i.workspace_id + 0 = access.workspace_id and ${isVisible('i', sql.fragment`case when i.type = 'goal' then access.context_rights else access.rights end`)})`;

/** SQL of the facts for warnings (behaviour §7.39). */
const readable = sql.fragment`i.workspace_id = access.workspace_id and ${isVisible('i', 'access.rights')}`;
const above = sql.fragment`i.id, i.type, coalesce(i.target_date, i.due_date) as target, i.estimated_hours, i.release_id`;

/** For an agent's statement with `access`: WarningFacts for changes of items `ids`, or for new items. */
export const warningFactsJson = (ids: readonly number[], people: readonly number[], targets: readonly number[]): Fragment => sql.fragment`(
  with own as (select i.* from ${itemsOf(listed(ids))}),
  linked as (
    select unnest(${sql.array([...targets], 'int8')}) as id
    union select unnest(array[parent_id, parent_item_id, requirement_id, release_id]) from own
  ),
  reached as (select ${above} from ${itemsOf(sql.fragment`linked`)} where ${readable}),
  higher as (
    select * from reached
    union select ${above} from ${itemsOf(sql.fragment`(select release_id as id from reached)`)} where ${readable}
  )
  select json_build_object(
    'zoneToday', (now() at time zone (select c.timezone from connections c where c.id = access.credential_id))::date,
    'above', (select coalesce(json_object_agg(h.id, json_build_object('type', h.type, 'target', h.target, 'estimatedHours', h.estimated_hours, 'releaseId', h.release_id)), '{}') from higher h),
    'estimatedBelow', (select coalesce(json_agg(up.id), '[]') from own up
      where up.type <> 'task' and exists (select from (${childrenOf(sql.fragment`i.estimated_hours`, sql.fragment`access.rights`)}) child where child.estimated_hours > 0)),
    'overloads', (select coalesce(json_object_agg(o.user_id, o.weeks), '{}') from (
      select l.user_id, json_agg(l.week) as weeks from capacity_overloads l
      where ${oversees} and l.snapshot_id = ${newestSnapshot}
        and (l.user_id = any(${sql.array([...people], 'int8')}) or l.user_id in (select assignee_id from own))
      group by l.user_id) o)))`;
