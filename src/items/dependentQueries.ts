/** SQL of the items that depend on changed ones (behaviour §33.18). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { itemTypes } from '../access/rights.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { visibleBlockedBy, visibleBlockersOf } from './relationQueries.ts';
import { Link } from './relationSchema.ts';

/** Maximum number of items that are followed, the changed ones included. */
const MOST_FOLLOWED = 500;

const Row = z.object({
  id: z.number(),
  version: z.number(),
  type: z.enum(itemTypes),
  title: z.string(),
  startDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  targetDate: z.string().nullable(),
  follows: z.boolean(),
  blockedBy: z.array(Link),
});
export type DependentRow = z.infer<typeof Row>;

const Found = z.object({ rights: z.number(), visible: z.boolean(), items: z.array(Row) });

/** The open items among `ids`, all visible open items that depend on them, directly or through others, and the visible open blockers of
 *  all these. At most MOST_FOLLOWED. `visible`: whether the caller can read any of `ids`. Throws Unauthenticated. */
export async function readDependents(tx: Tx, caller: Caller, workspaceId: number, ids: readonly number[]): Promise<z.infer<typeof Found>> {
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, workspaceId)},
    followed as materialized (
      with recursive after (id) as (
        select i.id from access, items i where i.id = any(${sql.array([...ids], 'int8')}) and ${visibleById} and not i.closed
        union
        select next.id from after a cross join access
        cross join lateral (select i.id from ${visibleBlockedBy(fixedSql('a.id'))} and not i.closed) next
      )
      select id from after limit ${MOST_FOLLOWED}
    ),
    links as materialized (
      select f.id, blocker.id as blocker_id, blocker.lag_days from followed f cross join access
      cross join lateral (select i.id, d.lag_days from ${visibleBlockersOf(fixedSql('f.id'))} and not i.closed) blocker
    )
    select access.rights,
      exists (select from items i where i.id = any(${sql.array([...ids], 'int8')}) and ${visibleById}) as visible, (
      select coalesce(json_agg(json_build_object('id', i.id, 'version', i.version, 'type', i.type, 'title', i.title,
          'startDate', i.start_date, 'dueDate', i.due_date, 'targetDate', i.target_date, 'follows', i.id in (select id from followed),
          'blockedBy', (select coalesce(json_agg(json_build_object('id', l.blocker_id, 'lagDays', l.lag_days) order by l.blocker_id), '[]')
            from links l where l.id = i.id)) order by i.id), '[]')
      from (select id from followed union select blocker_id from links) one
      cross join lateral (select * from items i where i.id = one.id limit 1) i) as items
    from access`);
  if (!row) throw new CredentialRefused();
  return row;
}
