import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** SQL condition: the account has no person yet. Null account: there is no account at all. */
const nobodyIn = (accountId: Fragment) => sql.fragment`
  case when ${accountId} is null then not exists (select from accounts)
  else not exists (select from users u where u.account_id = ${accountId} and u.kind = 'person') end`;

const Made = z.object({ made: z.boolean() });

/** False if the account has a person. Earlier links stay valid: after two deployments the link in either log works. */
export async function insertOwnerLink(tx: Tx, accountId: number | null, tokenHash: Buffer): Promise<boolean> {
  const account = sql.fragment`${accountId}::bigint`;
  const made = await tx.maybeOneFirst(sql.type(Made)`
    insert into owner_links (token_hash, account_id, expires_at)
    select ${sql.binary(tokenHash)}, ${account}, now() + interval '7 days' where ${nobodyIn(account)}
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
    where l.token_hash = ${sql.binary(tokenHash)} and l.expires_at > now() and ${nobodyIn(sql.fragment`l.account_id`)}`);
}

export async function endOwnerLinks(tx: Tx, accountId: number | null): Promise<void> {
  await tx.query(sql.unsafe`delete from owner_links where account_id is not distinct from ${accountId}::bigint`);
}
