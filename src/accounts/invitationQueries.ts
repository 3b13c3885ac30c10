import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { MemberRole } from './schema.ts';

const Created = z.object({ id: z.number() });

/** RESET is shorter: its link gives access to an account in use. */
const INVITED = sql.fragment`interval '7 days'`;
const RESET = sql.fragment`interval '24 hours'`;

/** Valid links `i` with their person `u` and maker `m`. The maker's current rights decide whether a link is valid (behaviour §12.22). */
const openLinks = sql.fragment`
  invitations i
  join users u on u.id = i.user_id and u.active and u.kind = 'person'
  join users m on m.id = case when i.forgotten then i.user_id else i.created_by end and m.account_id = i.account_id and m.active
    and (i.forgotten or m.account_role = 'owner' or m.account_role = 'admin' and u.account_role <> 'owner')`;

const Made = z.object({ id: z.number(), /** The person has a password. */ known: z.boolean() });
type Made = z.infer<typeof Made>;

/** Ends the user's earlier links. Null if the user is not an active person, or if the user is an owner and the caller is not. `mailed`: sent by mail. */
export async function insertInvitation(tx: Tx, by: AccountPermit, userId: number, nonce: string, mailed: boolean): Promise<Made | null> {
  return tx.maybeOne(sql.type(Made)`
    with person as (
      select account_id, id, password_hash is not null as known from users
      where id = ${userId} and account_id = ${by.accountId} and active and kind = 'person'
        and (account_role <> 'owner' or ${by.accountRole === 'owner'})
    ), ended as (
      update invitations set expires_at = created_at where user_id in (select id from person) and used_at is null and expires_at > now()
    )
    insert into invitations (account_id, user_id, nonce, created_by, expires_at, mail_state)
    select account_id, id, ${nonce}, ${by.userId}, now() + case when known then ${RESET} else ${INVITED} end, ${mailed ? 'waiting' : null}
    from person
    returning id, (select known from person)`);
}

const OperatorLink = z.object({ id: z.number(), expiresAt: z.string() });

/** Ends the person's earlier links. Needs no other user's rights. Null if there is no such active person. */
export async function insertOperatorLink(tx: Tx, userId: number, nonce: string): Promise<z.infer<typeof OperatorLink> | null> {
  return tx.maybeOne(sql.type(OperatorLink)`
    with person as (
      select account_id, id, password_hash is not null as known from users where id = ${userId} and active and kind = 'person' for update
    ), ended as (
      update invitations set expires_at = created_at where user_id in (select id from person) and used_at is null and expires_at > now()
    )
    insert into invitations (account_id, user_id, nonce, forgotten, expires_at)
    select account_id, id, ${nonce}, true, now() + case when known then ${RESET} else ${INVITED} end from person
    returning id, expires_at as "expiresAt"`);
}

/** Notifies a person with a password about a link that another user made. Null if no notification is needed or it exists. */
export function notifyOfLink(tx: Tx, invitationId: number, kind: 'password_link' | 'password_set'): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Created)`
    insert into notifications (account_id, user_id, kind, invitation_id, due_at)
    select i.account_id, i.user_id, ${kind}, i.id, now() from invitations i join users u on u.id = i.user_id
    where i.id = ${invitationId} and u.password_hash is not null and i.created_by is distinct from i.user_id
    on conflict do nothing returning id`);
}

const Open = z.object({
  id: z.number(),
  nonce: z.string(),
  userId: z.number(),
  email: z.string(),
  name: z.string(),
  accountName: z.string(),
  known: z.boolean(),
  forgotten: z.boolean(),
  maker: z.string().nullable(),
  workspaces: z.array(z.string()),
});
export type OpenInvitation = z.infer<typeof Open>;

const joining = sql.fragment`
  select w.name from invited_memberships g join workspaces w on w.id = g.workspace_id and w.archived_at is null
  where g.user_id = u.id order by lower(w.name), w.id`;

export function findInvitation(tx: Tx, id: number): Promise<OpenInvitation | null> {
  return tx.maybeOne(sql.type(Open)`
    select i.id, i.nonce, u.id as "userId", u.email, u.name, a.name as "accountName",
           u.password_hash is not null as known, i.forgotten, case when not i.forgotten then m.name end as maker,
           case when u.password_hash is null then array(${joining}) else '{}' end as workspaces
    from ${openLinks} join accounts a on a.id = u.account_id
    where i.id = ${id} and i.used_at is null and i.expires_at > now()`);
}

const Count = z.object({ count: z.number() });

/** Links that the user made in the last hour. Locks the user's row until the transaction ends. */
export async function countMade(tx: Tx, makerId: number): Promise<number> {
  await tx.query(sql.unsafe`select 1 from users where id = ${makerId} for no key update`);
  return tx.oneFirst(sql.type(Count)`
    select count(*) from invitations where created_by = ${makerId} and created_at > now() - interval '1 hour'`);
}

