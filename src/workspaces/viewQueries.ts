import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, permitOf } from '../access/queries.ts';
import { WORKSPACES_READ } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';
import type { ChangedLayout, ChangedView, SavedView } from './viewSchema.ts';

const MOST_SHOWN = 200;

export const viewsJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'query', v.query, 'shared', v.shared, 'own', v.own, 'maker', u.name)
    order by lower(v.name), v.id), '[]')
  from (
    select v.*, v.user_id = access.user_id as own from views v
    where v.workspace_id = access.workspace_id and (v.user_id = access.user_id or v.shared) order by v.id limit ${MOST_SHOWN}
  ) v join users u on u.id = v.user_id)`;

/** Throws Unauthenticated; Forbidden if the caller is not a member. */
export async function readViewPermit(tx: Tx, caller: Caller, workspaceId: number): Promise<Permit> {
  const row = await tx.maybeOne(sql.type(AccessRow)`
    with ${accessTo(caller, workspaceId)} select account_id, user_id, workspace_id, rights, context_rights from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !(row.rights & WORKSPACES_READ)) throw new Forbidden();
  return permitOf(caller, row, row.workspace_id);
}

const Saved = z.object({ id: z.number() });
const Changed = Saved.extend({ authorId: z.number() });
const sameName = (whose = 'you already have a view') => new InvalidRequest(['name'], `${whose} with this name; choose another one.`);

/** One change at a time, so that names stay unique. */
async function lockViews(tx: Tx, { workspaceId }: Pick<Permit, 'workspaceId'>): Promise<void> {
  await tx.query(sql.unsafe`select from workspaces where id = ${workspaceId} for no key update`);
}

/** Throws InvalidRequest if the name is in use. */
export async function insertView(tx: Tx, { accountId, workspaceId, userId }: Permit, { name, query, shared }: SavedView): Promise<number> {
  await lockViews(tx, { workspaceId });
  const id = await tx.maybeOneFirst(sql.type(Saved)`
    insert into views (account_id, workspace_id, user_id, name, query, shared)
    values (${accountId}, ${workspaceId}, ${userId}, ${name}, ${query}, ${shared}) on conflict do nothing returning id`);
  if (id === null) throw sameName();
  return id;
}

/** For `v` of views: it is the caller's, or shared and the caller runs the workspace. */
const mayChange = sql.fragment`(v.user_id = access.user_id or v.shared
  and (access.role = 'owner' or exists (select from users u where u.id = access.user_id and u.account_role in ('owner', 'admin'))))`;

interface Change extends Omit<ChangedView, 'workspaceId'> {
  query?: string;
}

/** Throws Forbidden if the caller may not change it, InvalidRequest if the name is in use. */
export async function updateView(tx: Tx, permit: Permit, { id, name, query, shared }: Change): Promise<void> {
  const { caller, workspaceId } = permit;
  await lockViews(tx, permit);
  const saved = await tx.maybeOne(sql.type(Changed)`
    with ${accessTo(caller, workspaceId)}
    update views v set query = coalesce(${query ?? null}, v.query), shared = coalesce(${shared ?? null}, v.shared)
    from access where v.id = ${id} and v.workspace_id = access.workspace_id and ${mayChange} returning v.id, v.user_id as "authorId"`);
  if (!saved) throw new Forbidden();
  if (name === undefined) return;
  const isOwn = saved.authorId === permit.userId;
  if (!isOwn) await freePrivateName(tx, id, name);
  const named = await tx.maybeOne(sql.type(Saved)`
    update views v set name = ${name} where v.id = ${id} and not exists (select from views o
      where o.user_id = v.user_id and o.workspace_id = v.workspace_id and o.id <> v.id and lower(o.name) = lower(${name})) returning v.id`);
  if (!named) throw isOwn ? sameName() : sameName('the creator already shares a view');
}

/** Gives a private view with this name another one: refusing the name would tell other people that the creator of view `id` has it. */
async function freePrivateName(tx: Tx, id: number, name: string): Promise<void> {
  await tx.query(sql.unsafe`
    update views o set name = left(o.name, 57) || ' (' || o.id || ')' from views v
    where v.id = ${id} and o.user_id = v.user_id and o.workspace_id = v.workspace_id and o.id <> v.id and not o.shared and lower(o.name) = lower(${name})`);
}

export async function deleteView(tx: Tx, { caller, workspaceId }: Permit, id: number): Promise<void> {
  const gone = await tx.maybeOne(sql.type(Saved)`
    with ${accessTo(caller, workspaceId)}
    delete from views v using access where v.id = ${id} and v.workspace_id = access.workspace_id and ${mayChange} returning v.id`);
  if (!gone) throw new Forbidden();
}

/** Far more than a member has types and views. Beyond it, entries of deleted views are dropped with all others. */
const MOST_LISTS = 300;

export async function storeHiddenColumns(
  tx: Tx,
  { workspaceId, userId }: Pick<Permit, 'workspaceId' | 'userId'>,
  list: string,
  hidden: readonly string[],
): Promise<void> {
  const kept = sql.fragment`case when (select count(*) from jsonb_object_keys(list_columns)) < ${MOST_LISTS} then list_columns - ${list} else '{}' end`;
  const chosen = hidden.length > 0 ? { [list]: hidden } : {};
  await tx.query(sql.unsafe`
    update memberships set list_columns = ${kept} || ${JSON.stringify(chosen)}::jsonb where workspace_id = ${workspaceId} and user_id = ${userId}`);
}

/** What `layout` leaves out is unchanged. */
export async function storeBoardLayout(
  tx: Tx,
  { workspaceId, userId }: Pick<Permit, 'workspaceId' | 'userId'>,
  { type, layout }: Pick<ChangedLayout, 'type' | 'layout'>,
): Promise<void> {
  await tx.query(sql.unsafe`
    update memberships set board_layouts = jsonb_set(board_layouts, array[${type}], coalesce(board_layouts -> ${type}, '{}') || ${JSON.stringify(layout)}::jsonb)
    where workspace_id = ${workspaceId} and user_id = ${userId}`);
}
