/** SQL for the frame around every page. Its cost does not grow with the number of items or workspaces (behaviour §18.7). */
import { z } from 'zod';
import { bits, CAPACITY_RIGHTS, itemTypes, possibleNeeds } from '../access/rights.ts';
import { fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { heldByDatabase } from '../queue/outboundQueries.ts';
import { StoredInstant } from '../values/dates.ts';

/** Limits for counting open items of a type: in the sidebar, and on pages about these items. */
export const MOST_BESIDE = 99;
export const MOST_COUNTED = 1_000;
const MOST_WORKSPACES = 20;
const MOST_VIEWS = 10;
const TIME_READ = bits('time', 'read');

export const OpenItems = z.partialRecord(z.enum(itemTypes), z.number());

const FrameWorkspace = z.object({
  id: z.number(),
  name: z.string(),
  role: z.string(),
  rights: z.number(),
  /** Only types that the user may read. MOST_BESIDE + 1 means that there are more. */
  open: OpenItems,
  views: z.array(z.object({ id: z.number(), name: z.string(), query: z.string() })),
});
export type FrameWorkspace = z.infer<typeof FrameWorkspace>;

const FrameTimer = z.object({
  entryId: z.number(),
  revision: z.number(),
  startedAt: StoredInstant,
  note: z.string(),
  workspaceId: z.number(),
  workspace: z.string(),
  itemId: z.number(),
  /** Null: the user can't see the item any more. */
  title: z.string().nullable(),
});
export type FrameTimer = z.infer<typeof FrameTimer>;

export const FrameData = z.object({
  account: z.string(),
  workspaces: z.array(FrameWorkspace),
  moreWorkspaces: z.boolean(),
  oversees: z.boolean(),
  timer: FrameTimer.nullable(),
  /** Recorded minutes of the UTC day and of the week from Monday, without the running timer. */
  todayMinutes: z.number(),
  weekMinutes: z.number(),
  weeklyMinutes: z.number().nullable(),
  outboundHeld: z.boolean(),
  /** Finished setup steps of a new account. Null for other users, or if done or dismissed. */
  firstSteps: z.object({ workspace: z.boolean(), people: z.boolean(), agent: z.boolean() }).nullable(),
});
export type FrameData = z.infer<typeof FrameData>;

const types = fixedSql(
  `(values ${itemTypes.map((type) => `('${type}', array[${possibleNeeds(type).join(', ')}])`).join(', ')}) as t (type, sets)`,
);

/** Open items by type of a workspace `w (id, rights)`. Keep the order of the index items_work, so each type is one index scan. */
export const openItems = (most: number) => sql.fragment`(
  select coalesce(json_object_agg(t.type, seen.found), '{}')
  from ${types} cross join lateral (
    select count(*) as found from (
      select from items i where i.workspace_id = w.id and not i.closed and i.shown
        and i.needs = any(array(select n.needs from unnest(t.sets) n (needs) where n.needs & w.rights = n.needs))
      order by i.workspace_id, i.needs, i.closed, i.id limit ${most + 1}
    ) counted
  ) seen
  where t.sets[1] & w.rights = t.sets[1])`;

const views = (current: number) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'query', v.query) order by not v.own, lower(v.name), v.id), '[]')
  from (
    select v.id, v.name, v.query, v.user_id = u.id as own from views v
    where v.workspace_id = w.id and w.id = ${current} and (v.user_id = u.id or v.shared) order by 4 desc, v.id limit ${MOST_VIEWS}
  ) v)`;

const mine = sql.fragment`mine as materialized (
  select w.id, w.name, m.role, m.rights from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
  where m.user_id = u.id)`;

const workspaces = (current: number) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'role', w.role, 'rights', w.rights, 'open', ${openItems(MOST_BESIDE)},
                                             'views', ${views(current)}) order by lower(w.name), w.id), '[]')
  from (select * from mine order by id = ${current} desc, lower(name), id limit ${MOST_WORKSPACES}) w)`;

export const timer = sql.fragment`(
  select json_build_object('entryId', e.id, 'revision', e.revision, 'startedAt', e.started_at, 'note', e.note,
    'workspaceId', w.id, 'workspace', w.name, 'itemId', e.item_id, 'title', i.title)
  from time_entries e
  join memberships m on m.user_id = e.user_id and m.workspace_id = e.workspace_id and m.rights & ${TIME_READ} <> 0
  join workspaces w on w.id = e.workspace_id and w.archived_at is null
  left join items i on i.id = e.item_id and i.workspace_id = w.id and i.shown and i.needs & m.rights = i.needs
  where e.user_id = u.id and e.minutes is null)`;

const [today, monday] = [fixedSql(`(now() at time zone 'UTC')::date`), fixedSql(`date_trunc('week', now() at time zone 'UTC')::date`)];

const recorded = sql.fragment`(
  select coalesce(sum(p.minutes), 0) as week, coalesce(sum(p.minutes) filter (where p.day >= ${today}), 0) as today
  from time_parts p where p.user_id = u.id and p.day >= ${monday} and p.workspace_id in (select id from mine where rights & ${TIME_READ} <> 0))`;

const firstSteps = sql.fragment`case when u.account_role = 'owner' and not u.first_steps_done then json_build_object(
  'workspace', exists (select from workspaces w where w.account_id = u.account_id and w.archived_at is null),
  'people', exists (select from users o where o.account_id = u.account_id and o.id <> u.id and o.kind = 'person'),
  'agent', exists (select from connections c where c.user_id = u.id and c.revoked_at is null)) end`;

/** Column for a statement over users `u`. `current`: id of the page's workspace, 0 for none. */
export const frameJson = (current: number) => sql.fragment`(
  with ${mine}
  select json_build_object(
    'account', (select a.name from accounts a where a.id = u.account_id),
    'workspaces', ${workspaces(current)},
    'moreWorkspaces', (select count(*) > ${MOST_WORKSPACES} from mine),
    'oversees', exists (select from mine where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}),
    'timer', ${timer},
    'todayMinutes', recorded.today,
    'weekMinutes', recorded.week,
    'weeklyMinutes', u.weekly_minutes,
    'outboundHeld', ${heldByDatabase},
    'firstSteps', ${firstSteps})
  from ${recorded} recorded)`;
