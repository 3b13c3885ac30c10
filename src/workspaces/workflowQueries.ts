/** SQL of a workspace's statuses and priorities. Callers must hold `lockWorkflow`. */
import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { ItemType } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import type { WipLimits } from './schema.ts';
import { closedStatuses, type Status } from './statuses.ts';

const Key = z.object({ key: z.string() });
type Table = 'statuses' | 'priorities';
const names: Record<Table, { one: string; column: string }> = {
  statuses: { one: 'status', column: 'status_key' },
  priorities: { one: 'priority', column: 'priority_key' },
};

export async function lockWorkflow(tx: Tx, { workspaceId }: { workspaceId: number }): Promise<void> {
  await tx.query(sql.unsafe`select 1 from workspaces where id = ${workspaceId} for no key update`);
}

export interface NewStatus {
  key: string;
  label: string;
  status: Status;
  types: readonly ItemType[];
}

/** Adds it at the end. Throws InvalidRequest if the key is in use. */
export async function insertStatus(tx: Tx, { accountId, workspaceId }: AccountPermit, { key, label, status, types }: NewStatus) {
  const added = await tx.maybeOne(sql.type(Key)`
    insert into statuses (account_id, workspace_id, key, label, types, status, position)
    select ${accountId}, ${workspaceId}, ${key}, ${label}, ${sql.array([...types], 'text')}, ${status},
           coalesce((select max(position) + 1 from statuses where workspace_id = ${workspaceId}), 0)
    on conflict do nothing returning key`);
  if (!added) throw taken('statuses', key);
}

export interface NewPriority {
  key: string;
  label: string;
  rank: number;
}

/** Throws InvalidRequest if the key is in use. */
export async function insertPriority(tx: Tx, { accountId, workspaceId }: AccountPermit, { key, label, rank }: NewPriority) {
  const added = await tx.maybeOne(sql.type(Key)`
    insert into priorities (account_id, workspace_id, key, label, rank) values (${accountId}, ${workspaceId}, ${key}, ${label}, ${rank})
    on conflict do nothing returning key`);
  if (!added) throw taken('priorities', key);
}

const taken = (table: Table, key: string) =>
  new InvalidRequest(['key'], `there is a ${names[table].one} '${key}' already; choose another key or rename that one.`);
const missing = (table: Table, key: string) => new InvalidRequest(['key'], `there is no ${names[table].one} '${key}'; reload the page.`);

export async function setLabel(tx: Tx, { workspaceId }: AccountPermit, table: Table, key: string, label: string): Promise<void> {
  const done = await tx.maybeOne(sql.type(Key)`
    update ${sql.identifier([table])} set label = ${label} where workspace_id = ${workspaceId} and key = ${key} returning key`);
  if (!done) throw missing(table, key);
}

/** Throws InvalidRequest if the status is closed: its column has no limit. */
export async function setLimits(tx: Tx, { workspaceId }: AccountPermit, key: string, { wipItems, wipHours }: WipLimits): Promise<void> {
  const done = await tx.maybeOne(sql.type(Key)`
    update statuses set wip_items = ${wipItems}, wip_hours = ${wipHours}
    where workspace_id = ${workspaceId} and key = ${key} and status <> all(${sql.array([...closedStatuses], 'text')}) returning key`);
  if (!done) throw missing('statuses', key);
}

export async function setRank(tx: Tx, { workspaceId }: AccountPermit, key: string, rank: number): Promise<void> {
  const done = await tx.maybeOne(sql.type(Key)`
    update priorities set rank = ${rank} where workspace_id = ${workspaceId} and key = ${key} returning key`);
  if (!done) throw missing('priorities', key);
}

export async function setDefault(tx: Tx, { workspaceId }: AccountPermit, key: string | null): Promise<void> {
  // Two statements, so that there is never more than one default.
  await tx.query(sql.unsafe`update priorities set is_default = false where workspace_id = ${workspaceId} and is_default`);
  if (key === null) return;
  const done = await tx.maybeOne(sql.type(Key)`
    update priorities set is_default = true where workspace_id = ${workspaceId} and key = ${key} returning key`);
  if (!done) throw missing('priorities', key);
}

export function readOrder(tx: Tx, { workspaceId }: AccountPermit): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Key)`select key from statuses where workspace_id = ${workspaceId} order by position, key`);
}

export async function writeOrder(tx: Tx, { workspaceId }: AccountPermit, keys: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    update statuses s set position = k.position from unnest(${sql.array([...keys], 'text')}) with ordinality k (key, position)
    where s.workspace_id = ${workspaceId} and s.key = k.key`);
}

const Ranked = z.object({ key: z.string(), rank: z.number() });

export function readRanks(tx: Tx, { workspaceId }: AccountPermit): Promise<readonly z.infer<typeof Ranked>[]> {
  return tx.any(sql.type(Ranked)`select key, rank from priorities where workspace_id = ${workspaceId} order by rank desc, key`);
}

const InUse = z.object({ used: z.boolean() });

/** Throws Conflict if an item uses it, archived ones included, because history needs its label. */
export async function deleteUnused(tx: Tx, { workspaceId }: AccountPermit, table: Table, key: string): Promise<void> {
  const { one, column } = names[table];
  // Locks the key against new uses; the next statement finds existing uses.
  const found = await tx.maybeOne(sql.type(Key)`
    select key from ${sql.identifier([table])} where workspace_id = ${workspaceId} and key = ${key} for update`);
  if (!found) throw missing(table, key);
  const used = await tx.oneFirst(sql.type(InUse)`
    select exists (select from items where workspace_id = ${workspaceId} and ${sql.identifier([column])} = ${key}) as used`);
  if (used) throw new Conflict(`The ${one} '${key}' is in use. Give its items another one first, including archived items.`);
  await tx.query(sql.unsafe`delete from ${sql.identifier([table])} where workspace_id = ${workspaceId} and key = ${key}`);
}

const Left = z.object({ types: z.array(z.string()) });

/** Types with a `planned` status, in which new items start by default (behaviour §4.13). */
export async function readPlannedTypes(tx: Tx, { workspaceId }: AccountPermit): Promise<readonly string[]> {
  return tx.oneFirst(sql.type(Left)`
    select coalesce(array_agg(distinct t), '{}') as types from statuses s, unnest(s.types) t where s.workspace_id = ${workspaceId} and s.status = 'planned'`);
}
