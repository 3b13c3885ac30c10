/** SQL that writes imported items, their comments and their keys in the source (behaviour §36.22, §36.26). */
import { z } from 'zod';
import type { Permit } from '../../access/caller.ts';
import { accessTo, isVisible } from '../../access/queries.ts';
import { bits, itemTypes, resourceOf } from '../../access/rights.ts';
import { hasDeparted } from '../../changes/readQueries.ts';
import { recordChanges, recordComment } from '../../changes/recordQueries.ts';
import type { ChangedFields } from '../../changes/schema.ts';
import { fixedSql, type Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { fieldNames, fields } from '../../items/fields.ts';
import type { ItemRow } from '../../items/schema.ts';
import { Forbidden } from '../../values/errors.ts';
import type { Container, Facts } from '../sources/planned.ts';
import type { Run } from './schema.ts';

const columns = fieldNames.map((name) => fields[name].column);
const insertColumns = fixedSql(
  `id, account_id, workspace_id, type, title, description, status, owner_id, created_at, completed_at, archived_at, ${columns.join(', ')}`,
);
const fieldValues = fixedSql(fieldNames.map((name) => `r."${name}"`).join(', '));
const recordColumns = fixedSql(
  `id bigint, type text, title text, description text, status text, "ownerId" bigint, "createdAt" timestamptz, "completedAt" timestamptz,
   archived boolean, key text, url text, written jsonb, ${fieldNames.map((name) => `"${name}" ${fields[name].sql}`).join(', ')}`,
);

export interface NewItem {
  id: number;
  row: ItemRow;
  changed: ChangedFields;
  createdAt: string | null;
  completedAt: string | null;
  archived: boolean;
  key: string | null;
  url: string | null;
  written: Written;
}

/** Values by field name, as `valuesOf` makes them. */
export type Written = Record<string, unknown>;

const Count = z.object({ count: z.number() });

/** Creates items with these ids, ascending: links point to earlier ones. The statement checks the rights again. Throws Forbidden. */
export async function insertItems(tx: Tx, permit: Permit, run: Run, items: readonly NewItem[]): Promise<void> {
  const needed = items.reduce((all, { row }) => all | bits(resourceOf(row.type), 'write'), 0);
  const records = items.map(({ row: { fields: own, completedNow: _now, ...row }, changed: _changed, ...item }) => ({
    ...own,
    ...row,
    ...item,
  }));
  // Item and key in one statement: the text search then needs no second write (sql/0115_imports.sql).
  const count = await tx.oneFirst(sql.type(Count)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(records)}::json) as (${recordColumns})) with ordinality as r
    ),
    keyed as (
      insert into imported_items (account_id, workspace_id, item_id, source, key, url, import_id, written)
      select access.account_id, access.workspace_id, r.id, ${run.source}, r.key, r.url, ${run.id}, r.written from access, given r
      where access.rights & ${needed} = ${needed}
    ),
    saved as (
      insert into items (${insertColumns}) overriding system value
      select r.id, access.account_id, access.workspace_id, r.type, r.title, r.description, r.status, r."ownerId", coalesce(r."createdAt", now()),
        case when r.status = 'done' then coalesce(r."completedAt", now()) end, case when r.archived then now() end, ${fieldValues}
      from access, given r where access.rights & ${needed} = ${needed}
      order by r.ordinality
      returning *
    ),
    ${recordChanges(
      permit.caller,
      'item.created',
      items.map(({ changed }) => changed),
    )}
    select count(*) as count from saved`);
  if (count !== items.length) throw new Forbidden();
}

export interface NewComment {
  itemId: number;
  authorId: number;
  body: string;
  createdAt: string | null;
  /** Hex. Names the comment within its item. */
  digest: string;
}

/** Leaves out comments that an import has written before. Returns the number of new ones. Throws Forbidden without the right. */
export async function insertComments(tx: Tx, permit: Permit, comments: readonly NewComment[]): Promise<number> {
  const needed = bits('comments', 'write');
  const Written = z.object({ count: z.number(), allowed: z.boolean() });
  const { count, allowed } = await tx.one(sql.type(Written)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(comments)}::json) as
        ("itemId" bigint, "authorId" bigint, body text, "createdAt" timestamptz, digest text)) with ordinality as r
    ),
    noted as (
      insert into imported_comments (account_id, workspace_id, item_id, digest)
      select access.account_id, access.workspace_id, r."itemId", decode(r.digest, 'hex') from access, given r
      where access.context_rights & ${needed} = ${needed}
      order by r.ordinality on conflict do nothing returning item_id, encode(digest, 'hex') as digest
    ),
    saved as (
      insert into comments (account_id, workspace_id, item_id, author_id, body, created_at)
      select access.account_id, access.workspace_id, r."itemId", r."authorId", r.body, coalesce(r."createdAt", now())
      from access, given r join noted on noted.item_id = r."itemId" and noted.digest = r.digest
      -- Comments that came with an account's file have no row in imported_comments, so they are compared, too.
      where not exists (select from comments o where o.item_id = r."itemId" and o.created_at = r."createdAt" and o.body = r.body)
      order by r.ordinality
      returning *
    ),
    ${recordComment(permit.caller)}
    select (select count(*) from saved) as count, access.context_rights & ${needed} = ${needed} as allowed from access`);
  if (!allowed) throw new Forbidden();
  return count;
}

