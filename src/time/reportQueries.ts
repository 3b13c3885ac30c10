import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { accessToAll, isVisible, mayAtHome } from '../access/queries.ts';
import { CAPACITY_RIGHTS, TIME_OVERSIGHT, TIME_READ } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { oversees, overseesBy } from '../items/forecastQueries.ts';
import { countedWith } from '../items/projectQueries.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { placeOfOwn, placesOfOwn } from './ownTimeQueries.ts';
import { ownsTimer, rightsAtItem } from './queries.ts';

export const groupings = ['item', 'person', 'requirement', 'goal', 'release', 'type', 'day', 'week', 'month'] as const;
export type Grouping = (typeof groupings)[number];

export const MOST_GROUPS = 500;

export interface Group {
  /** A date, type, name or title; null for hidden items and for time without a group. */
  label: string | null;
  itemId: number | null;
  workspaceId: number | null;
  minutes: number;
}
/** Arrays by column, so that JSON contains each name once instead of 500 times. */
const Columns = z
  .object({
    labels: z.array(z.string().nullable()),
    itemIds: z.array(z.number().nullable()),
    workspaceIds: z.array(z.number().nullable()),
    minutes: z.array(z.number()),
  })
  .transform(({ labels, itemIds, workspaceIds, minutes }) =>
    minutes.map(
      (sum, at): Group => ({ label: labels[at] ?? null, itemId: itemIds[at] ?? null, workspaceId: workspaceIds[at] ?? null, minutes: sum }),
    ),
  );
const Report = z.object({
  authenticated: z.boolean(),
  inReach: z.boolean(),
  total: z.number(),
  groups: Columns,
  count: z.number(),
  workspaces: z.array(z.object({ id: z.number(), name: z.string() })),
});
export type Report = Pick<z.infer<typeof Report>, 'total' | 'groups' | 'count' | 'workspaces'>;

export interface ReportQuery {
  /** 0: all of the caller's own time; `all`: all users' time in every workspace whose time they oversee; otherwise all
   *  users' time in that workspace. */
  workspaceId: number | 'all';
  from: string;
  to: string;
}

/** CTEs `access`, `parts (day, minutes, user_id, workspace_id, item_id, rights)` and, of other people's time, `scope`. Other people's time counts in the workspace in
 *  which it was written. */
function partsOf(caller: Caller, { workspaceId, from, to }: ReportQuery): Fragment {
  if (workspaceId === 0)
    return sql.fragment`${accessToAll(caller)},
    parts as (
      select p.day, p.minutes, p.user_id, nullif(${placeOfOwn}, 0) as workspace_id, e.item_id, coalesce(home.rights, origin.rights) as rights
      from who join time_parts p on p.user_id = who.user_id join time_entries e on e.id = p.entry_id ${placesOfOwn}
      where p.day between ${from}::date and ${to}::date)`;
  const inScope = workspaceId === 'all' ? sql.fragment`true` : sql.fragment`workspace_id = ${workspaceId}`;
  return sql.fragment`${accessToAll(caller)},
    scope as materialized (select workspace_id, rights from access where rights & ${TIME_OVERSIGHT} <> 0 and ${inScope}),
    parts as (
      select p.day, p.minutes, p.user_id, scope.workspace_id, e.item_id, scope.rights
      from scope join time_parts p on p.workspace_id = scope.workspace_id
      join time_entries e on e.id = p.entry_id
      where p.day between ${from}::date and ${to}::date)`;
}

/** `rights`: the caller's in the workspace of the item, which may have moved since. */
const itemOf = sql.fragment`left join lateral (
  select i.id, i.title, i.type, i.workspace_id, i.release_id, i.requirement_id, i.goal_id, i.parent_id, i.parent_item_id, its.rights from items i
  cross join lateral (select ${rightsAtItem('p')} as rights) its
  where i.id = p.item_id and ${isVisible('i', 'its.rights')} limit 1) i on true`;

/** An item's release: itself, the one with which it counts (behaviour §6.5, §6.6), or that of a milestone. */
const releaseOf = sql.fragment`left join lateral (
  with recursive up (id, type, above, depth) as (
    select i.id, i.type, ${fixedSql(countedWith('i'))}, 1
    union all select r.id, r.type, ${fixedSql(countedWith('r'))}, up.depth + 1 from up join items r on r.id = up.above where up.depth < 100)
  select coalesce((select id from up where type = 'release' limit 1), i.release_id) as id) above on true
  left join items r on r.id = above.id and ${isVisible('r', 'i.rights')}`;

