/** SQL of exports that people ask for (behaviour §41). */
import { z } from 'zod';
import type { AccountPermit } from '../../access/accountAccessQueries.ts';
import type { Caller } from '../../access/caller.ts';
import { accessToAll } from '../../access/queries.ts';
import { bits, TIME_OVERSIGHT, WORKSPACES_READ } from '../../access/rights.ts';
import { LinkMail, linkMail } from '../../accounts/linkMailQueries.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { StoredInstant } from '../../values/dates.ts';

/** The rights that show all work of a workspace, with its comments. */
const ALL_WORK = (['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments'] as const).reduce(
  (all, resource) => all | bits(resource, 'read'),
  WORKSPACES_READ,
);
export const KEPT_DAYS = 3;

const Scope = z.object({ id: z.number(), name: z.string(), oversees: z.boolean() });
export type Scope = z.infer<typeof Scope>;

/** The workspaces whose work the caller sees completely, now. */
export function readScope(tx: Tx, caller: Caller): Promise<readonly Scope[]> {
  return tx.any(sql.type(Scope)`
    with ${accessToAll(caller)}
    select w.id, w.name, access.rights & ${TIME_OVERSIGHT} <> 0 as oversees
    from access join workspaces w on w.id = access.workspace_id
    where access.rights & ${ALL_WORK} = ${ALL_WORK} order by lower(w.name), w.id`);
}

const Id = z.object({ id: z.number() });

/** Null if one of this person is being made. */
export async function insertExport(tx: Tx, { accountId, userId }: AccountPermit, workspaceIds: number[]): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Id)`
    insert into data_exports (account_id, user_id, workspace_ids, state)
    values (${accountId}, ${userId}, ${sql.array(workspaceIds, 'int8')}, 'making')
    on conflict (user_id) where state = 'making' do nothing returning id`);
}

const Made = z.object({
  id: z.number(),
  state: z.enum(['making', 'ready', 'failed']),
  /** Of a failed one. */
  reason: z.enum(['access', 'room', 'stopped']).nullable(),
  size: z.number().nullable(),
  workspaces: z.number(),
  createdAt: StoredInstant,
  mail: LinkMail.nullable(),
});
export type DataExport = z.infer<typeof Made>;

export function listOwn(tx: Tx, { accountId, userId }: AccountPermit): Promise<readonly DataExport[]> {
  return tx.any(sql.type(Made)`
    select l.id, l.state, l.reason, l.size, cardinality(l.workspace_ids) as workspaces, l.created_at as "createdAt", ${linkMail} as mail
    from data_exports l where l.account_id = ${accountId} and l.user_id = ${userId} order by l.id desc limit 20`);
}

const Stored = z.object({ accountId: z.number(), userId: z.number(), workspaceIds: z.array(z.number()), state: z.string() });

export function findExport(tx: Tx, id: number): Promise<z.infer<typeof Stored> | null> {
  return tx.maybeOne(sql.type(Stored)`
    select account_id as "accountId", user_id as "userId", workspace_ids as "workspaceIds", state from data_exports where id = ${id}`);
}

const Ready = z.object({
  blobId: z.number(),
  size: z.number(),
  workspaceIds: z.array(z.number()),
  /** Those of which it has the time of others. */
  overseenIds: z.array(z.number()),
  createdAt: StoredInstant,
});
export type ReadyExport = z.infer<typeof Ready>;

export function findReady(tx: Tx, { accountId, userId }: AccountPermit, id: number): Promise<ReadyExport | null> {
  return tx.maybeOne(sql.type(Ready)`
    select b.id as "blobId", b.size, x.workspace_ids as "workspaceIds", x.overseen_ids as "overseenIds", x.created_at as "createdAt"
    from data_exports x join blobs b on b.account_id = x.account_id and b.id = x.blob_id
    where x.id = ${id} and x.account_id = ${accountId} and x.user_id = ${userId} and x.state = 'ready'`);
}

/** False if it is no longer being made: another run was faster, or it was deleted. */
export async function setReady(tx: Tx, id: number, blob: { id: number; size: number }, overseenIds: number[]): Promise<boolean> {
  const ready = await tx.maybeOneFirst(sql.type(Id)`
    update data_exports set state = 'ready', blob_id = ${blob.id}, size = ${blob.size}, mail_state = 'waiting',
      overseen_ids = ${sql.array(overseenIds, 'int8')}
    where id = ${id} and state = 'making' returning id`);
  return ready !== null;
}

export async function setFailed(tx: Tx, id: number, reason: 'access' | 'room' | 'stopped'): Promise<void> {
  await tx.query(sql.unsafe`update data_exports set state = 'failed', reason = ${reason} where id = ${id} and state = 'making'`);
}

/** One is kept for each person. */
export async function deleteEarlier(tx: Tx, { accountId, userId, id }: { accountId: number; userId: number; id: number }): Promise<void> {
  await tx.query(sql.unsafe`delete from data_exports where account_id = ${accountId} and user_id = ${userId} and id < ${id}`);
}

export async function deleteOwn(tx: Tx, { accountId, userId }: AccountPermit, id: number): Promise<void> {
  await tx.query(sql.unsafe`delete from data_exports where id = ${id} and account_id = ${accountId} and user_id = ${userId}`);
}

const Mailed = z.object({ email: z.string(), account: z.string() });

/** Null without a ready export, or if the person may no longer have it. */
export function findMailed(tx: Tx, id: number): Promise<z.infer<typeof Mailed> | null> {
  return tx.maybeOne(sql.type(Mailed)`
    select u.email, a.name as account from data_exports x
    join users u on u.id = x.user_id and u.active and u.account_role = 'owner' join accounts a on a.id = x.account_id
    where x.id = ${id} and x.state = 'ready'`);
}
