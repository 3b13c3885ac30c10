/** SQL of labels and dependencies of items (behaviour §33). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { accessTo, accessWithin, isVisible } from '../access/queries.ts';
import { itemTypes } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { isClosed, readsWork } from '../workspaces/queries.ts';
import { statuses } from '../workspaces/statuses.ts';
import { MOST_BLOCKED_SHOWN, Relations } from './relationSchema.ts';

/** SQL: labels `l` by name, as `[{id, name, color}]`; null if there are none. */
const listed = fixedSql(`json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) order by lower(l.name), l.id)`);

/** SQL: the labels `l` of the item with this id. */
const labelsOf = (itemId: Fragment): Fragment => sql.fragment`
  item_labels o cross join lateral (select * from labels one where one.id = o.label_id limit 1) l where o.item_id = ${itemId}`;

/** SQL: the labels of the item with this id, by name, as `[{id, name, color}]`. */
export const labelsJson = (itemId: Fragment): Fragment => sql.fragment`(select coalesce(${listed}, '[]') from ${labelsOf(itemId)})`;

/** SQL for a statement with `access`: the labels that items of the workspace can get, like labelsJson. */
export const offeredLabelsJson = sql.fragment`(
  select coalesce(${listed}, '[]')
  from labels l where l.workspace_id = access.workspace_id and l.merged_into is null and l.archived_at is null)`;

/** Like labelsJson; null if it has none. */
export const labelChipsJson = (itemId: Fragment): Fragment => sql.fragment`(select ${listed} from ${labelsOf(itemId)})`;

/** SQL: the names of an item's labels; null if it has none. */
export const labelNamesJson = (itemId: Fragment): Fragment =>
  sql.fragment`(select json_agg(l.name order by lower(l.name), l.id) from ${labelsOf(itemId)})`;

/** SQL for a statement with `access`: rows of dependencies `d` with the item `i` at the other end, if the caller can read it. */
const otherEnd = (column: 'item_id' | 'blocker_id'): Fragment => sql.fragment`item_dependencies d
  cross join lateral (select * from items one where one.id = ${fixedSql(`d.${column}`)} limit 1) i`;
export const visibleBlockersOf = (itemId: Fragment): Fragment =>
  sql.fragment`${otherEnd('blocker_id')} where d.item_id = ${itemId} and ${isVisible('i', 'access.rights')}`;
export const visibleBlockedBy = (itemId: Fragment): Fragment =>
  sql.fragment`${otherEnd('item_id')} where d.blocker_id = ${itemId} and ${isVisible('i', 'access.rights')}`;

/** Like visibleBlockersOf, with the blocker as `up`: `itemId` may name an outer `i`. */
const blockersOf = (itemId: Fragment): Fragment => sql.fragment`
  item_dependencies d cross join lateral (select * from items one where one.id = d.blocker_id limit 1) up
  where d.item_id = ${itemId} and ${isVisible('up', 'access.rights')}`;

/** SQL for a statement with `access`: how many visible open items block this one; null if none does. */
export const openBlockers = (itemId: Fragment): Fragment => sql.fragment`(
  select nullif(count(*), 0) from ${blockersOf(itemId)} and not up.closed)`;

/** SQL for a statement with `access`: what blocks an item, as ids, or with a lag as `{id, lagDays}`; null if nothing does. */
export const rowBlockersJson = (itemId: Fragment): Fragment => sql.fragment`(
  select json_agg(case when d.lag_days = 0 then to_json(d.blocker_id) else json_build_object('id', d.blocker_id, 'lagDays', d.lag_days) end
    order by d.blocker_id)
  from ${blockersOf(itemId)})`;

/** SQL for a statement with `access`: ids of what an item blocks; null if nothing. */
export const blockedIdsJson = (itemId: number): Fragment => sql.fragment`(
  select json_agg(found.id order by found.id) from (
    select i.id from ${visibleBlockedBy(sql.fragment`${itemId}::bigint`)} order by i.id limit ${MOST_BLOCKED_SHOWN}) found)`;

const link = fixedSql(`json_build_object('id', i.id, 'lagDays', d.lag_days)`);
const links = (rows: Fragment): Fragment => sql.fragment`(
  select coalesce(json_agg(found.link order by found.id), '[]') from (select i.id, ${link} as link from ${rows} order by i.id limit ${MOST_BLOCKED_SHOWN}) found)`;

/** The other end of a dependency, for pages. */
export const Dependency = z.object({
  id: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  status: z.enum(statuses),
  statusLabel: z.string(),
  lagDays: z.number(),
});
export type Dependency = z.infer<typeof Dependency>;

