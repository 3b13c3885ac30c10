/** All SQL about invitations. */
import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { MemberRole } from './schema.ts';

const Created = z.object({ id: z.number() });

/** Whoever has a password already gets in without the link: it opens their account for a shorter time. */
const INVITED = sql.fragment`interval '7 days'`;
const RESET = sql.fragment`interval '24 hours'`;

/** The links `i` that open something, with their person `u` and their maker `m`: a link is worth what its maker may do at the moment
 *  (behaviour §12.22). */
const openLinks = sql.fragment`
  invitations i
  join users u on u.id = i.user_id and u.active and u.kind = 'person'
  join users m on m.id = case when i.forgotten then i.user_id else i.created_by end and m.account_id = i.account_id and m.active
    and (i.forgotten or m.account_role = 'owner' or m.account_role = 'admin' and u.account_role <> 'owner')`;

const Made = z.object({ id: z.number(), /** Their person has a password already. */ known: z.boolean() });
type Made = z.infer<typeof Made>;

/** A link for a user of the account; earlier ones of theirs end. Null when there is no such active person, and when it would open an
 *  owner's account to somebody who is none. `mailed`: a mail with it is to be sent. */
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

/** A link made by the operator, for an active person; earlier ones of theirs end. Like a link that its person asked for, it depends on no
 *  other user's rights. */
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

/** Tells a person who has a password of a link made by somebody else. Null when there is nothing to tell, or it was told. */
export function tellOfLink(tx: Tx, invitationId: number, kind: 'password_link' | 'password_set'): Promise<number | null> {
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
  /** Has a password already: it will be another one. */
  known: z.boolean(),
  /** They asked for it themselves, on the sign-in page. */
  forgotten: z.boolean(),
  /** Who made the link; null for the person themselves and for the operator. */
  maker: z.string().nullable(),
  /** Names of the workspaces that they join with it; none where they have a password. */
  workspaces: z.array(z.string()),
});
export type OpenInvitation = z.infer<typeof Open>;

/** Of the person `u`: those that are not archived by now. */
const joining = sql.fragment`
  select w.name from invited_memberships g join workspaces w on w.id = g.workspace_id and w.archived_at is null
  where g.user_id = u.id order by lower(w.name), w.id`;

/** An invitation that can still be used, with whom it is for. */
export function findInvitation(tx: Tx, id: number): Promise<OpenInvitation | null> {
  return tx.maybeOne(sql.type(Open)`
    select i.id, i.nonce, u.id as "userId", u.email, u.name, a.name as "accountName",
           u.password_hash is not null as known, i.forgotten, case when not i.forgotten then m.name end as maker,
           case when u.password_hash is null then array(${joining}) else '{}' end as workspaces
    from ${openLinks} join accounts a on a.id = u.account_id
    where i.id = ${id} and i.used_at is null and i.expires_at > now()`);
}

const Count = z.object({ count: z.number() });

/** Links that somebody made within the hour, one call after the other. */
export async function countMade(tx: Tx, makerId: number): Promise<number> {
  await tx.query(sql.unsafe`select 1 from users where id = ${makerId} for no key update`);
  return tx.oneFirst(sql.type(Count)`
    select count(*) from invitations where created_by = ${makerId} and created_at > now() - interval '1 hour'`);
}

const Forgetful = z.object({ id: z.number(), accountId: z.number() });

/** Who signs in with the address; locked, so that their links are counted one request after the other. */
export function forgetfulPeople(tx: Tx, email: string): Promise<readonly z.infer<typeof Forgetful>[]> {
  return tx.any(sql.type(Forgetful)`
    select u.id, u.account_id as "accountId" from users u
    where lower(u.email) = lower(${email}) and u.active and u.kind = 'person' and u.password_hash is not null
    order by u.id for update`);
}

/** A link that its person asked for; earlier ones that they asked for end, those of administrators don't. Null when they were mailed three
 *  within the hour: nobody's mailbox is filled. */
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

/** Whether this call is the one that used it up. Neither its person nor its maker changes from here to the end of the transaction. */
export async function useInvitation(tx: Tx, id: number): Promise<boolean> {
  const used = await tx.maybeOneFirst(sql.type(Created)`
    with found as (
      select i.id from ${openLinks} where i.id = ${id} and i.used_at is null and i.expires_at > now() for share of m for update of i, u
    )
    update invitations set used_at = now() where id in (select id from found) returning id`);
  return used !== null;
}

/** Links for a person end, those that change their address too. To before they were made: also for a transaction that had begun earlier, and
 *  waits to use one. */
export async function endLinksFor(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    with addresses as (update email_changes set expires_at = created_at where user_id = ${userId} and used_at is null and expires_at > now())
    update invitations set expires_at = created_at where user_id = ${userId} and used_at is null and expires_at > now()`);
}

/** Links for a person and links that they made end, as their role or activity changes. */
export async function endLinksOf(tx: Tx, userId: number): Promise<void> {
  await endLinksFor(tx, userId);
  await tx.query(sql.unsafe`
    update invitations set expires_at = created_at where created_by = ${userId} and used_at is null and expires_at > now()`);
}

export interface InvitedTo {
  workspaceId: number;
  role: MemberRole;
}

/** Keeps what somebody joins when they come, instead of what was kept before. False when one of the workspaces is not there for them: of
 *  another account, or archived. */
export async function keepInvitedTo(tx: Tx, { accountId }: AccountPermit, userId: number, all: readonly InvitedTo[]): Promise<boolean> {
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

/** Makes somebody who came for the first time a member of what they were invited to, where it is not archived by now and they are none yet;
 *  what they were invited to is settled with that. `join`: otherwise nothing but that. */
export function settleInvitedTo(tx: Tx, userId: number, join: boolean): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Joined)`
    with settled as (delete from invited_memberships where user_id = ${userId} returning account_id, workspace_id, role)
    insert into memberships (account_id, workspace_id, user_id, role)
    select w.account_id, w.id, ${userId}, g.role from settled g
    join workspaces w on w.id = g.workspace_id and w.account_id = g.account_id and w.archived_at is null
    where ${join} order by w.id
    on conflict do nothing returning workspace_id as id`);
}

const Here = z.object({ id: z.number(), email: z.string(), name: z.string(), active: z.boolean(), canSignIn: z.boolean() });
export type Here = z.infer<typeof Here>;

/** Who of the account has one of these addresses. */
export function readByEmails(tx: Tx, { accountId }: AccountPermit, emails: readonly string[]): Promise<readonly Here[]> {
  return tx.any(sql.type(Here)`
    select id, email, name, active, password_hash is not null as "canSignIn" from users
    where account_id = ${accountId} and lower(email) = any(select lower(e) from unnest(${sql.array([...emails], 'text')}) e) order by email`);
}
