/** SQL of undoing an import (behaviour §36.27). */
import { z } from 'zod';
import type { Permit } from '../../access/caller.ts';
import { accessTo, isReadable } from '../../access/queries.ts';
import { itemTypes } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { Conflict } from '../../values/errors.ts';
import { onlyOne } from './runQueries.ts';
import type { Run } from './schema.ts';

export const UNDO_DAYS = 7;

const Id = z.object({ id: z.number() });

/** Throws Conflict after the time for undo, for an import that is not finished, and while another one runs. */
export async function beginUndo(tx: Tx, permit: Permit, id: number): Promise<void> {
  const begun = await onlyOne(
    tx.maybeOneFirst(sql.type(Id)`
      update imports m set state = 'undoing', problem = null, user_id = ${permit.userId}, done = 0, finished_at = null, resumed_at = now(), resumed_at_place = 0,
        total = (select count(*) from imported_items k where k.import_id = m.id)
      where m.id = ${id} and m.workspace_id = ${permit.workspaceId} and m.state in ('done', 'stopped')
        and m.started_at > now() - ${UNDO_DAYS} * interval '1 day' returning m.id`),
  );
  if (begun === null) throw new Conflict('This import can no longer be undone. Reload the page.');
  // What an earlier undo, which stopped, had kept.
  await tx.query(sql.unsafe`delete from import_rows where import_id = ${id} and n < 0`);
}

const Made = z.object({
  id: z.number(),
  key: z.string().nullable(),
  type: z.enum(itemTypes),
  version: z.number(),
  shown: z.boolean(),
  readable: z.boolean(),
  changed: z.boolean(),
  used: z.boolean(),
  /** Items that link to it and are not archived; some of many. */
  below: z.array(z.number()),
});
export type Made = z.infer<typeof Made>;

/** Items that the run created, the last ones first: items below others were created after them. Locks them against changes. */
export function nextMade(tx: Tx, { caller, workspaceId }: Permit, run: Run, most: number): Promise<readonly Made[]> {
  return tx.any(sql.type(Made)`
    with ${accessTo(caller, workspaceId)},
    made as materialized (
      select k.item_id, k.key, k.version, k.again from imported_items k where k.import_id = ${run.id} order by k.item_id desc limit ${most}
    ),
    locked as materialized (
      select i.* from items i where i.id = any(array(select item_id from made)) order by i.id for update
    )
    select i.id, made.key, i.type, i.version, i.shown, ${isReadable('i', 'access.rights')} as readable,
      i.version <> made.version or made.again or exists (select from changes c where c.item_id = i.id and c.via <> 'import') as changed,
      exists (select from time_entries e where e.item_id = i.id) or exists (select from plan_blocks b where b.item_id = i.id) as used,
      array(select c.id from items c where c.shown and (
        c.parent_id = i.id or c.parent_item_id = i.id or c.requirement_id = i.id or c.release_id = i.id or c.goal_id = i.id) limit ${most + 1}) as below
    from access, locked i join made on made.item_id = i.id order by i.id desc`);
}

/** `removed`: archived, so their keys are free again. `kept`: no longer of this run. */
export async function forget(tx: Tx, run: Run, removed: readonly number[], kept: readonly number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (delete from imported_comments where item_id = any(${sql.array([...removed], 'int8')}))
    delete from imported_items where item_id = any(${sql.array([...removed], 'int8')}) and import_id = ${run.id}`);
  await tx.query(sql.unsafe`
    update imported_items set import_id = null where item_id = any(${sql.array([...kept], 'int8')}) and import_id = ${run.id}`);
}

export async function noteKept(
  tx: Tx,
  { id, accountId }: Run,
  first: number,
  kept: readonly { id: number; key: string | null; problem: string }[],
): Promise<void> {
  // Row numbers are negative here, because those of the file's rows are positive.
  await tx.query(sql.unsafe`
    insert into import_rows (account_id, import_id, n, key, kind, problem, item_id)
    select ${accountId}, ${id}, -(${first} + k.place), k.key, 'issue', k.problem, k.id
    from rows from (json_to_recordset(${JSON.stringify(kept)}::json) as (id bigint, key text, problem text)) with ordinality as k (id, key, problem, place)`);
}

export async function passUndone(tx: Tx, id: number, count: number): Promise<void> {
  await tx.query(sql.unsafe`update imports set done = done + ${count} where id = ${id}`);
}