export const MOST_DEPENDENCIES_SHOWN = 100;

/** For a statement with `access`: dependencies as `Dependency[]`, open ones first. `rows`: visibleBlockersOf or visibleBlockedBy. */
export const dependenciesJson = (rows: Fragment): Fragment => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', f.id, 'type', f.type, 'title', f.title, 'status', f.status, 'statusLabel', f.label, 'lagDays', f.lag_days)
    order by f.closed, f.id), '[]')
  from (
    select i.id, i.type, i.title, i.status, ${fixedSql(isClosed('i.status'))} as closed, d.lag_days,
      coalesce((select s.label from statuses s where s.workspace_id = i.workspace_id and s.key = i.status_key), i.status_key) as label
    from ${rows} order by 5, i.id limit ${MOST_DEPENDENCIES_SHOWN}) f)`;

const Found = z.object({ relations: Relations.nullable() });

/** Throws Unauthenticated, and the same Forbidden for absent and hidden items. */
export async function readRelations(tx: Tx, caller: Caller, workspaceId: number, id: number): Promise<Relations> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)}
    select (
      select json_build_object('id', i.id, 'version', i.version,
        'labels', (select coalesce(json_agg(json_build_object('id', l.one -> 'id', 'name', l.one -> 'name')), '[]')
          from json_array_elements(${labelsJson(fixedSql('i.id'))}) as l (one)),
        'blockedBy', ${links(visibleBlockersOf(sql.fragment`${id}::bigint`))}, 'blocks', ${links(visibleBlockedBy(sql.fragment`${id}::bigint`))})
      from items i where i.id = ${id} and ${visibleById}) as relations
    from access`);
  if (!row) throw new CredentialRefused();
  if (!row.relations) throw new Forbidden();
  return row.relations;
}

const Readable = z.object({ id: z.number() });

/** Those of the items in the workspace that the caller can read. */
export async function readReadable(tx: Tx, { caller, workspaceId }: Permit, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const found = await tx.anyFirst(sql.type(Readable)`
    with ${accessTo(caller, workspaceId)} select i.id from items i, access where i.id = any(${sql.array([...ids], 'int8')}) and ${visibleById}`);
  return new Set(found);
}

const Label = z.object({ id: z.number(), name: z.string(), archived: z.boolean(), mergedInto: z.number().nullable() });
export type FoundLabel = z.infer<typeof Label>;

/** The labels with these ids or names, kept from being merged or archived until the transaction ends. */
export function lockedLabels(tx: Tx, workspaceId: number, ids: readonly number[], names: readonly string[]) {
  return tx.any(sql.type(Label)`
    select id, name, archived_at is not null as archived, merged_into as "mergedInto" from labels
    where workspace_id = ${workspaceId} and (id = any(${sql.array([...ids], 'int8')})
      or merged_into is null and lower(name) in (select lower(given) from unnest(${sql.array([...names], 'text')}) given))
    order by id for share`);
}

const Name = z.object({ name: z.string() });

/** Names of labels in use, those nearest to `name` first. */
export function readNearest(tx: Tx, workspaceId: number, name: string): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Name)`
    select name from labels where workspace_id = ${workspaceId} and merged_into is null and archived_at is null
    order by word_similarity(lower(${name}), lower(name)) + similarity(lower(${name}), lower(name)) desc, lower(name), id limit 5`);
}

const Named = z.object({ ids: z.array(z.number()), nearest: z.array(z.string()) });