/** An item's requirement: itself, its own, or the one of the nearest task above it. */
const requirementOf = sql.fragment`left join lateral (
  with recursive up (id, requirement_id, parent_item_id, depth) as (
    select i.id, i.requirement_id, i.parent_item_id, 1
    union all select t.id, t.requirement_id, t.parent_item_id, up.depth + 1 from up join items t on t.id = up.parent_item_id
    where up.requirement_id is null and up.depth < 50)
  select coalesce(case when i.type = 'requirement' then i.id end, (select requirement_id from up where requirement_id is not null limit 1)) as id
  ) required on true
  left join items q on q.id = required.id and ${isVisible('q', 'i.rights')}`;

/** An item's goal: itself, its own, or the nearest one of its requirement and those above. Needs `requirementOf`. */
const goalOf = sql.fragment`left join lateral (
  with recursive up (id, goal_id, parent_id, depth) as (
    select r.id, r.goal_id, r.parent_id, 1 from items r where r.id = required.id
    union all select r.id, r.goal_id, r.parent_id, up.depth + 1 from up join items r on r.id = up.parent_id where up.goal_id is null and up.depth < 50)
  select coalesce(case when i.type = 'goal' then i.id end, i.goal_id, (select goal_id from up where goal_id is not null limit 1)) as id) aim on true
  left join items g on g.id = aim.id and ${isVisible('g', 'i.rights')}`;

const by: Record<Grouping, { label: Fragment; itemId: Fragment; workspaceId: Fragment; joins: Fragment; order: Fragment }> = (() => {
  const none = sql.fragment`null::bigint`;
  const largest = sql.fragment`minutes desc, label`;
  const byItem = (alias: 'i' | 'q' | 'g' | 'r', joins: Fragment) => ({
    label: fixedSql(`${alias}.title`),
    itemId: fixedSql(`${alias}.id`),
    workspaceId: fixedSql(`${alias}.workspace_id`),
    joins,
    order: largest,
  });
  const plain = { itemId: none, workspaceId: none, joins: sql.fragment``, order: sql.fragment`label` };
  return {
    item: byItem('i', itemOf),
    person: {
      ...plain,
      label: sql.fragment`u.name`,
      joins: sql.fragment`join users u on u.id = p.user_id`,
      itemId: sql.fragment`u.id`,
      order: largest,
    },
    requirement: byItem('q', sql.fragment`${itemOf} ${requirementOf}`),
    goal: byItem('g', sql.fragment`${itemOf} ${requirementOf} ${goalOf}`),
    release: byItem('r', sql.fragment`${itemOf} ${releaseOf}`),
    type: { ...plain, label: sql.fragment`i.type`, joins: itemOf, order: largest },
    day: { ...plain, label: sql.fragment`p.day::text` },
    week: { ...plain, label: sql.fragment`date_trunc('week', p.day)::date::text` },
    month: { ...plain, label: sql.fragment`to_char(p.day, 'YYYY-MM')` },
  };
})();

