import { z } from 'zod';
import { visibleById, workspaceOf } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, isReadable, mayAtHome, permitOf } from '../access/queries.ts';
import { itemTypes } from '../access/rights.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';

const Removable = AccessRow.extend({ type: z.enum(itemTypes).nullable() });

/** The caller's rights and the type of a visible item. With `replay`, also of an archived one. Throws Unauthenticated, Forbidden. */
export async function readRemovable(tx: Tx, caller: Caller, id: number, { replay }: { replay: boolean }) {
  const row = await tx.maybeOne(sql.type(Removable)`
    with ${accessTo(caller, workspaceOf(id))}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select i.type from items i
        where i.id = ${id} and i.workspace_id + 0 = access.workspace_id and ${isReadable('i', 'access.rights')}
          and (i.shown or ${replay} and (i.type = 'goal' or not exists (select from items up
            where up.id in (i.parent_id, i.parent_item_id, i.requirement_id, i.release_id) and not up.shown)))) as type
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.type === null) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), type: row.type };
}

const ofBatch = z.object({ id: z.number(), type: z.enum(itemTypes), version: z.number(), archived: z.boolean() });
const Archivable = AccessRow.extend({ items: z.array(ofBatch) });

export type Archivable = z.infer<typeof ofBatch>;

/** For a statement with `access`: true if the caller may read row `i`, or could read it before it was archived. */
export const visibleOrArchived = sql.fragment`i.workspace_id + 0 = access.workspace_id and ${isReadable('i', 'access.rights')}
  and (i.shown or i.archived_at is not null)`;

/** The caller's rights and these items, if visible now or before their archiving. Throws Unauthenticated, Forbidden. */
export async function readArchivable(tx: Tx, caller: Caller, workspaceId: number, ids: readonly number[]) {
  const row = await tx.maybeOne(sql.type(Archivable)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'version', i.version, 'archived', i.archived_at is not null) order by i.id), '[]')
        from items i where i.id = any(${sql.array([...ids], 'int8')}) and ${visibleOrArchived}) as items
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), items: row.items };
}

const Versioned = z.object({ id: z.number(), version: z.number() });

/** Locks these items and those they link to until the transaction ends, by id, so that two batches never deadlock. Returns the versions of
 *  visible ones. */
export async function lockItems(tx: Tx, permit: Permit, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const asked = sql.array([...ids], 'int8');
  const rows = await tx.any(sql.type(Versioned)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    locked as (
      select i.* from items i where i.workspace_id + 0 = ${permit.workspaceId} and i.id = any(array(
        select unnest(${asked}) union select up.id from items own, unnest(array[own.parent_id, own.parent_item_id, own.requirement_id, own.release_id]) up (id)
        where own.id = any(${asked})))
      order by i.id for update of i
    )
    select i.id, i.version from locked i, access where i.id = any(${asked}) and ${visibleById}`);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const OpenItem = z.object({ root: z.number(), id: z.number(), type: z.enum(itemTypes), title: z.string(), seen: z.boolean() });
export type OpenItem = z.infer<typeof OpenItem>;

/** Open items linked below these at any depth, without these items themselves. At most `limit` for each. `seen`: the caller may read it. */
export async function openBelow(tx: Tx, permit: Permit, ids: readonly number[], limit: number): Promise<readonly OpenItem[]> {
  const asked = sql.array([...ids], 'int8');
  return tx.any(sql.type(OpenItem)`
    select root.id as root, found.* from unnest(${asked}) as root (id) cross join lateral (
      with recursive below as (
        select i.id, i.type, i.title, i.closed, i.shown, i.needs from items i
        where i.parent_id = root.id or i.parent_item_id = root.id or i.requirement_id = root.id or i.release_id = root.id or i.goal_id = root.id
        union
        select i.id, i.type, i.title, i.closed, i.shown, i.needs from items i join below b
          on i.parent_id = b.id or i.parent_item_id = b.id or i.requirement_id = b.id or i.release_id = b.id
      )
      select id, type, title, needs & ${permit.rights} = needs as seen from below
      where shown and not closed and not id = any(${asked}) limit ${limit}
    ) found`);
}

/** `name`: null if the caller has no access to the workspace in which the timer was started (behaviour §42.7). */
const Runner = z.object({ item_id: z.number(), user_id: z.number(), name: z.string().nullable() });

export type Runner = z.infer<typeof Runner>;

/** SQL condition: the caller has access to the workspace in which the timer `e` was started. */
export const seesTimer = (caller: Caller): Fragment => mayAtHome(caller, sql.fragment`e.written_in`, () => sql.fragment`true`);

export async function timersOn(tx: Tx, { caller, workspaceId }: Permit, ids: readonly number[]): Promise<readonly Runner[]> {
  return tx.any(sql.type(Runner)`
    with ${accessTo(caller, workspaceId)}
    select e.item_id, e.user_id, case when e.user_id = access.user_id or ${seesTimer(caller)} then u.name end as name
    from access, time_entries e join users u on u.id = e.user_id
    where e.item_id = any(${sql.array([...ids], 'int8')}) and e.minutes is null order by e.item_id, e.user_id`);
}

const Above = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string(), seen: z.boolean() });

/** Archived items above these, which keep them hidden. `seen`: the caller could read it. */
export async function archivedAbove(tx: Tx, permit: Permit, ids: readonly number[]): Promise<readonly z.infer<typeof Above>[]> {
  return tx.any(sql.type(Above)`
    with recursive above as (
      select i.id, i.type, i.title, i.archived_at, i.needs, i.parent_id, i.parent_item_id, i.requirement_id, i.release_id
      from items i where i.id = any(${sql.array([...ids], 'int8')})
      union
      select up.id, up.type, up.title, up.archived_at, up.needs, up.parent_id, up.parent_item_id, up.requirement_id, up.release_id
      from above b join items up on up.id in (b.parent_id, b.parent_item_id, b.requirement_id, b.release_id) where b.type <> 'goal'
    )
    select id, type, title, needs & ${permit.rights} = needs as seen from above
    where archived_at is not null and not id = any(${sql.array([...ids], 'int8')}) order by id limit 10`);
}

const Hidden = z.object({ id: z.number() });

export async function stillHidden(tx: Tx, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await tx.any(sql.type(Hidden)`select id from items where id = any(${sql.array([...ids], 'int8')}) and not shown`);
  return rows.map(({ id }) => id);
}
