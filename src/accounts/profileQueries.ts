import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { callerRow, validSession } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { RequestedAddress, requestedAddressJson } from './emailChangeQueries.ts';

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
    select u.name, u.email, u.timezone, u.single_keys as "singleKeys", u.weekly_minutes as "weeklyMinutes", ${requestedAddressJson} as "askedAddress",
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
