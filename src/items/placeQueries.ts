import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { applies, linkNames, linkTargets } from './fields.ts';
import { visible } from './queries.ts';

const Place = z.object({ id: z.number(), workspaceId: z.number(), workspace: z.string() });
export type Place = z.infer<typeof Place>;

export const readPlaces = (tx: Tx, caller: Caller, ids: readonly number[]): Promise<readonly Place[]> =>
  tx.any(sql.type(Place)`
    with ${accessToAll(caller)}
    select i.id, i.workspace_id as "workspaceId", w.name as workspace
    from unnest(${sql.array([...ids], 'int8')}) wanted (id) cross join lateral (select * from items where id = wanted.id limit 1) i
    join access on ${visible} join workspaces w on w.id = i.workspace_id`);

/** The number of open tasks in workspace `w` that are assigned to user `u`, without a check of the caller's rights. */
export const openTasks = fixedSql(
  "(select count(*) from items i where i.workspace_id = w.id and i.assignee_id = u.id and i.shown and not i.closed and i.type = 'task')",
);

const Sum = z.object({ sum: z.number() });

/** null: all workspaces that are not archived. */
export async function countOpenTasks(tx: Tx, userId: number, workspaceId: number | null): Promise<number> {
  return tx.oneFirst(sql.type(Sum)`
    select coalesce(sum(${openTasks}), 0)::bigint as sum from users u
    join workspaces w on w.account_id = u.account_id and w.archived_at is null and w.id = coalesce(${workspaceId}, w.id)
    where u.id = ${userId}`);
}

export const LinkChoice = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string() });
export type LinkChoice = z.infer<typeof LinkChoice>;
export const MOST_CHOICES = 200;

export function linkTypes(type: ItemType): ItemType[] {
  const types = linkNames.filter((name) => applies(name, type)).flatMap((name) => linkTargets(name, type));
  return [...new Set(types)];
}

/** For a statement with `access`: visible open items of these types, at most MOST_CHOICES of each. */
const found = (types: Fragment) => sql.fragment`(
  select found.* from unnest(${types}) wanted (type)
  cross join lateral (
    select i.id, i.type, i.title from items i
    where i.type = wanted.type and not i.closed and ${visible} order by i.id desc limit ${MOST_CHOICES}
  ) found)`;
const byTitle = sql.fragment`order by c.type, lower(c.title), c.id`;

export const linkChoicesOf = (types: Fragment) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', c.id, 'type', c.type, 'title', c.title) ${byTitle}), '[]') from ${found(types)} c)`;

const typesOf = fixedSql(
  `case self.type ${itemTypes.map((type) => `when '${type}' then '{${linkTypes(type).join(',')}}'::text[]`).join(' ')} end`,
);

export const linkChoicesJson = linkChoicesOf(typesOf);

// SQL of goals' values over time, from recorded changes (sql/0071_goal_trends.sql), for a visible items row `i`.

/** The first known value: before the first recorded change, or after it if there was none before; null if none is recorded. */
export const firstValue = sql.fragment`(
  select coalesce(c.fields -> 'current' ->> 0, c.fields -> 'current' ->> 1)::float8 from changes c
  where c.item_id = i.id and c.fields ? 'current' order by c.version limit 1)`;

export const trendJson = (most: number) => sql.fragment`(
  select json_build_object('since', case when count(*) < ${most} then i.created_at end,
    'changes', coalesce(json_agg(row_to_json(told) order by c.version), '[]'))
  from (select c.version, c.at, c.fields -> 'current' as values, c.actor_id from changes c where c.item_id = i.id and c.fields ? 'current'
    order by c.version desc limit ${most}) c
  cross join lateral (select c.at, c.values -> 0 as before, c.values -> 1 as after, (select u.name from users u where u.id = c.actor_id) as by) told)`;

/** SQL of a requirement's RICE score: reach x impact x confidence / effort (behaviour §21.8). */
export const Rice = z.object({
  score: z.number(),
  /** Rank among the visible open requirements of the workspace with a score, including this one; null if there are too many. */
  rank: z.object({ place: z.number(), of: z.number() }).nullable(),
});
export type Rice = z.infer<typeof Rice>;

const MOST_RANKED = 1_000;

export const scoreOf = (row: 'i' | 'self' | 'other'): Fragment =>
  fixedSql(`(${row}.reach * ${row}.impact * ${row}.confidence / 100 / nullif(${row}.effort, 0))`);

export const riceJson = sql.fragment`(
  select json_build_object('score', ${scoreOf('self')}, 'rank', case when ranked.looked <= ${MOST_RANKED}
    then json_build_object('place', ranked.above + 1, 'of', ranked.scored) end)
  from self cross join lateral (
    select count(*) as looked, count(*) filter (where other.id <> self.id and other.score > ${scoreOf('self')}) as above,
      count(*) filter (where other.score is not null or other.id = self.id) as scored
    from (
      select i.id, case when not i.closed then ${scoreOf('i')} end as score from items i
      where i.type = 'requirement' and ${visible} limit ${MOST_RANKED + 1}) other
  ) ranked
  where ${scoreOf('self')} is not null)`;
