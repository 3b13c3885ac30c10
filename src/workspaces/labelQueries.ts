/** SQL of a workspace's labels (behaviour §33.1–§33.3). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, isVisible, permitOf } from '../access/queries.ts';
import { bits, itemTypes, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden, InvalidRequest } from '../values/errors.ts';
import { type DescribedLabel, type WorkspaceLabel, WorkspaceLabel as WorkspaceLabelSchema } from './labelSchema.ts';

const anyOf = (level: 'read' | 'write'): readonly number[] => itemTypes.map((type) => bits(resourceOf(type), level));
const holdsAny = (rights: number, level: 'read' | 'write'): boolean => anyOf(level).some((needed) => (rights & needed) === needed);

/** Of a row `l`, for a statement with `access`. Counts by one lookup per item. */
const labelFields = sql.fragment`l.id, l.name, l.color, l.archived_at is not null as archived,
  (select count(*) from item_labels o cross join lateral (select * from items one where one.id = o.item_id limit 1) i
    where o.label_id = l.id and ${isVisible('i', 'access.rights')})::integer as items`;

const Listed = WorkspaceLabelSchema.extend({ description: z.string() });
export type ListedLabel = z.infer<typeof Listed>;
const Found = AccessRow.extend({ labels: z.array(Listed) });

/** By name. Throws Unauthenticated; Forbidden if the caller can't read any type of item here. */
export async function readLabels(tx: Tx, caller: Caller, workspaceId: number): Promise<ListedLabel[]> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select coalesce(json_agg(found order by lower(found.name), found.id), '[]') from (
        select ${labelFields}, l.description from labels l where l.workspace_id = access.workspace_id and l.merged_into is null) found) as labels
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !holdsAny(row.rights, 'read')) throw new Forbidden();
  return row.labels;
}

const Allowed = AccessRow.extend({ manages: z.boolean() });
const EVERY_TYPE = itemTypes.reduce((all, type) => all | bits(resourceOf(type), 'write'), 0);

/** `manages`: owners and managers of the workspace, and administrators of the account. A key needs write of every type, because labels are on
 *  items of all types. Throws Forbidden unless the caller can write a type of item here. */
export async function readLabelPermit(tx: Tx, caller: Caller, workspaceId: number): Promise<Permit & { manages: boolean }> {
  const row = await tx.maybeOne(sql.type(Allowed)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      access.delegated_rights & ${EVERY_TYPE} = ${EVERY_TYPE} and (coalesce(access.role in ('owner', 'manager'), false)
        or exists (select from users u where u.id = access.user_id and u.account_role in ('owner', 'admin'))) as manages
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null || !holdsAny(row.rights, 'write')) throw new Forbidden();
  return { ...permitOf(caller, row, row.workspace_id), manages: row.manages };
}

const Id = z.object({ id: z.number() });

/** One change of labels at a time, so that names stay unique. */
export async function lockLabels(tx: Tx, { workspaceId }: Permit): Promise<void> {
  await tx.query(sql.unsafe`select from workspaces where id = ${workspaceId} for no key update`);
}

const sameName = (name: string) => new InvalidRequest(['label', 'name'], `there already is a label '${name}'; choose another name.`);

type Content = DescribedLabel['label'];

/** Throws InvalidRequest if the name is in use. */
export async function insertLabel(tx: Tx, { accountId, workspaceId }: Permit, label: Content): Promise<number> {
  const id = await tx.maybeOneFirst(sql.type(Id)`
    insert into labels (account_id, workspace_id, name, color, description, archived_at)
    values (${accountId}, ${workspaceId}, ${label.name}, ${label.color ?? 'grey'}, ${label.description ?? ''},
      case when ${label.archived ?? false} then now() end)
    on conflict do nothing returning id`);
  if (id === null) throw sameName(label.name);
  return id;
}

/** Archiving twice keeps the first time. Throws Forbidden for an absent label, InvalidRequest if the name is in use. */
export async function updateLabel(tx: Tx, { workspaceId }: Permit, id: number, label: Content): Promise<void> {
  const other = await tx.maybeOneFirst(sql.type(Id)`
    select id from labels where workspace_id = ${workspaceId} and lower(name) = lower(${label.name}) and id <> ${id} and merged_into is null`);
  if (other !== null) throw sameName(label.name);
  const saved = await tx.maybeOneFirst(sql.type(Id)`
    update labels set name = ${label.name}, color = coalesce(${label.color ?? null}, color),
      description = coalesce(${label.description ?? null}, description),
      archived_at = case when coalesce(${label.archived ?? null}::boolean, archived_at is not null) then coalesce(archived_at, now()) end
    where id = ${id} and workspace_id = ${workspaceId} and merged_into is null returning id`);
  if (saved === null) throw new Forbidden();
}

const Locked = z.object({ id: z.number(), archived: z.boolean() });

/** Moves the label's items to the other one. Locks both before, so that a save that adds the label is either moved too, or sees the merge. */
export async function mergeLabel(tx: Tx, { workspaceId }: Permit, id: number, into: number): Promise<void> {
  const found = await tx.any(sql.type(Locked)`
    select id, archived_at is not null as archived from labels
    where id = any(${sql.array([id, into], 'int8')}) and workspace_id = ${workspaceId} and merged_into is null order by id for update`);
  if (!found.some((one) => one.id === id)) throw new Forbidden();
  const target = found.find((one) => one.id === into);
  if (!target || id === into) throw new InvalidRequest(['label', 'mergeInto'], 'give the id of another label of this workspace.');
  if (target.archived) throw new InvalidRequest(['label', 'mergeInto'], 'this label is archived; restore it first, or choose another one.');
  await tx.query(sql.unsafe`
    with moved as (delete from item_labels where label_id = ${id} returning account_id, workspace_id, item_id)
    insert into item_labels (account_id, workspace_id, item_id, label_id)
    select account_id, workspace_id, item_id, ${into} from moved order by item_id on conflict do nothing`);
  await tx.query(sql.unsafe`update labels set merged_into = ${into} where id = ${id} or merged_into = ${id}`);
}

/** Reads a label that this transaction has just written. */
export async function readLabel(tx: Tx, { caller, workspaceId }: Permit, id: number): Promise<WorkspaceLabel> {
  const label = await tx.maybeOne(sql.type(WorkspaceLabelSchema)`
    with ${accessTo(caller, workspaceId)}
    select ${labelFields} from access, labels l where l.id = ${id} and l.workspace_id = access.workspace_id`);
  if (!label) throw new Forbidden();
  return label;
}
