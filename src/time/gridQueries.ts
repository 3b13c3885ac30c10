import { z } from 'zod';
import { itemsOf, listed, visibleById } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { entryColumns } from './queries.ts';
import { EntryRow } from './schema.ts';

const Facts = z.object({
  accountId: z.number(),
  userId: z.number(),
  now: z.string(),
  today: z.string(),
  items: z.array(z.object({ id: z.number(), workspaceId: z.number(), rights: z.number() })),
  /** One row per entry and day. A running timer counts up to now. */
  parts: z.array(EntryRow.extend({ on_day: z.string(), on_minutes: z.number() })),
});
export type GridFacts = z.infer<typeof Facts>;

/** Call after lockPerson, so that the result stays valid until the transaction ends. Throws Unauthenticated. */
export async function readGridFacts(tx: Tx, caller: Caller, itemIds: readonly number[], days: readonly string[]): Promise<GridFacts> {
  const row = await tx.maybeOne(sql.type(Facts)`
    with ${accessToAll(caller)},
    reach as (select i.id, i.title, i.workspace_id, access.rights from ${itemsOf(listed(itemIds))} join access on ${visibleById}),
    moment as (select date_trunc('milliseconds', clock_timestamp()) as now),
    parts as (
      select p.entry_id, p.day, p.minutes from who join time_parts p on p.user_id = who.user_id and p.day = any(${sql.array([...days], 'date')})
      union all
      select e.id, r.day, r.minutes from who join time_entries e on e.user_id = who.user_id and e.minutes is null, moment,
        split_by_utc_day(e.started_at, greatest(e.started_at, moment.now)) r where r.day = any(${sql.array([...days], 'date')})
    )
    select who.account_id as "accountId", who.user_id as "userId", moment.now, (moment.now at time zone 'UTC')::date as today,
      (select coalesce(json_agg(json_build_object('id', id, 'workspaceId', workspace_id, 'rights', rights)), '[]') from reach) as items,
      (select coalesce(json_agg(one), '[]') from (
        select ${entryColumns}, p.day as on_day, p.minutes as on_minutes
        from parts p join time_entries e on e.id = p.entry_id join reach i on i.id = e.item_id order by e.id) one) as parts
    from who, moment`);
  if (!row) throw new CredentialRefused();
  return row;
}
