import { z } from 'zod';
import { heldItem } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { accessTo, callerRow } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Forbidden } from '../values/errors.ts';
import { type Choice, choices, type Kind, kinds, type WorkspaceChoice, workspaceChoices } from './schema.ts';

const Chosen = z.object({ kind: z.enum(kinds), choice: z.enum(choices) });

export const readStoredChoices = (tx: Tx, userId: number): Promise<readonly z.infer<typeof Chosen>[]> =>
  tx.any(sql.type(Chosen)`select kind, choice from notification_choices where user_id = ${userId}`);

export async function storeChoices(tx: Tx, userId: number, chosen: Partial<Record<Kind, Choice>>): Promise<void> {
  await tx.query(sql.unsafe`
    insert into notification_choices (account_id, user_id, kind, choice)
    select u.account_id, u.id, c.kind, c.choice from users u, json_each_text(${JSON.stringify(chosen)}::json) as c (kind, choice)
    where u.id = ${userId} and u.active order by c.kind
    on conflict (user_id, kind) do update set choice = excluded.choice`);
}

const OfWorkspace = z.object({ id: z.number(), name: z.string(), choice: z.enum(workspaceChoices).nullable() });
export type WorkspaceChoiceRow = z.infer<typeof OfWorkspace>;
const MOST_WORKSPACES = 200;

const Told = z.object({ chosen: z.array(Chosen), workspaces: z.array(OfWorkspace) });

export const readNotificationChoices = (tx: Tx, caller: Caller): Promise<z.infer<typeof Told> | null> =>
  tx.maybeOne(sql.type(Told)`
    with who as (${callerRow(caller)})
    select
      (select coalesce(json_agg(json_build_object('kind', h.kind, 'choice', h.choice)), '[]') from notification_choices h where h.user_id = who.user_id) as chosen,
      (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'choice', w.notices) order by lower(w.name), w.id), '[]') from (
        select w.id, w.name, m.notices from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
        where m.user_id = who.user_id order by lower(w.name), w.id limit ${MOST_WORKSPACES}) w) as workspaces
    from who`);

const Kept = z.object({ id: z.number() });

/** Returns false if the user is not a member of the workspace. */
export async function storeWorkspaceChoice(tx: Tx, userId: number, workspaceId: number, choice: WorkspaceChoice | null): Promise<boolean> {
  const kept = await tx.maybeOneFirst(sql.type(Kept)`
    update memberships m set notices = ${choice} from workspaces w
    where m.user_id = ${userId} and m.workspace_id = ${workspaceId} and w.id = m.workspace_id and w.archived_at is null returning w.id`);
  return kept !== null;
}

// SQL of an item's watchers (behaviour §10.19).

/** For a statement with `access` and an item `i`: true if the caller watches it. Owners, assignees and commenters do by default. */
export const watches = sql.fragment`coalesce(
  (select h.watching from item_watches h where h.item_id = i.id and h.user_id = access.user_id),
  i.owner_id is not distinct from access.user_id or i.assignee_id is not distinct from access.user_id
    or exists (select from comments o where o.item_id = i.id and o.author_id = access.user_id))`;

const Watch = z.object({ watching: z.boolean() });

export async function setWatch(tx: Tx, { caller, workspaceId }: Permit, itemId: number, watching: boolean): Promise<void> {
  const set = await tx.maybeOne(sql.type(Watch)`
    with ${accessTo(caller, workspaceId)}, ${heldItem(itemId)}
    insert into item_watches (account_id, workspace_id, item_id, user_id, watching)
    select access.account_id, held.workspace_id, held.id, access.user_id, ${watching} from access, held
    on conflict (item_id, user_id) do update set watching = excluded.watching, since = now() returning watching`);
  if (!set) throw new Forbidden();
}