const Known = z.object({
  key: z.string(),
  id: z.number(),
  type: z.enum(itemTypes),
  visible: z.boolean(),
  /** It is in another workspace now, and the caller may read that it left this one (behaviour §42.5). */
  departed: z.boolean(),
  written: z.record(z.string(), z.unknown()),
});
export type Known = z.infer<typeof Known>;

/** Stores which items the rows of a file without keys became. */
export async function storeItemIds(tx: Tx, { id }: Run, rows: readonly { n: number; itemId: number }[]): Promise<void> {
  await tx.query(sql.unsafe`
    update import_rows r set item_id = g."itemId" from json_to_recordset(${JSON.stringify(rows)}::json) as g (n integer, "itemId" bigint)
    where r.import_id = ${id} and r.n = g.n`);
}

/** Like readKnown, for a file without keys: only rows of this run are found. */
export function readWrittenRows(tx: Tx, { caller, workspaceId }: Permit, { id }: Run, keys: readonly string[]): Promise<readonly Known[]> {
  return tx.any(sql.type(Known)`
    with ${accessTo(caller, workspaceId)}
    select coalesce(r.key, '') as key, i.id, i.type, ${isVisible('i', 'access.rights')} as visible, false as departed, '{}'::jsonb as written
    from access, import_rows r cross join lateral (select * from items one where one.id = r.item_id limit 1) i
    where r.import_id = ${id} and r.kind = 'issue' and r.key = any(${sql.array([...keys], 'text')})`);
}

/** Items with these keys in the source, also hidden, archived and moved ones: their keys are taken. Of several items with a key, the first
 *  that the caller can see: the one that had it here before the others came (behaviour §42.6). */
export function readKnown(tx: Tx, { caller, workspaceId }: Permit, source: string, keys: readonly string[]): Promise<readonly Known[]> {
  return tx.any(sql.type(Known)`
    with ${accessTo(caller, workspaceId)},
    homes as materialized (
      select w.id from access join workspaces w on w.account_id = access.account_id
      where exists (select from imported_items k where k.workspace_id = w.id and k.source = ${source} and k.key is not null)
        or exists (select from imported_items k where k.workspace_id = w.id and k.source = ${source} and k.shadowed_key is not null)
    )
    select distinct on (k.key) k.key, i.id, i.type, not here.moved and ${isVisible('i', 'access.rights')} as visible,
      here.moved and ${hasDeparted(sql.fragment`i.id`)} as departed, k.written
    from access, homes cross join lateral (
      select coalesce(one.key, '') as key, one.item_id, one.written, false as shadowed from imported_items one
      where one.workspace_id = homes.id and one.source = ${source} and one.key = any(${sql.array([...keys], 'text')})
      union all
      select coalesce(one.shadowed_key, ''), one.item_id, one.written, true from imported_items one
      where one.workspace_id = homes.id and one.source = ${source} and one.shadowed_key = any(${sql.array([...keys], 'text')}) offset 0
    ) k cross join lateral (select homes.id <> access.workspace_id as moved) here
    cross join lateral (select * from items one where one.id = k.item_id limit 1) i
    where not here.moved
      or exists (select from changes c where c.item_id = k.item_id and c.workspace_id = access.workspace_id and c.left_needs is not null)
    order by k.key, not (not here.moved and ${isVisible('i', 'access.rights')}), here.moved, k.shadowed, i.id`);
}

