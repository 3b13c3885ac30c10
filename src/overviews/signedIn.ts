/** The user of a session, and the frame around every page. Its cost does not grow with the number of items or workspaces (behaviour §18.7). */
import { z } from 'zod';
import { commentsAllow } from '../access/accountAccessQueries.ts';
import { isVisible, validSession } from '../access/queries.ts';
import { CAPACITY_RIGHTS, itemTypes, possibleNeeds } from '../access/rights.ts';
import { accountRoles, themes } from '../accounts/schema.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { decisions } from '../items/approvalQueries.ts';
import { seesForecasts } from '../items/forecastQueries.ts';
import { Star } from '../items/starSchema.ts';
import { isShownWithoutItem, isSnoozed } from '../notifications/queries.ts';
import type { Read } from '../operations/operation.ts';
import { isHeldByDatabase } from '../queue/queueQueries.ts';
import { StoredInstant } from '../values/dates.ts';
import { BoardLayouts } from '../workspaces/viewSchema.ts';

/** Limits for counting open items of a type: in the sidebar, and on pages about these items. */
export const MOST_IN_BADGE = 99;
export const MOST_COUNTED = 1_000;
const MOST_WORKSPACES = 20;
const MOST_VIEWS = 10;

export const OpenItems = z.partialRecord(z.enum(itemTypes), z.number());

const FrameWorkspace = z.object({
  id: z.number(),
  name: z.string(),
  role: z.string(),
  rights: z.number(),
  /** Only types that the user may read. MOST_IN_BADGE + 1 means that there are more. */
  open: OpenItems,
  views: z.array(z.object({ id: z.number(), name: z.string(), query: z.string() })),
  /** Only of the page's workspace. */
  boards: BoardLayouts.nullable(),
});
export type FrameWorkspace = z.infer<typeof FrameWorkspace>;

const FrameStar = Star.extend({
  name: z.string(),
  /** The type of an item, the query of a view. */
  type: z.enum(itemTypes).nullable(),
  query: z.string().nullable(),
});
export type FrameStar = z.infer<typeof FrameStar>;

const RecentItem = z.object({ id: z.number(), workspaceId: z.number(), workspace: z.string(), type: z.enum(itemTypes), title: z.string() });
export type RecentItem = z.infer<typeof RecentItem>;

const FrameTimer = z.object({
  entryId: z.number(),
  revision: z.number(),
  startedAt: StoredInstant,
  note: z.string(),
  /** Null out of reach. */
  workspaceId: z.number().nullable(),
  workspace: z.string().nullable(),
  itemId: z.number(),
  /** Null: the user can't see the item any more. */
  title: z.string().nullable(),
});
export type FrameTimer = z.infer<typeof FrameTimer>;

