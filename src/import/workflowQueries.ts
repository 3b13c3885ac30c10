import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { statuses } from '../workspaces/statuses.ts';
import type { Row } from './queries.ts';

/** Deletes the default statuses and priorities of new workspaces, which are still unused. */
export async function clearWords(tx: Tx, workspaceIds: number[]): Promise<void> {
  const ids = sql.array(workspaceIds, 'int8');
  await tx.query(sql.unsafe`
    with gone as (delete from statuses where workspace_id = any(${ids})) delete from priorities where workspace_id = any(${ids})`);
}

/** Adds to the default statuses; the same key overrides (behaviour §2.10). */
export async function addStatuses(tx: Tx, rows: Row[]): Promise<void> {
  await tx.query(sql.unsafe`
    insert into statuses (account_id, workspace_id, key, label, types, status, wip_items, wip_hours, position)
    select account_id, workspace_id, key, label, types, status, "wipItems", "wipHours", position
    from json_to_recordset(${JSON.stringify(rows)}::json) as
      r (account_id bigint, workspace_id bigint, key text, label text, types text[], status text, "wipItems" integer, "wipHours" integer, position integer)
    on conflict (workspace_id, key) do update set label = excluded.label, types = excluded.types, status = excluded.status,
      wip_items = excluded.wip_items, wip_hours = excluded.wip_hours`);
}

/** Like `addStatuses`. A default priority among them replaces the previous default. */
export async function addPriorities(tx: Tx, rows: Row[]): Promise<void> {
  const given = JSON.stringify(rows);
  await tx.query(sql.unsafe`
    update priorities set is_default = false where is_default and workspace_id in (
      select workspace_id from json_to_recordset(${given}::json) as r (workspace_id bigint, is_default boolean) where r.is_default)`);
  await tx.query(sql.unsafe`
    insert into priorities (account_id, workspace_id, key, label, rank, is_default)
    select account_id, workspace_id, key, label, rank, is_default
    from json_to_recordset(${given}::json) as r (account_id bigint, workspace_id bigint, key text, label text, rank integer, is_default boolean)
    on conflict (workspace_id, key) do update
    set label = excluded.label, rank = excluded.rank, is_default = excluded.is_default or priorities.is_default`);
}

const Workflow = z.object({
  workspace_id: z.number(),
  today: z.string(),
  statuses: z.array(z.object({ key: z.string(), status: z.enum(statuses), types: z.array(z.string()) })),
  priorities: z.array(z.object({ key: z.string(), default: z.boolean() })),
});
export type Workflow = z.infer<typeof Workflow>;

export async function readWorkflows(tx: Tx, workspaceIds: number[]): Promise<readonly Workflow[]> {
  return tx.any(sql.type(Workflow)`
    select w.id as workspace_id, current_date as today,
      (select json_agg(json_build_object('key', s.key, 'status', s.status, 'types', s.types) order by s.position, s.key)
        from statuses s where s.workspace_id = w.id) as statuses,
      (select json_agg(json_build_object('key', p.key, 'default', p.is_default)) from priorities p where p.workspace_id = w.id) as priorities
    from workspaces w where w.id = any(${sql.array(workspaceIds, 'int8')})`);
}
