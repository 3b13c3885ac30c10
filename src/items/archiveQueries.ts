/** SQL of archiving an item: who may, what stands in the way, and the change itself. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { bits, itemTypes, resourceOf } from '../access/rights.ts';
import { recordChange } from '../changes/recordQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecast } from '../queue/jobs.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { visible, workspaceOf } from './queries.ts';

const Removable = AccessRow.extend({ type: z.enum(itemTypes).nullable() });

/** The caller's rights and the type of a visible item; `replay`: of one that is archived itself, too. Throws Unauthenticated, Forbidden. */
export async function readRemovable(tx: Tx, caller: Caller, id: number, { replay }: { replay: boolean }) {
  const row = await tx.maybeOne(sql.type(Removable)`
    with ${accessTo(caller, workspaceOf(id))}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select i.type from items i
        where i.id = ${id} and i.workspace_id = access.workspace_id and i.needs & access.rights = i.needs
          and (i.shown or ${replay} and (i.type = 'goal' or not exists (select from items up
            where up.id in (i.parent_id, i.parent_item_id, i.requirement_id, i.release_id) and not up.shown)))) as type
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || row.type === null) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), type: row.type };
}

const Versioned = z.object({ version: z.number() });

/** The version of a visible item, held against change and against new timers and links until the transaction ends. Throws Forbidden. */
export async function lockItem(tx: Tx, permit: Permit, id: number): Promise<number> {
  const version = await tx.maybeOneFirst(sql.type(Versioned)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    select i.version from items i, access where i.id = ${id} and ${visible} for update of i`);
  if (version === null) throw new Forbidden();
  return version;
}

const OpenItem = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string(), seen: z.boolean() });

/** Up to `limit` open items linked below, at any depth; `seen`: the caller may read it. */
export async function openBelow(tx: Tx, permit: Permit, id: number, limit: number): Promise<readonly z.infer<typeof OpenItem>[]> {
  return tx.any(sql.type(OpenItem)`
    with recursive below as (
      select i.id, i.type, i.title, i.closed, i.shown, i.needs from items i
      where i.parent_id = ${id} or i.parent_item_id = ${id} or i.requirement_id = ${id} or i.release_id = ${id} or i.goal_id = ${id}
      union
      select i.id, i.type, i.title, i.closed, i.shown, i.needs from items i join below b
        on i.parent_id = b.id or i.parent_item_id = b.id or i.requirement_id = b.id or i.release_id = b.id
    )
    select id, type, title, needs & ${permit.rights} = needs as seen from below
    where shown and not closed limit ${limit}`);
}

const Runner = z.object({ user_id: z.number() });

/** The id of somebody whose timer runs on the item, or null. */
export async function timerOn(tx: Tx, id: number): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Runner)`
    select user_id from time_entries where item_id = ${id} and minutes is null limit 1`);
}

/** Archives an item that is at `version`. Its new version, or null when the rights have gone since. */
export async function archiveItem(tx: Tx, permit: Permit & { type: (typeof itemTypes)[number] }, id: number): Promise<number | null> {
  const needed = bits(resourceOf(permit.type), 'delete');
  return tx.maybeOneFirst(sql.type(Versioned)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      update items i set archived_at = now(), version = i.version + 1 from access
      where i.id = ${id} and ${visible} and access.rights & ${needed} = ${needed}
      returning i.*
    ),
    ${recordChange(permit.caller, 'item.archived', {})},
    ${markForecast(permit.type !== 'goal')}
    select saved.version from saved, (select count(*) from job) j`);
}