const Forgetful = z.object({ id: z.number(), accountId: z.number() });

/** People who sign in with the address. Locks their rows, so that parallel requests are counted. */
export function lockUsersByEmail(tx: Tx, email: string): Promise<readonly z.infer<typeof Forgetful>[]> {
  return tx.any(sql.type(Forgetful)`
    select u.id, u.account_id as "accountId" from users u
    where lower(u.email) = lower(${email}) and u.active and u.kind = 'person' and u.password_hash is not null
    order by u.id for update`);
}

/** Inserts a link and ends earlier ones that the person requested, not those of administrators. Null after three requests in an hour. */
export function insertForgottenLink(tx: Tx, userId: number, nonce: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Created)`
    with person as (
      select id, account_id from users where id = ${userId}
        and (select count(*) from invitations where user_id = ${userId} and forgotten and created_at > now() - interval '1 hour') < 3
    ), ended as (
      update invitations set expires_at = created_at
      where user_id in (select id from person) and forgotten and used_at is null and expires_at > now()
    )
    insert into invitations (account_id, user_id, nonce, forgotten, expires_at, mail_state)
    select account_id, id, ${nonce}, true, now() + interval '1 hour', 'waiting' from person returning id`);
}

/** True if this call used the link. Locks the person and the maker until the transaction ends. */
export async function useInvitation(tx: Tx, id: number): Promise<boolean> {
  const used = await tx.maybeOneFirst(sql.type(Created)`
    with found as (
      select i.id from ${openLinks} where i.id = ${id} and i.used_at is null and i.expires_at > now() for share of m for update of i, u
    )
    update invitations set used_at = now() where id in (select id from found) returning id`);
  return used !== null;
}

/** Ends all links for a person. The expiry becomes the creation time, so a transaction that began earlier can't use them. */
export async function endLinksFor(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with addresses as (update email_changes set expires_at = created_at where user_id = ${userId} and used_at is null and expires_at > now())
    update invitations set expires_at = created_at where user_id = ${userId} and used_at is null and expires_at > now()`);
}

/** Ends links for a person and links that they made. Call it when their role or activity changes. */
export async function endLinksOf(tx: Tx, userId: number): Promise<void> {
  await endLinksFor(tx, userId);
  await tx.query(sql.unsafe`
    update invitations set expires_at = created_at where created_by = ${userId} and used_at is null and expires_at > now()`);
}

export interface InvitedTo {
  workspaceId: number;
  role: MemberRole;
}

/** Stores the workspaces that an invited person will join. False if a workspace is archived or in another account. */
export async function storeInvitedWorkspaces(
  tx: Tx,
  { accountId }: AccountPermit,
  userId: number,
  all: readonly InvitedTo[],
): Promise<boolean> {
  const kept = await tx.oneFirst(sql.type(Count)`
    with wanted as (select * from json_to_recordset(${JSON.stringify(all)}::json) as g ("workspaceId" bigint, role text)),
    kept as (
      insert into invited_memberships (account_id, user_id, workspace_id, role)
      select w.account_id, ${userId}, w.id, g.role from wanted g
      join workspaces w on w.id = g."workspaceId" and w.account_id = ${accountId} and w.archived_at is null order by w.id
      on conflict (user_id, workspace_id) do update set role = excluded.role, created_at = now() returning 1
    )
    select count(*) from kept`);
  return kept === all.length;
}

const Joined = z.object({ id: z.number() });

/** Deletes a person's stored invitations. `join`: adds them to these workspaces, if not archived. Returns the ids of joined workspaces. */
export function settleInvitedWorkspaces(tx: Tx, userId: number, join: boolean): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Joined)`
    with settled as (delete from invited_memberships where user_id = ${userId} returning account_id, workspace_id, role)
    insert into memberships (account_id, workspace_id, user_id, role)
    select w.account_id, w.id, ${userId}, g.role from settled g
    join workspaces w on w.id = g.workspace_id and w.account_id = g.account_id and w.archived_at is null
    where ${join} order by w.id
    on conflict do nothing returning workspace_id as id`);
}

const Here = z.object({ id: z.number(), email: z.string(), name: z.string(), active: z.boolean(), canSignIn: z.boolean() });
export type ExistingUser = z.infer<typeof Here>;

export function readByEmails(tx: Tx, { accountId }: AccountPermit, emails: readonly string[]): Promise<readonly ExistingUser[]> {
  return tx.any(sql.type(Here)`
    select id, email, name, active, password_hash is not null as "canSignIn" from users
    where account_id = ${accountId} and lower(email) = any(select lower(e) from unnest(${sql.array([...emails], 'text')}) e) order by email`);
}
