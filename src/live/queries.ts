/** SQL of messages to open pages. One statement checks the current rights of all users before anything is sent. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll, isReadable, isVisible, validSession } from '../access/queries.ts';
import { COMMENTS_READ } from '../access/rights.ts';
import { Cursor } from '../changes/cursor.ts';
import { hasLeft, itemOfChange, visibleChange } from '../changes/queries.ts';
import { inOrderIn, settledIn } from '../changes/readQueries.ts';
import { fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { timer, visibleUnread } from '../overviews/signedIn.ts';

export const CHANNEL = 'live';

const Own = z.object({
  timer: z.object({ entryId: z.number(), revision: z.number() }).nullable(),
  unread: z.number(),
  newestUnread: z.number(),
});
export type OwnState = z.infer<typeof Own>;

const ownJson = sql.fragment`json_build_object('timer', ${timer}, 'unread', told.unread, 'newestUnread', told.newest)`;

/** Sessions with streams and their users. Results refer to them by index. */
export interface Connected {
  sessions: number[];
  users: number[];
}

/** FROM clause: connected users whose session is valid, with the aliases `p (session_id, user_id, n)`, `s` and `u`. */
const standing = ({ sessions, users }: Connected) => sql.fragment`
  unnest(${sql.array(sessions, 'int8')}, ${sql.array(users, 'int8')}) with ordinality as p (session_id, user_id, n)
  join sessions s on s.id = p.session_id and ${validSession}
  join users u on u.id = s.user_id and u.id = p.user_id and u.active`;

const Since = z.object({ own: Own, changed: z.boolean(), place: Cursor });

/** `changed`: the user may see a change after `since`, in any of their workspaces. Null without a valid session. */
export function readSince(tx: Tx, caller: Caller, since: Cursor): Promise<z.infer<typeof Since> | null> {
  return tx.maybeOne(sql.type(Since)`
    with ${accessToAll(caller)}
    select ${ownJson} as own,
      coalesce((
        select true from access cross join lateral (
          select c.id from changes c ${itemOfChange}
          where ${settledIn('workspace_id', sql.fragment`access.workspace_id`, since)} and ${visibleChange}
          order by ${inOrderIn.workspace_id} limit 1
        ) one limit 1), false) as changed,
      json_build_object('era', change_era()::text, 'xact', pg_snapshot_xmin(pg_current_snapshot())::text, 'id', '0') as place
    from who join users u on u.id = who.user_id cross join lateral ${visibleUnread} told`);
}

const Seen = z.object({
  workspaceId: z.number(),
  rights: z.number(),
  itemId: z.number(),
  /** Items above it. Users who see it see them too. */
  above: z.array(z.number()),
  of: z.array(z.number()),
  /** Users who changed it, and whether they did so only on pages. */
  actors: z.array(z.number()),
  pages: z.boolean(),
});
export type ReachableChange = z.infer<typeof Seen>;

const Reach = z.object({
  members: z.array(z.object({ workspaceId: z.number(), rights: z.number(), who: z.array(z.number()) })),
  seen: z.array(Seen),
});
export type Reach = z.infer<typeof Reach>;

export interface ChangeRange {
  after: Cursor;
  upTo: Cursor;
}

const place = ({ era, xact, id }: Cursor) => sql.fragment`(${era}::integer, ${xact}::xid8, ${id}::bigint)`;

/** For a range of changes: the connected members of its workspaces, and what their rights allow them to see. */
export function readReach(tx: Tx, { after, upTo }: ChangeRange, connected: Connected): Promise<Reach> {
  return tx.one(sql.type(Reach)`
    with touched as materialized (
      select c.workspace_id, c.item_id, bool_or(c.comment_id is null) as changed,
        max(c.version) filter (where c.kind = 'item.archived') as archived_version, max(c.left_needs) as left_needs,
        array_agg(distinct c.actor_id) as actors, bool_and(c.via = 'page') as pages,
        array_agg(distinct c.actor_id) filter (where c.comment_id is null) as changers,
        bool_and(c.via = 'page') filter (where c.comment_id is null) as changed_on_pages
      from changes c where (c.era, c.xact, c.id) > ${place(after)} and (c.era, c.xact, c.id) <= ${place(upTo)}
      group by c.workspace_id, c.item_id
    ),
    members as materialized (
      select p.n, m.workspace_id, m.rights from ${standing(connected)}
      join memberships m on m.user_id = p.user_id and m.workspace_id = any (array(select distinct workspace_id from touched))
      join workspaces w on w.id = m.workspace_id and w.archived_at is null
    ),
    ways as materialized (select workspace_id, rights, json_agg(n - 1) as who from members group by workspace_id, rights)
    select
      (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'rights', rights, 'who', who)), '[]') from ways) as members,
      (select coalesce(json_agg(json_build_object('workspaceId', access.workspace_id, 'rights', access.rights, 'itemId', i.id,
          'above', case when i.workspace_id = access.workspace_id
            then array_remove(array[i.parent_id, i.parent_item_id, i.requirement_id, i.release_id], null) else '{}' end,
          'of', case when i.workspace_id = access.workspace_id then array_remove(array[i.assignee_id, i.owner_id], null) else '{}' end,
          'actors', case when access.rights & ${COMMENTS_READ} <> 0 then c.actors else c.changers end,
          'pages', case when access.rights & ${COMMENTS_READ} <> 0 then c.pages else c.changed_on_pages end)), '[]')
        from ways access join touched c on c.workspace_id = access.workspace_id ${itemOfChange}
        where (i.workspace_id = access.workspace_id and ${isReadable('i', 'access.rights')} and (i.shown or c.archived_version = i.version)
            or ${hasLeft})
          and (c.changed or access.rights & ${COMMENTS_READ} <> 0)) as seen`);
}

const FilesSeen = z.object({ n: z.number(), workspaceId: z.number(), itemId: z.number() });

/** For items whose files changed: the connected users who see them. */
export function readFileReach(tx: Tx, items: readonly number[], connected: Connected): Promise<readonly z.infer<typeof FilesSeen>[]> {
  const ids = sql.array([...items], 'int8');
  return tx.any(sql.type(FilesSeen)`
    select (access.n - 1)::integer as n, i.workspace_id as "workspaceId", i.id as "itemId"
    from (
      select p.n, m.workspace_id, m.rights from ${standing(connected)}
      join memberships m on m.user_id = p.user_id and m.workspace_id = any (array(select workspace_id from items where id = any(${ids})))
      join workspaces w on w.id = m.workspace_id and w.archived_at is null
    ) access
    join items i on i.id = any(${ids}) and i.workspace_id = access.workspace_id and ${isVisible('i', 'access.rights')}
    order by i.id`);
}

const Placed = z.object({ n: z.number() });

export function readValidStreams(tx: Tx, connected: Connected): Promise<readonly number[]> {
  return tx.anyFirst(sql.type(Placed)`select (p.n - 1)::integer as n from ${standing(connected)}`);
}

const Around = z.object({ n: z.number(), own: Own });

export function readOwn(tx: Tx, connected: Connected): Promise<readonly z.infer<typeof Around>[]> {
  return tx.any(sql.type(Around)`
    select (p.n - 1)::integer as n, ${ownJson} as own from ${standing(connected)} cross join lateral ${visibleUnread} told`);
}

/** Notifies all web processes of this database after the commit. */
export async function notifyPages(tx: Tx, payload: string): Promise<void> {
  await tx.query(sql.unsafe`select pg_notify(${fixedSql(`'${CHANNEL}'`)}, ${payload})`);
}
