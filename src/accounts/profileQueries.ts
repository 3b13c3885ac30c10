import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { callerRow, validSession } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { LinkMail, linkMail } from './linkMailQueries.ts';

const Count = z.object({ count: z.number() });
const Created = z.object({ id: z.number() });

/** Links that the user asked for in the last hour. Locks the user's row until the transaction ends. */
export async function countRequestedChanges(tx: Tx, userId: number): Promise<number> {
  await tx.query(sql.unsafe`select 1 from users where id = ${userId} for no key update`);
  return tx.oneFirst(sql.type(Count)`
    select count(*) from email_changes where user_id = ${userId} and created_at > now() - interval '1 hour'`);
}

/** Ends the user's earlier links. Null if the user already has this address. */
export function insertEmailChange(tx: Tx, userId: number, email: string, nonce: string): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(Created)`
    with person as (select account_id, id, email from users where id = ${userId} and active and kind = 'person' and email <> ${email}),
    ended as (
      update email_changes set expires_at = created_at where user_id in (select id from person) and used_at is null and expires_at > now()
    )
    insert into email_changes (account_id, user_id, old_email, email, nonce, mail_state)
    select account_id, id, email, ${email}, ${nonce}, 'waiting' from person returning id`);
}

const Change = z.object({
  id: z.number(),
  nonce: z.string(),
  accountId: z.number(),
  userId: z.number(),
  oldEmail: z.string(),
  email: z.string(),
  name: z.string(),
  accountName: z.string(),
});
export type EmailChange = z.infer<typeof Change>;

const columns = sql.fragment`
  c.id, c.nonce, c.account_id as "accountId", c.user_id as "userId", c.old_email as "oldEmail", c.email, u.name, a.name as "accountName"
  from email_changes c join users u on u.id = c.user_id and u.active and u.kind = 'person' join accounts a on a.id = u.account_id`;
/** The link is invalid if the address changed in another way since. */
const open = sql.fragment`c.used_at is null and c.expires_at > now() and u.email = c.old_email`;

export function findEmailChange(tx: Tx, id: number): Promise<EmailChange | null> {
  return tx.maybeOne(sql.type(Change)`select ${columns} where c.id = ${id} and ${open}`);
}

export function findMadeChange(tx: Tx, id: number): Promise<EmailChange | null> {
  return tx.maybeOne(sql.type(Change)`select ${columns} where c.id = ${id} and c.used_at is not null`);
}

/** SQL for a user `u`: the requested, unconfirmed address with the state of its mail, as JSON. */
export const requestedAddressJson = sql.fragment`(
  select json_build_object('email', l.email, 'mail', ${linkMail}) from email_changes l
  where l.user_id = u.id and l.used_at is null and l.expires_at > now() and l.old_email = u.email order by l.id desc limit 1)`;

export const RequestedAddress = z.object({ email: z.string(), mail: LinkMail.nullable() });
export type RequestedAddress = z.infer<typeof RequestedAddress>;

const Asked = z.object({ accountId: z.number(), asked: RequestedAddress.nullable() });

export function readRequestedAddress(tx: Tx, caller: Caller): Promise<z.infer<typeof Asked> | null> {
  return tx.maybeOne(sql.type(Asked)`
    select u.account_id as "accountId", ${requestedAddressJson} as asked from (${callerRow(caller)}) who join users u on u.id = who.user_id`);
}

/** True if this call used the link; false if it was used or invalid before. */
export async function useEmailChange(tx: Tx, id: number): Promise<boolean> {
  const used = await tx.maybeOneFirst(sql.type(Created)`
    with found as (
      select c.id from email_changes c join users u on u.id = c.user_id and u.active and u.kind = 'person'
      where c.id = ${id} and ${open} for update of c, u
    )
    update email_changes set used_at = now() where id in (select id from found) returning id`);
  return used !== null;
}

const Profile = z.object({
  name: z.string(),
  email: z.string(),
  timezone: z.string(),
  singleKeys: z.boolean(),
  weeklyMinutes: z.number().nullable(),
  askedAddress: RequestedAddress.nullable(),
  sessions: z.number(),
});
export type Profile = z.infer<typeof Profile>;

/** Throws Unauthenticated. */
export async function readProfile(tx: Tx, caller: Caller): Promise<Profile> {
  const found = await tx.maybeOne(sql.type(Profile)`
    select u.name, u.email, u.timezone, u.single_keys as "singleKeys", weekly_minutes_now(u.id, u.weekly_minutes) as "weeklyMinutes", ${requestedAddressJson} as "askedAddress",
      (select count(*) from sessions s where s.user_id = u.id and ${validSession}) as sessions
    from (${callerRow(caller)}) who join users u on u.id = who.user_id`);
  if (!found) throw new CredentialRefused();
  return found;
}

export async function setProfile(
  tx: Tx,
  userId: number,
  { name, timezone, singleKeys }: { name: string; timezone: string; singleKeys: boolean },
): Promise<void> {
  await tx.query(sql.unsafe`
    update users set name = ${name}, timezone = ${timezone}, zone_chosen = true, single_keys = ${singleKeys} where id = ${userId}`);
}

const Taken = z.object({ taken: z.boolean() });

/** True if the zone was set: only if the user had UTC and never chose a zone. Then it counts as chosen. */
export async function takeZone(tx: Tx, userId: number, timezone: string): Promise<boolean> {
  const taken = await tx.maybeOneFirst(sql.type(Taken)`
    update users set timezone = ${timezone}, zone_chosen = true where id = ${userId} and not zone_chosen and timezone = 'UTC'
    returning true as taken`);
  return taken !== null;
}

export async function setFirstStepsDone(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`update users set first_steps_done = true where id = ${userId}`);
}

export async function chooseZone(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`update users set zone_chosen = true where id = ${userId}`);
}
