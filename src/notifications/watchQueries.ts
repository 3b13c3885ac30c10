/** SQL of an item's watchers (behaviour §10.19). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { visible } from '../items/queries.ts';
import { Forbidden } from '../values/errors.ts';

/** For a statement with `access` and an item `i`: true if the caller watches it. Owners, assignees and commenters do by default. */
export const watches = sql.fragment`coalesce(
  (select h.watching from item_watches h where h.item_id = i.id and h.user_id = access.user_id),
  i.owner_id is not distinct from access.user_id or i.assignee_id is not distinct from access.user_id
    or exists (select from comments o where o.item_id = i.id and o.author_id = access.user_id))`;

const Watch = z.object({ watching: z.boolean() });

export async function setWatch(tx: Tx, { caller, workspaceId }: Permit, itemId: number, watching: boolean): Promise<void> {
  const set = await tx.maybeOne(sql.type(Watch)`
    with ${accessTo(caller, workspaceId)}
    insert into item_watches (account_id, workspace_id, item_id, user_id, watching)
    select access.account_id, i.workspace_id, i.id, access.user_id, ${watching} from access join items i on i.id = ${itemId} and ${visible}
    on conflict (item_id, user_id) do update set watching = excluded.watching, since = now() returning watching`);
  if (!set) throw new Forbidden();
}