const Titled = z.object({ id: z.number(), type: z.enum(['milestone', 'release']), title: z.string() });

/** Milestones and releases with these titles, ignoring case; the oldest of several comes first. */
export function readContainers(
  tx: Tx,
  { caller, workspaceId }: Permit,
  wanted: readonly Container[],
): Promise<readonly z.infer<typeof Titled>[]> {
  return tx.any(sql.type(Titled)`
    with ${accessTo(caller, workspaceId)}
    select i.id, i.type, i.title from access join items i on i.workspace_id = access.workspace_id and ${isVisible('i', 'access.rights')}
    where i.type in ('milestone', 'release') and lower(i.title) in (
      select lower(w.title) from json_to_recordset(${JSON.stringify(wanted)}::json) as w (title text))
    order by i.id`);
}

/** Stores what an update wrote. */
export async function storeWritten(
  tx: Tx,
  items: readonly { id: number; url: string | null; written: Written; changed: boolean }[],
  run: Run,
): Promise<void> {
  await tx.query(sql.unsafe`
    update imported_items k set written = w.written, url = coalesce(w.url, k.url),
      -- An update by the run that made the item sets its dependencies.
      again = k.again or w.changed and k.import_id is distinct from ${run.id},
      version = case when k.import_id = ${run.id} then i.version else k.version end
    from json_to_recordset(${JSON.stringify(items)}::json) as w (id bigint, url text, written jsonb, changed boolean), items i
    where k.item_id = w.id and i.id = w.id`);
}

const FoundFacts = z.object({ facts: z.string() });

/** The facts for `plan`. */
export async function readSourceFacts(tx: Tx, { caller, workspaceId }: Permit): Promise<Facts> {
  const needed = bits('tasks', 'write');
  const text = await tx.oneFirst(sql.type(FoundFacts)`
    with ${accessTo(caller, workspaceId)}
    select json_build_object(
      'statuses', (select coalesce(json_agg(json_build_object('key', s.key, 'label', s.label, 'status', s.status, 'types', s.types) order by s.position, s.key), '[]')
        from statuses s where s.workspace_id = access.workspace_id),
      'priorities', (select coalesce(json_agg(json_build_object('key', p.key, 'label', p.label, 'rank', p.rank, 'default', p.is_default) order by p.rank, p.key), '[]')
        from priorities p where p.workspace_id = access.workspace_id),
      'members', (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'mail', u.email) order by u.name, u.id), '[]')
        from memberships m join users u on u.id = m.user_id and u.active
        where m.workspace_id = access.workspace_id and m.rights & ${needed} = ${needed}),
      'labels', (select coalesce(json_agg(l.name), '[]') from labels l where l.workspace_id = access.workspace_id and l.merged_into is null))::text as facts
    from access`);
  const { labels, ...facts }: Omit<Facts, 'labels'> & { labels: string[] } = JSON.parse(text);
  return { ...facts, labels: new Map(labels.map((name) => [name.toLowerCase(), name])) };
}

const Label = z.object({ id: z.number(), name: z.string(), archived: z.boolean() });
export const readLabelIds = (tx: Tx, { workspaceId }: Permit, names: readonly string[]): Promise<readonly z.infer<typeof Label>[]> =>
  tx.any(sql.type(Label)`
    select id, name, archived_at is not null as archived from labels
    where workspace_id = ${workspaceId} and merged_into is null and lower(name) in (select lower(n) from unnest(${sql.array([...names], 'text')}) n)
    order by id for share`);

/** Creates the missing labels, up to the limit of the workspace. */
export async function addLabels(tx: Tx, { accountId, workspaceId }: Permit, names: readonly string[], most: number): Promise<void> {
  await tx.query(sql.unsafe`
    insert into labels (account_id, workspace_id, name, color)
    select ${accountId}, ${workspaceId}, n.name, 'grey' from unnest(${sql.array([...names], 'text')}) with ordinality n (name, place)
    where not exists (select from labels l where l.workspace_id = ${workspaceId} and lower(l.name) = lower(n.name) and l.merged_into is null)
    order by n.place
    limit greatest(0, ${most} - (select count(*) from labels where workspace_id = ${workspaceId} and merged_into is null))
    on conflict do nothing`);
}
