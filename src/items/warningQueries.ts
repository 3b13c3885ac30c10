/** SQL of what warnings go by (behaviour §7.39). */
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { childrenOf } from './findWork/belowQueries.ts';
import { newestSnapshot, oversees } from './forecastQueries.ts';

const readable = (row: Fragment) =>
  sql.fragment`${row}.workspace_id = access.workspace_id and ${row}.shown and ${row}.needs & access.rights = ${row}.needs`;

/** For an agent's statement with `access`: WarningFacts of changes of the items `ids`, or of new ones, that name these people and targets. */
export const warningFactsJson = (ids: readonly number[], people: readonly number[], targets: readonly number[]): Fragment => sql.fragment`(
  with own as (select * from items where id = any(${sql.array([...ids], 'int8')})),
  linked as (
    select unnest(${sql.array([...targets], 'int8')}) as id
    union select unnest(array[parent_id, parent_item_id, requirement_id, release_id]) from own
  ),
  reached as (select i.* from items i where i.id in (select id from linked) and ${readable(sql.fragment`i`)}),
  higher as (
    select * from reached
    union select i.* from items i where i.id in (select release_id from reached) and ${readable(sql.fragment`i`)}
  )
  select json_build_object(
    'zoneToday', (now() at time zone (select c.timezone from connections c where c.id = access.credential_id))::date,
    'above', (select coalesce(json_object_agg(h.id, json_build_object('target', coalesce(h.target_date, h.due_date),
      'estimatedHours', h.estimated_hours, 'releaseId', h.release_id)), '{}') from higher h),
    'estimatedBelow', (select coalesce(json_agg(up.id), '[]') from own up
      where exists (select from (${childrenOf(sql.fragment`i.estimated_hours`, sql.fragment`access.rights`)}) child where child.estimated_hours > 0)),
    'overloads', (select coalesce(json_object_agg(o.user_id, o.weeks), '{}') from (
      select l.user_id, json_agg(l.week) as weeks from capacity_overloads l
      where ${oversees} and l.snapshot_id = ${newestSnapshot}
        and (l.user_id = any(${sql.array([...people], 'int8')}) or l.user_id in (select assignee_id from own))
      group by l.user_id) o)))`;