const overseen = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id), '[]')
  from access join workspaces w on w.id = access.workspace_id where access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS})`;

/** Throws Unauthenticated; Forbidden for all users' time without oversight. */
export async function readReport(tx: Tx, caller: Caller, asked: ReportQuery, grouping: Grouping): Promise<Report> {
  const { label, itemId, workspaceId, joins, order } = by[grouping];
  const row = await tx.one(sql.type(Report)`
    with ${partsOf(caller, asked)},
    sums as (
      select ${label} as label, ${itemId} as "itemId", ${workspaceId} as "workspaceId", sum(p.minutes)::integer as minutes
      from parts p ${joins} group by 2, 3, 1)
    select exists (select from who) as authenticated, ${asked.workspaceId === 0 ? sql.fragment`true` : sql.fragment`exists (select from scope)`} as "inReach",
           (select coalesce(sum(minutes), 0)::integer from sums) as total, (select count(*)::integer from sums) as count,
           (select json_build_object('labels', coalesce(array_agg(s.label), '{}'), 'itemIds', coalesce(array_agg(s."itemId"), '{}'),
              'workspaceIds', coalesce(array_agg(s."workspaceId"), '{}'), 'minutes', coalesce(array_agg(s.minutes), '{}'))
            from (select * from sums order by ${order} limit ${MOST_GROUPS}) s) as groups,
           ${overseen} as workspaces`);
  if (!row.authenticated) throw new CredentialRefused();
  if (!row.inReach) throw new Forbidden();
  return { total: row.total, groups: row.groups, count: row.count, workspaces: row.workspaces };
}

const Line = z.object({
  day: z.string(),
  person: z.string(),
  /** null if out of reach. */
  workspace: z.string().nullable(),
  itemId: z.number().nullable(),
  title: z.string().nullable(),
  type: z.string().nullable(),
  requirement: z.string().nullable(),
  goal: z.string().nullable(),
  minutes: z.number(),
});
export type Line = z.infer<typeof Line>;

/** Sums by day, user and item, in that order. Returns no notes, because they are private to their authors. */
export function readLines(tx: Tx, caller: Caller, asked: ReportQuery): Promise<readonly Line[]> {
  return tx.any(sql.type(Line)`
    with ${partsOf(caller, asked)}
    select p.day::text, u.name as person, w.name as workspace, i.id as "itemId", i.title, i.type, q.title as requirement, g.title as goal, sum(p.minutes)::integer as minutes
    from parts p join users u on u.id = p.user_id left join workspaces w on w.id = p.workspace_id ${itemOf} ${requirementOf} ${goalOf}
    group by p.day, u.name, u.id, w.name, i.id, i.title, i.type, q.id, q.title, g.id, g.title order by p.day, u.name, u.id, i.id`);
}

/** SQL of earlier versions of entries (behaviour §28.6). */
const MOST = 300;

/** For a statement with `access` and the reader's `parts`: JSON of EarlierEntry, latest first for each entry. */
export const earlierJson = sql.fragment`(
  select coalesce(json_agg(one), '[]') from (
    select v.entry_id as "entryId", v.kind, v.started_at as "startedAt", v.ended_at as "endedAt", v.day as date, v.minutes, v.note,
      v.item_id as "itemId", i.title as "itemTitle", v.reason, v.replaced_at as "replacedAt"
    from (select distinct entry_id as id from parts) own join time_entry_versions v on v.entry_id = own.id
    left join lateral (select i.title from items i join access on ${visibleById} where i.id = v.item_id limit 1) i on true
    order by v.entry_id, v.revision desc limit ${MOST}
  ) one)`;

// SQL of the time recorded on an item and on the work below it (behaviour §21.10).

/** Time on an item, in minutes, without running timers. */
export const ItemTime = z.object({
  /** The reader's time; null if they may not read time. */
  own: z.number().nullable(),
  /** All users' time, if the reader may oversee capacity; otherwise of work with an estimate, whose progress it is (behaviour §6.8). Null if
   *  there is none. */
  all: z.number().nullable(),
  more: z.boolean(),
});
export type ItemTime = z.infer<typeof ItemTime>;

export const RunningTimer = z.object({ userId: z.number(), name: z.string(), startedAt: z.string() });
export type RunningTimer = z.infer<typeof RunningTimer>;

/** For a statement with `access` and `self`: other users' timers on the item that the caller may see and stop, as an owner. */
export const othersTimersJson = (caller: Caller): Fragment => sql.fragment`(
  select coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name, 'startedAt', e.started_at) order by u.name, u.id), '[]')
  from self join time_entries e on e.item_id = self.id and e.minutes is null and e.user_id <> access.user_id join users u on u.id = e.user_id
  where ${ownsTimer(caller)})`;

const MOST_ENTRIES = 5_000;

/** SQL condition: the caller may oversee the recorded time `e` of others (behaviour §42.7). */
export const overseesTime = (caller: Caller): Fragment => mayAtHome(caller, sql.fragment`e.written_in`, overseesBy);

/** JSON of ItemTime, for a statement with `access`, `self` and `below_ids`. Contains sums only, no entries and no users. */
export const itemTimeJson = (caller: Caller): Fragment => sql.fragment`(
  with own as materialized (
    select self.id, self.estimated_hours is not null as estimated from self
    union all
    select b.id, (select one.estimated_hours is not null from items one where one.id = b.id) from below_ids b)
  select json_build_object('own', case when access.rights & ${TIME_READ} <> 0 then coalesce(sum(e.minutes) filter (where e.user_id = access.user_id), 0) end,
    'all', case when ${oversees} or (select bool_or(estimated) from own) then coalesce(sum(e.minutes), 0) end, 'more', count(*) > ${MOST_ENTRIES})
  from (
    select e.user_id, e.minutes from own
    cross join lateral (
      select * from time_entries e where e.item_id = own.id and e.minutes is not null
        and (own.estimated or e.user_id = access.user_id or ${oversees} and ${overseesTime(caller)})
    ) e limit ${MOST_ENTRIES + 1}) e)`;