export const FrameData = z.object({
  account: z.string(),
  workspaces: z.array(FrameWorkspace),
  moreWorkspaces: z.boolean(),
  /** Oldest first. */
  stars: z.array(FrameStar),
  /** The last opened items, newest first. */
  recent: z.array(RecentItem),
  oversees: z.boolean(),
  timer: FrameTimer.nullable(),
  /** Recorded minutes of the UTC day and of the week from Monday, without the running timer. */
  todayMinutes: z.number(),
  weekMinutes: z.number(),
  weeklyMinutes: z.number().nullable(),
  outboundHeld: z.boolean(),
  /** Approval requests that wait for the user, at most MOST_IN_BADGE + 1. */
  decisions: z.number(),
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
  select w.id, w.name, m.role, m.rights, m.board_layouts from memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null
  where m.user_id = u.id)`;

const workspaces = (current: number) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'role', w.role, 'rights', w.rights, 'open', ${openItems(MOST_IN_BADGE)},
                                             'views', ${views(current)}, 'boards', case when w.id = ${current} then w.board_layouts end) order by lower(w.name), w.id), '[]')
  from (select * from mine order by id = ${current} desc, lower(name), id limit ${MOST_WORKSPACES}) w)`;

const stars = sql.fragment`(
  select coalesce(json_agg(json_build_object('workspaceId', s.workspace_id, 'kind', case when i.id is not null then 'item' when v.id is not null then 'view' else 'workspace' end,
    'id', coalesce(i.id, v.id, w.id), 'name', coalesce(i.title, v.name, w.name), 'type', i.type, 'query', v.query) order by s.created_at, i.id, v.id), '[]')
  from stars s join mine w on w.id = s.workspace_id
  left join items i on i.id = s.item_id and i.workspace_id = w.id and ${isVisible('i', 'w.rights')}
  left join views v on v.id = s.view_id and v.workspace_id = w.id and (v.user_id = u.id or v.shared)
  where s.user_id = u.id and i.id is not distinct from s.item_id and v.id is not distinct from s.view_id)`;

const recent = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', i.id, 'workspaceId', w.id, 'workspace', w.name, 'type', i.type, 'title', i.title) order by o.n), '[]')
  from recent_items r cross join lateral unnest(r.item_ids) with ordinality o (id, n)
  join items i on i.id = o.id join mine w on w.id = i.workspace_id and ${isVisible('i', 'w.rights')}
  where r.user_id = u.id)`;

export const timer = sql.fragment`(
  select json_build_object('entryId', e.id, 'revision', e.revision, 'startedAt', e.started_at, 'note', e.note,
    'workspaceId', w.id, 'workspace', w.name, 'itemId', e.item_id, 'title', i.title)
  from time_entries e
  left join (memberships m join workspaces w on w.id = m.workspace_id and w.archived_at is null)
    on m.user_id = e.user_id and m.workspace_id = e.workspace_id
  left join items i on i.id = e.item_id and i.workspace_id = w.id and ${isVisible('i', 'm.rights')}
  where e.user_id = u.id and e.minutes is null)`;

const [today, monday] = [fixedSql(`(now() at time zone 'UTC')::date`), fixedSql(`date_trunc('week', now() at time zone 'UTC')::date`)];

const recorded = sql.fragment`(
  select coalesce(sum(p.minutes), 0) as week, coalesce(sum(p.minutes) filter (where p.day >= ${today}), 0) as today
  from time_parts p where p.user_id = u.id and p.day >= ${monday})`;

const firstSteps = sql.fragment`case when u.account_role = 'owner' and not u.first_steps_done then json_build_object(
  'workspace', exists (select from workspaces w where w.account_id = u.account_id and w.archived_at is null),
  'people', exists (select from users o where o.account_id = u.account_id and o.id <> u.id and o.kind = 'person'),
  'agent', exists (select from connections c where c.user_id = u.id and c.revoked_at is null)) end`;

const waiting = sql.fragment`(
  with access as (select u.id as user_id, mine.id as workspace_id, mine.role, mine.rights from mine)
  select count(*) from (${decisions(MOST_IN_BADGE + 1)}) d)`;

/** Column for a statement over users `u`. `current`: id of the page's workspace, 0 for none. */
const frameJson = (current: number) => sql.fragment`(
  with ${mine}
  select json_build_object(
    'account', (select a.name from accounts a where a.id = u.account_id),
    'workspaces', ${workspaces(current)},
    'moreWorkspaces', (select count(*) > ${MOST_WORKSPACES} from mine),
    'stars', ${stars},
    'recent', ${recent},
    'oversees', exists (select from mine where rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS}),
    'timer', ${timer},
    'todayMinutes', recorded.today,
    'weekMinutes', recorded.week,
    'weeklyMinutes', available_minutes(u.id, ${monday}),
    'outboundHeld', ${isHeldByDatabase},
    'decisions', ${waiting},
    'firstSteps', ${firstSteps})
  from ${recorded} recorded)`;

const CONFIRMED = sql.fragment`interval '10 minutes'`;

const SessionUser = z.object({
  id: z.number(),
  accountId: z.number(),
  name: z.string(),
  email: z.string(),
  accountRole: z.enum(accountRoles),
  timezone: z.string(),
  theme: z.enum(themes),
  /** Keyboard shortcuts without a modifier are on. */
  singleKeys: z.boolean(),
  zoneChosen: z.boolean(),
  confirmed: z.boolean(),
  /** Unread notifications that the user may see, at most 100, and the newest id of them, 0 for none. */
  unread: z.number(),
  newestUnread: z.number(),
  /** Position in the changes that the page shows. Null: no page is shown. */
  place: z.object({ era: z.string(), xact: z.string(), id: z.string() }).nullable(),
  frame: FrameData.nullable(),
});
export type SignedIn = z.infer<typeof SessionUser>;

/** Unread notifications of a user `u` that they may see, among the latest 200: every page runs this. See notifications/queries.ts. */
export const visibleUnread = sql.fragment`(select count(*) as unread, coalesce(max(shown.id), 0) as newest from (
  select n.id from (select * from notifications n where n.user_id = u.id and n.read_at is null and not ${isSnoozed} order by n.id desc limit 200) n
  where ${isShownWithoutItem} or exists (
    select from unnest(case when n.kind = 'outlook_week' then array(select (e.value ->> 'itemId')::bigint from json_array_elements(n.told) e)
      else array[n.item_id] end) told (id)
    join items i on i.id = told.id join memberships m on m.user_id = u.id and m.workspace_id = i.workspace_id
    join workspaces w on w.id = i.workspace_id and w.archived_at is null
    where ${isVisible('i', 'm.rights')} and ${commentsAllow('n.kind', 'm.rights')}
      and (n.kind not in ('outlook', 'outlook_week') or ${seesForecasts(sql.fragment`m.rights`, sql.fragment`m.workspace_id`)}))
  limit 100) shown)`;
const untold = sql.fragment`(select 0 as unread, 0 as newest)`;
const herePlace = fixedSql(
  `json_build_object('era', change_era()::text, 'xact', pg_snapshot_xmin(pg_current_snapshot())::text, 'id', '0')`,
);

/** The user of a valid session, else null. */
function readSession(tx: Tx, tokenHash: Buffer, showing: number | null): Promise<SignedIn | null> {
  const none = sql.fragment`null::json`;
  const [told, frame, place] = showing === null ? [untold, none, none] : [visibleUnread, frameJson(showing), herePlace];
  return tx.maybeOne(sql.type(SessionUser)`
    select u.id, u.account_id as "accountId", u.name, u.email, u.account_role as "accountRole", u.timezone, u.theme,
           u.single_keys as "singleKeys", u.zone_chosen as "zoneChosen",
           coalesce(s.confirmed_at, s.created_at) > now() - ${CONFIRMED} as confirmed,
           told.unread, told.newest as "newestUnread", ${frame} as frame, ${place} as place
    from sessions s join users u on u.id = s.user_id and u.active cross join lateral ${told} told
    where s.token_hash = ${sql.binary(tokenHash)} and ${validSession}`);
}

/** `showing`: id of the page's workspace, 0 for none. Null: no page is shown, so no frame is read. */
const Showing = z.strictObject({ showing: z.number().nullable() });

export const getSignedIn: Read<z.infer<typeof Showing>, SignedIn | null> = {
  name: 'getSignedIn',
  input: Showing,
  run: async (tx, caller, { showing }) => (caller.kind === 'session' ? readSession(tx, caller.hash, showing) : null),
};
