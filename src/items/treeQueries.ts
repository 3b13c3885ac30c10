/** SQL of an item and the items below it, to copy them (behaviour §37.1). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, isVisible } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { idsBelow, rootOf } from './findWork/belowQueries.ts';

const Found = z.object({
  id: z.number(),
  labels: z.array(z.number()),
  blockedBy: z.array(z.object({ id: z.number(), lagDays: z.number() })),
});

const Row = z.object({ root: z.number().nullable(), characters: z.number(), items: z.array(Found) });

/** The visible item, and up to `limit` visible items below it; none for 0. `labels`: those in use. `blockedBy`: also blockers outside, and
 *  hidden ones. `characters`: of all long texts. Throws Unauthenticated, Forbidden. */
export async function readTree(tx: Tx, caller: Caller, workspaceId: number, id: number, limit: number): Promise<z.infer<typeof Row>> {
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessTo(caller, workspaceId)}, a as (select * from access), ${rootOf(id)},
    ids as materialized (
      select id from root union all
      select b.id from access cross join lateral (${idsBelow(sql.fragment`access.rights`)} limit ${limit}) b where ${limit} > 0),
    found as materialized (
      select i.id, length(i.description) + coalesce(length(i.acceptance), 0) as characters
      from ids cross join lateral (select * from items one where one.id = ids.id limit 1) i, access where ${isVisible('i', 'access.rights')})
    select (select id from root) as root, (select coalesce(sum(characters), 0) from found)::float8 as characters,
      (select coalesce(json_agg(json_build_object('id', f.id,
          'labels', (select coalesce(json_agg(l.id order by l.id), '[]') from item_labels o join labels l on l.id = o.label_id
            where o.item_id = f.id and l.archived_at is null and l.merged_into is null),
          'blockedBy', (select coalesce(json_agg(json_build_object('id', d.blocker_id, 'lagDays', d.lag_days) order by d.blocker_id), '[]')
            from item_dependencies d where d.item_id = f.id)) order by f.id), '[]') from found f) as items
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.root === null) throw new Forbidden();
  return row;
}
