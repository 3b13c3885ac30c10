/** SQL of the facts that item rules need, for a statement with `access`. */
import { bits } from '../access/rights.ts';
import type { Fragment } from '../database/db.ts';
import { sql } from '../database/sql.ts';

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
    and m.rights & ${bits('tasks', 'write')} = ${bits('tasks', 'write')})`;

export const targetsJson = (ids: readonly number[]): Fragment => sql.fragment`(
  select coalesce(json_object_agg(i.id, i.type), '{}') from items i
  where i.id = any(${sql.array([...ids], 'int8')}) and i.workspace_id + 0 = access.workspace_id and i.shown
    and i.needs & case when i.type = 'goal' then access.context_rights else access.rights end = i.needs)`;