/** The labels with this name in the caller's workspaces, or in one, and the names nearest to it. Throws Unauthenticated. */
export async function readLabelsNamed(tx: Tx, caller: Caller, name: string, workspaceId: number | null): Promise<z.infer<typeof Named>> {
  const nearness = sql.fragment`max(similarity(lower(${name}), lower(l.name)))`;
  const row = await tx.maybeOne(sql.type(Named)`
    with ${accessWithin(caller, workspaceId)},
    known as (
      select l.id, l.name from access join labels l on l.workspace_id = access.workspace_id and l.merged_into is null where ${readsWork}
    )
    select coalesce((select json_agg(l.id) from known l where lower(l.name) = lower(${name})), '[]') as ids,
      coalesce((select json_agg(n.name) from (select l.name from known l group by l.name order by ${nearness} desc, l.name limit 5) n), '[]') as nearest
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

const Stored = z.object({
  itemId: z.number(),
  labels: z.array(z.object({ id: z.number(), name: z.string() })),
  blockedBy: z.array(z.object({ id: z.number(), lagDays: z.number(), visible: z.boolean() })),
});
export type StoredRelations = z.infer<typeof Stored>;

/** The stored relations, hidden blockers included: for writing only. */
export function readStored(tx: Tx, { caller, workspaceId }: Permit, ids: readonly number[]): Promise<readonly StoredRelations[]> {
  return tx.any(sql.type(Stored)`
    with ${accessTo(caller, workspaceId)}
    select given.id as "itemId", ${labelsJson(fixedSql('given.id'))} as labels,
      (select coalesce(json_agg(json_build_object('id', i.id, 'lagDays', d.lag_days, 'visible', ${visibleById}) order by i.id), '[]')
        from ${otherEnd('blocker_id')} where d.item_id = given.id) as "blockedBy"
    from access, unnest(${sql.array([...ids], 'int8')}) as given (id)`);
}

/** One change of dependencies at a time in a workspace: two saves could close a cycle together. */
export async function lockDependencies(tx: Tx, { workspaceId }: Permit): Promise<void> {
  await tx.query(sql.unsafe`select from workspaces where id = ${workspaceId} for no key update`);
}

interface NewLabels {
  itemId: number;
  labels: readonly number[];
}
interface NewBlockers {
  itemId: number;
  blockedBy: readonly { id: number; lagDays: number }[];
}

/** Replaces the labels of items that this transaction has locked. */
export async function storeLabels(tx: Tx, { accountId, workspaceId }: Permit, items: readonly NewLabels[]): Promise<void> {
  const given = JSON.stringify(items.flatMap(({ itemId, labels }) => labels.map((label) => ({ item: itemId, label }))));
  const itemIds = items.map(({ itemId }) => itemId);
  await tx.query(sql.unsafe`
    with given as materialized (select * from json_to_recordset(${given}::json) as g (item bigint, label bigint)),
    gone as (
      delete from item_labels o where o.item_id = any(${sql.array(itemIds, 'int8')})
        and not exists (select from given where given.item = o.item_id and given.label = o.label_id)
    )
    insert into item_labels (account_id, workspace_id, item_id, label_id)
    select ${accountId}, ${workspaceId}, item, label from given order by item, label on conflict do nothing`);
}

/** Replaces the blockers of items that this transaction has locked. */
export async function storeBlockers(tx: Tx, { accountId, workspaceId }: Permit, items: readonly NewBlockers[]): Promise<void> {
  const given = JSON.stringify(
    items.flatMap(({ itemId, blockedBy }) => blockedBy.map(({ id, lagDays }) => ({ item: itemId, id, lagDays }))),
  );
  const itemIds = items.map(({ itemId }) => itemId);
  await tx.query(sql.unsafe`
    with given as materialized (select * from json_to_recordset(${given}::json) as g (item bigint, id bigint, "lagDays" smallint)),
    gone as (
      delete from item_dependencies d where d.item_id = any(${sql.array(itemIds, 'int8')})
        and not exists (select from given where given.item = d.item_id and given.id = d.blocker_id)
    )
    insert into item_dependencies as d (account_id, workspace_id, item_id, blocker_id, lag_days)
    select ${accountId}, ${workspaceId}, item, id, "lagDays" from given order by item, id
    on conflict (item_id, blocker_id) do update set lag_days = excluded.lag_days where d.lag_days <> excluded.lag_days`);
}

const Cycle = z.object({ item: z.number(), blocker: z.number() });

/** One of these steps from an item to a blocker that leads back to the item. Null if none does. A new cycle has a new step, so these are
 *  enough, and no hidden blocker is named. Only items that some blocker waits for are searched from, each once: graphs may be dense. */
export function findCycle(tx: Tx, steps: readonly z.infer<typeof Cycle>[]): Promise<z.infer<typeof Cycle> | null> {
  return tx.maybeOne(sql.type(Cycle)`
    with recursive given as materialized (select * from json_to_recordset(${JSON.stringify(steps)}::json) as s (item bigint, blocker bigint)),
    above (id) as (
      select blocker from given
      union
      select up.blocker_id from above a cross join lateral (select d.blocker_id from item_dependencies d where d.item_id = a.id) up
    ),
    below (item, id) as (
      select g.item, g.item from given g where g.item in (select id from above)
      union
      select b.item, down.item_id from below b cross join lateral (select d.item_id from item_dependencies d where d.blocker_id = b.id) down
    )
    select g.item, g.blocker from below b join given g on g.item = b.item and g.blocker = b.id limit 1`);
}
