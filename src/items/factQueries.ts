/** SQL of the facts that item rules need, for a statement with `access`. Reads only facts about fields that a `change` gives another value.
 *  The four lookups cost as much as reading the item. */
import { bits } from '../access/rights.ts';
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { LinkName } from './fields.ts';
import type { ItemChange } from './schema.ts';

export const noneById = sql.fragment`'{}'::json`;
const noList = sql.fragment`'[]'::json`;

const unless = (kept: Fragment, none: Fragment, facts: Fragment): Fragment =>
  sql.fragment`case when ${kept} then ${none} else ${facts} end`;

/** The same comparisons as the pure rules (decide.ts). */
const keepsStatus = ({ status, fields }: ItemChange): Fragment => sql.fragment`
  coalesce(${status ?? null}::text, i.status) = i.status and coalesce(${fields?.statusKey ?? null}::text, i.status_key) = i.status_key`;
const keepsPriority = ({ fields }: ItemChange): Fragment =>
  sql.fragment`i.id is not null and coalesce(${fields?.priorityKey ?? null}::text, i.priority_key) is not distinct from i.priority_key`;
const keepsPeople = ({ ownerId, fields }: ItemChange): Fragment => sql.fragment`
  coalesce(${ownerId ?? null}::bigint, i.owner_id) is not distinct from i.owner_id
  and coalesce(${fields?.assigneeId ?? null}::bigint, i.assignee_id) is not distinct from i.assignee_id`;

const link = ({ fields }: ItemChange, name: LinkName) => fields?.[name] ?? null;
const keepsLinks = (change: ItemChange): Fragment => sql.fragment`
  coalesce(${link(change, 'parentId')}::bigint, i.parent_id) is not distinct from i.parent_id
  and coalesce(${link(change, 'parentItemId')}::bigint, i.parent_item_id) is not distinct from i.parent_item_id
  and coalesce(${link(change, 'requirementId')}::bigint, i.requirement_id) is not distinct from i.requirement_id
  and coalesce(${link(change, 'releaseId')}::bigint, i.release_id) is not distinct from i.release_id
  and coalesce(${link(change, 'goalId')}::bigint, i.goal_id) is not distinct from i.goal_id`;

const statuses = sql.fragment`(
  select coalesce(json_agg(json_build_object('key', s.key, 'status', s.status, 'types', s.types) order by s.position, s.key), '[]')
  from statuses s where s.workspace_id = access.workspace_id)`;
export const statusesFor = (change?: ItemChange): Fragment => (change ? unless(keepsStatus(change), noList, statuses) : statuses);

const priorities = sql.fragment`(
  select coalesce(json_agg(json_build_object('key', p.key, 'default', p.is_default)), '[]')
  from priorities p where p.workspace_id = access.workspace_id)`;
export const prioritiesFor = (change?: ItemChange): Fragment => (change ? unless(keepsPriority(change), noList, priorities) : priorities);

const people = (ids: readonly number[]) => sql.fragment`(
  select coalesce(json_object_agg(u.id, u.name), '{}') from memberships m join users u on u.id = m.user_id and u.active
  where m.workspace_id = access.workspace_id and m.user_id = any(${sql.array([...ids], 'int8')})
    and m.rights & ${bits('tasks', 'write')} = ${bits('tasks', 'write')})`;
export function peopleFor(ids: readonly number[], change?: ItemChange): Fragment {
  if (!ids.length) return noneById;
  return change ? unless(keepsPeople(change), noneById, people(ids)) : people(ids);
}

const targets = (ids: readonly number[]) => sql.fragment`(
  select coalesce(json_object_agg(i.id, i.type), '{}') from items i
  where i.id = any(${sql.array([...ids], 'int8')}) and i.workspace_id + 0 = access.workspace_id and i.shown
    and i.needs & case when i.type = 'goal' then access.context_rights else access.rights end = i.needs)`;
export function targetsFor(ids: readonly number[], change?: ItemChange): Fragment {
  if (!ids.length) return noneById;
  return change ? unless(keepsLinks(change), noneById, targets(ids)) : targets(ids);
}
