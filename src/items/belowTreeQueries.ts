/** SQL of the work below an item on its page: two levels of rows and the sums of all (behaviour §21.4). Both have limits. */
import { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { leftOf } from '../workspaces/queries.ts';
import { leftStates, statuses } from '../workspaces/statuses.ts';
import { childrenOf, idsBelow } from './findWork/belowQueries.ts';
import { leftHours } from './leftQueries.ts';

export const MOST_BELOW = 100;
export const MOST_SUMMED = 1_000;

export const Person = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(['person', 'service']),
  left: z.enum(leftStates).nullable(),
});
export type Person = z.infer<typeof Person>;

export const personJson = (workspaceId: Fragment): Fragment => sql.fragment`case when u.id is not null then
  json_build_object('id', u.id, 'name', u.name, 'kind', u.kind, 'left', ${leftOf(workspaceId)}) end`;

export const BelowRow = z.object({
  id: z.number(),
  version: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusKey: z.string(),
  statusLabel: z.string(),
  priorityKey: z.string().nullable(),
  due: z.string().nullable(),
  dueField: z.enum(['due', 'target']),
  estimatedHours: z.number().nullable(),
  progressPercent: z.number().nullable(),
  /** Of the estimate; null without one. */
  leftHours: z.number().nullable(),
  blockedReason: z.string().nullable(),
  changedSinceApproval: z.boolean(),
  /** The assignee of a task, the owner of anything else. */
  person: Person.nullable(),
  under: z.number().nullable(),
});
export type BelowRow = z.infer<typeof BelowRow>;

/** Hours are estimates, without cancelled work. `activeHours`: the remaining estimate of work in progress or in review. */
export const BelowSums = z.object({
  items: z.number(),
  done: z.number(),
  hours: z.number(),
  doneHours: z.number(),
  activeHours: z.number(),
});
export type BelowSums = z.infer<typeof BelowSums>;

const rights = sql.fragment`access.rights`;
const links = sql.fragment`i.id, i.type, i.closed`;

/** CTEs `below_ids`, `below_one` and `below_two`, for a statement with `access` and `self`, a visible item's row. Open items come first. */
export const belowCtes = sql.fragment`
  root as (select id, type, workspace_id from self),
  below_ids as materialized (
    select b.id from access cross join lateral (${idsBelow(rights)} limit ${MOST_SUMMED + 1}) b),
  below_one as materialized (
    select distinct child.id, child.type, child.closed from self up cross join access
    cross join lateral (${childrenOf(links, rights)} limit ${3 * MOST_BELOW}) child order by child.closed, child.id limit ${MOST_BELOW + 1}),
  below_two as materialized (
    select child.id, up.id as under from below_one up cross join access
    cross join lateral (${childrenOf(links, rights)} limit ${MOST_BELOW + 1}) child limit ${2 * MOST_BELOW})`;

/** JSON of BelowRows, unordered. It reads each item by its id, because the planner must not join with all items. */
export const belowRowsJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', i.id, 'version', i.version, 'type', i.type, 'title', i.title, 'status', i.status,
    'statusKey', i.status_key, 'statusLabel', s.label, 'priorityKey', i.priority_key, 'due', i.due,
    'dueField', case when i.type = 'task' or i.due_date is not null then 'due' else 'target' end, 'estimatedHours', i.estimated_hours,
    'progressPercent', i.progress_percent, 'leftHours', ${fixedSql(leftHours('i'))}, 'blockedReason', i.blocked_reason, 'changedSinceApproval', i.changed_since_approval,
    'person', ${personJson(sql.fragment`i.workspace_id`)}, 'under', t.under)), '[]')
  from (select id, min(under) as under from (select id, null::bigint as under from below_one union all select id, under from below_two) each
    group by id) t
  cross join lateral (select * from items one where one.id = t.id limit 1) i
  join statuses s on s.workspace_id = i.workspace_id and s.key = i.status_key
  left join lateral (select * from users one where one.id = case when i.type = 'task' then i.assignee_id else i.owner_id end limit 1) u on true)`;

export const belowSumsJson = sql.fragment`(
  select json_build_object('items', count(*), 'done', count(*) filter (where i.status = 'done'),
    'hours', coalesce(sum(i.estimated_hours), 0), 'doneHours', coalesce(sum(greatest(0, i.estimated_hours - i.left)), 0),
    'activeHours', coalesce(sum(i.left) filter (where i.status in ('in_progress', 'in_review')), 0))
  from (select id from below_ids limit ${MOST_SUMMED}) b cross join lateral (
    select one.status, one.estimated_hours, ${fixedSql(leftHours('one'))} as left
    from items one where one.id = b.id and one.status <> 'cancelled' limit 1) i)`;
