/** Mails with links. A mail is claimed before it is sent, so no crash sends it twice (behaviour §12.32). */
import { z } from 'zod';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { callerRow } from '../access/queries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

export type LinkTable = 'invitations' | 'email_changes' | 'data_exports';

/** NOTIFY channel for written outcomes. The payload is the account id. */
export const CHANNEL = 'link_mails';
/** Pages report a failure after this many tries. The queue still retries. */
const FAILURES_SHOWN = 3;

export const LinkMail = z.object({
  state: z.enum(['sending', 'sent', 'failed']),
  reason: z.string().nullable(),
});
export type LinkMail = z.infer<typeof LinkMail>;

/** SQL for a row `l` of a LinkTable: state of its mail as JSON, null if not mailed. */
export const linkMail = sql.fragment`case when l.mail_state is not null then json_build_object(
  'state', case when l.mail_state = 'sent' then 'sent' when l.mail_state = 'unknown' or l.mail_failures >= ${FAILURES_SHOWN} then 'failed' else 'sending' end,
  'reason', l.mail_error) end`;

/** SQL condition: the password link `l` works. */
const isValid = fixedSql('not l.forgotten and l.used_at is null and l.expires_at > now()');

/** SQL for a user `u`: state of the mail with the latest valid link, as JSON. */
export const latestLinkMail = sql.fragment`(
  select ${linkMail} from invitations l
  where l.user_id = u.id and ${isValid} order by l.id desc limit 1)`;

const Claimed = z.object({ claimed: z.boolean() });

/** True if the caller must send it. A mail with a claim but no outcome is never sent again. */
export async function claimLinkMail(tx: Tx, table: LinkTable, id: number): Promise<boolean> {
  const claimed = await tx.maybeOneFirst(sql.type(Claimed)`
    update ${sql.identifier([table])} set mail_state = case mail_state when 'sending' then 'unknown' else 'sending' end,
      mail_error = case mail_state when 'sending' then 'A worker stopped while it sent the email, which may have arrived.' else mail_error end
    where id = ${id} and coalesce(mail_state, 'waiting') in ('waiting', 'sending') returning mail_state = 'sending' as claimed`);
  return claimed ?? false;
}

const notifyPages = fixedSql(`select pg_notify('${CHANNEL}', account_id::text) from l`);

export async function setMailSent(tx: Tx, table: LinkTable, id: number): Promise<void> {
  await tx.query(sql.unsafe`
    with l as (update ${sql.identifier([table])} set mail_state = 'sent', mail_error = null where id = ${id} returning account_id) ${notifyPages}`);
}

/** `again`: the mail server certainly did not accept the mail, so it may be claimed again. */
export async function setMailNotSent(tx: Tx, table: LinkTable, id: number, reason: string, again: boolean): Promise<void> {
  await tx.query(sql.unsafe`
    with l as (
      update ${sql.identifier([table])} set mail_state = ${again ? 'waiting' : 'unknown'}, mail_failures = mail_failures + 1, mail_error = ${reason}
      where id = ${id} returning account_id
    ) ${notifyPages}`);
}

const Person = z.object({ accountId: z.number(), userId: z.number(), name: z.string(), mail: LinkMail.nullable() });
export type PersonLinkMail = z.infer<typeof Person>;

export function readLinkMails(tx: Tx, caller: Caller, userIds: readonly number[]): Promise<readonly PersonLinkMail[]> {
  return tx.any(sql.type(Person)`
    with who as (${callerRow(caller)})
    select u.account_id as "accountId", u.id as "userId", u.name, ${latestLinkMail} as mail
    from who join users me on me.id = who.user_id and me.account_role <> 'member'
    join users u on u.id = any(${sql.array([...userIds], 'int8')}) and u.account_id = who.account_id
    order by lower(u.name), u.id`);
}

const Failed = z.object({ failed: z.boolean() });

/** True if mailing the latest valid link failed. Locks the row, so that no retry begins before the transaction ends. */
export async function mailFailed(tx: Tx, { accountId }: AccountPermit, userId: number): Promise<boolean> {
  const failed = await tx.maybeOneFirst(sql.type(Failed)`
    select (${linkMail}) ->> 'state' = 'failed' as failed from invitations l
    where l.id = (
      select max(l.id) from invitations l where l.user_id = ${userId} and l.account_id = ${accountId} and ${isValid})
    for update`);
  return failed ?? false;
}

/** SQL condition: the account has no person yet. Null account: there is no account at all. */
const hasNoUsers = (accountId: Fragment) => sql.fragment`
  case when ${accountId} is null then not exists (select from accounts)
  else not exists (select from users u where u.account_id = ${accountId} and u.kind = 'person') end`;

const Made = z.object({ made: z.boolean() });

/** False if the account has a person. Earlier links stay valid: after two deployments the link in either log works. */
export async function insertOwnerLink(tx: Tx, accountId: number | null, tokenHash: Buffer): Promise<boolean> {
  const account = sql.fragment`${accountId}::bigint`;
  const made = await tx.maybeOneFirst(sql.type(Made)`
    insert into owner_links (token_hash, account_id, expires_at)
    select ${sql.binary(tokenHash)}, ${account}, now() + interval '7 days' where ${hasNoUsers(account)}
    returning true as made`);
  return made !== null;
}

const Open = z.object({
  account: z.object({ id: z.number(), name: z.string() }).nullable(),
});
export type OwnerLink = z.infer<typeof Open>;

/** Found by its hash, so the query time reveals nothing about the token. */
export function findOwnerLink(tx: Tx, tokenHash: Buffer): Promise<OwnerLink | null> {
  return tx.maybeOne(sql.type(Open)`
    select case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as account
    from owner_links l left join accounts a on a.id = l.account_id
    where l.token_hash = ${sql.binary(tokenHash)} and l.expires_at > now() and ${hasNoUsers(sql.fragment`l.account_id`)}`);
}

export async function endOwnerLinks(tx: Tx, accountId: number | null): Promise<void> {
  await tx.query(sql.unsafe`delete from owner_links where account_id is not distinct from ${accountId}::bigint`);
}
