import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden } from '../values/errors.ts';
import { visible } from './queries.ts';
import { MOST_RECENT, type Star } from './starSchema.ts';

const Found = z.object({ found: z.boolean() });
const idsOf = ({ kind, id }: Star) => ({ itemId: kind === 'item' ? id : null, viewId: kind === 'view' ? id : null });

/** Throws Forbidden if the caller does not see it. */
export async function insertStar(tx: Tx, { caller, accountId, userId, workspaceId }: Permit, star: Star): Promise<void> {
  const { itemId, viewId } = idsOf(star);
  const { found } = await tx.one(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select (${itemId}::bigint is null or exists (select from items i where i.id = ${itemId} and ${visible}))
        and (${viewId}::bigint is null or exists (select from views v
          where v.id = ${viewId} and v.workspace_id = access.workspace_id and (v.user_id = access.user_id or v.shared))) as found
    from access`);
  if (!found) throw new Forbidden();
  await tx.query(sql.unsafe`
    insert into stars (account_id, workspace_id, user_id, item_id, view_id)
    values (${accountId}, ${workspaceId}, ${userId}, ${itemId}, ${viewId}) on conflict do nothing`);
}

export async function deleteStar(tx: Tx, { userId, workspaceId }: Permit, star: Star): Promise<void> {
  const { itemId, viewId } = idsOf(star);
  await tx.query(sql.unsafe`
    delete from stars where user_id = ${userId} and workspace_id = ${workspaceId}
      and item_id is not distinct from ${itemId}::bigint and view_id is not distinct from ${viewId}::bigint`);
}

/** Does nothing if the caller does not see the item. */
export async function storeOpened(tx: Tx, { caller, workspaceId }: Permit, itemId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with ${accessTo(caller, workspaceId)}
    insert into recent_items as r (user_id, account_id, item_ids)
    select access.user_id, access.account_id, array[i.id] from access join items i on i.id = ${itemId} and ${visible}
    on conflict (user_id) do update set item_ids = (excluded.item_ids || array_remove(r.item_ids, excluded.item_ids[1]))[1:${MOST_RECENT}]`);
}
