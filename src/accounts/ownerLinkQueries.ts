/** All SQL about one-time links for the first owner. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** Whether there is nobody yet whom a link for this account, or for the first one, would come too late for. */
const nobodyIn = (accountId: Fragment) => sql.fragment`
  case when ${accountId} is null then not exists (select from accounts)
  else not exists (select from users u where u.account_id = ${accountId} and u.kind = 'person') end`;

const Made = z.object({ made: z.boolean() });

/** `accountId` null: for the first account of all. False, and nothing is stored, where somebody is there already. Links that were made before
 *  stay good: of an installation that is deployed twice, either log leads in. */
export async function insertOwnerLink(tx: Tx, accountId: number | null, tokenHash: Buffer): Promise<boolean> {
  const account = sql.fragment`${accountId}::bigint`;
  const made = await tx.maybeOneFirst(sql.type(Made)`
    insert into owner_links (token_hash, account_id, expires_at)
    select ${sql.binary(tokenHash)}, ${account}, now() + interval '7 days' where ${nobodyIn(account)}
    returning true as made`);
  return made !== null;
}

const Open = z.object({
  /** Null: the account is still to be created. */
  account: z.object({ id: z.number(), name: z.string() }).nullable(),
});
export type OwnerLink = z.infer<typeof Open>;

/** Looked up by its hash, as keys are: whoever does not know the token can't steer the hash, so the time taken tells nothing. */
export function findOwnerLink(tx: Tx, tokenHash: Buffer): Promise<OwnerLink | null> {
  return tx.maybeOne(sql.type(Open)`
    select case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as account
    from owner_links l left join accounts a on a.id = l.account_id
    where l.token_hash = ${sql.binary(tokenHash)} and l.expires_at > now() and ${nobodyIn(sql.fragment`l.account_id`)}`);
}

/** All links of the same kind end: they were for one owner. */
export async function endOwnerLinks(tx: Tx, accountId: number | null): Promise<void> {
  await tx.query(sql.unsafe`delete from owner_links where account_id is not distinct from ${accountId}::bigint`);
}
