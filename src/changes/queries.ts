/** SQL that reads changes for a caller. The item's row decides what the caller may read now, before the limit applies. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo, isReadable, isVisible, reaches, readsGoals } from '../access/queries.ts';
import { bits, COMMENTS_READ, itemTypes, resourceOf, WORKSPACES_READ } from '../access/rights.ts';
import { viaOf } from '../access/via.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { CredentialRefused } from '../values/errors.ts';
import { beginning, Cursor, LAST_ID } from './cursor.ts';
import { changedAtText, inOrderIn, placeJson, settledAfter, settledIn } from './readQueries.ts';
import { ChangedText, ItemChange } from './schema.ts';

const anyType = itemTypes.reduce((all, type) => all | bits(resourceOf(type), 'read'), 0);

export const readsChanges = (rights: number): boolean => (rights & WORKSPACES_READ) !== 0 && (rights & anyType) !== 0;

const links = `'parentId', 'parentItemId', 'requirementId', 'releaseId'`;

const readsItem = (id: Fragment, rights = 'access.rights'): Fragment => sql.fragment`exists (select from items above where above.id = ${id}
          and above.workspace_id = access.workspace_id and ${isVisible('above', rights)})`;

/** Both values of a field `f`, where `value` is the SQL of each as it may be seen. */
const bothOf = (value: Fragment): Fragment => sql.fragment`(
      select jsonb_agg(${value} order by v.place) from jsonb_array_elements(f.value) with ordinality as v (value, place))`;
const linkWith = (rights: string) =>
  sql.fragment`case when ${readsItem(fixedSql(`nullif(v.value, 'null')::bigint`), rights)} then v.value else 'null' end`;
const visibleLink = linkWith('access.rights');
const visibleGoal = linkWith('access.context_rights');
const visibleBlockers = sql.fragment`(select coalesce(jsonb_agg(b.value order by b.place), '[]')
      from jsonb_array_elements(v.value) with ordinality as b (value, place) where ${readsItem(fixedSql(`(b.value ->> 'id')::bigint`))})`;

const visibleWorkspace = (
  caller: Caller,
): Fragment => sql.fragment`case when v.value = 'null' or ${reaches(caller, sql.fragment`v.value::bigint`)}
      then v.value else 'null' end`;

/** Fields of a row `c`: `goalId` only for readers of goals, links and workspaces null and blockers absent if out of sight. Most rows need no
 *  check. For a statement with `access`. */
export const visibleFields = (
  caller: Caller,
) => sql.fragment`case when not c.fields ?| ${fixedSql(`array['goalId', 'blockedBy', 'workspaceId', ${links}]`)} then c.fields else (
  select coalesce(jsonb_object_agg(f.key, seen.value), '{}')
  from jsonb_each(c.fields) f cross join lateral (select case when f.key in (${fixedSql(links)}) then ${bothOf(visibleLink)}
    when f.key = 'goalId' then ${bothOf(visibleGoal)} when f.key = 'blockedBy' then ${bothOf(visibleBlockers)} when f.key = 'workspaceId' then ${bothOf(visibleWorkspace(caller))}
    else f.value end as value) seen
  where (f.key <> 'goalId' or ${readsGoals}) and (f.key <> 'blockedBy' or seen.value -> 0 <> seen.value -> 1)) end`;

const isApproval = fixedSql(`c.kind like 'approval.%'`);
const isOnPage = (caller: Caller): boolean => viaOf(caller) === 'page';

/** The kind of a row `c` for keys, agents and webhooks: only pages show approval steps (behaviour §3.29). */
export const apiKind = sql.fragment`case when ${isApproval} then 'item.updated' else c.kind end`;
const kindFor = (caller: Caller): Fragment => (isOnPage(caller) ? sql.fragment`c.kind` : apiKind);

/** The actor `u` of a row `c`. Null for approvals, except on pages. */
const actorFor = (caller: Caller): Fragment =>
  sql.fragment`case when ${isOnPage(caller)} or not ${isApproval} then json_build_object('id', u.id, 'name', u.name) end`;

/** Pages show all names of keys; a key or an agent sees only its own (behaviour §3.29). Ids of keys and connections overlap. */
function keyNameFor(caller: Caller): Fragment {
  if (isOnPage(caller)) return sql.fragment`c.credential_name`;
  if (caller.kind !== 'key' && caller.kind !== 'agent') return sql.fragment`null`;
  return sql.fragment`case when c.via = ${viaOf(caller)} and c.credential_id = access.credential_id then c.credential_name end`;
}

const comment = fixedSql(`'commentId', c.comment_id`);

/** JSON of a row `c` by the user `u`, for a statement with `access`. `of`: more JSON fields about the item. */
function jsonFor(caller: Caller, of: Fragment): Fragment {
  const own = sql.fragment`'id', c.id, 'at', ${changedAtText}, 'kind', ${kindFor(caller)}${of}, 'version', c.version, 'actor', ${actorFor(caller)},
    'via', c.via, 'keyName', ${keyNameFor(caller)}`;
  return sql.fragment`case when c.comment_id is null then json_build_object(${own}, 'fields', ${visibleFields(caller)})
    else json_build_object(${own}, ${comment}, 'fields', c.fields) end`;
}

export const changeJson = (caller: Caller): Fragment =>
  jsonFor(caller, fixedSql(`, 'itemId', c.item_id, 'type', c.item_type, 'title', c.item_title`));

/** For a statement with `access` and the item `i`: true for the row `c` of its move away, if the caller could read it then. Hidden if the
 *  item came back, because it brings the other row of that move. */
export const hasLeft = fixedSql('i.workspace_id <> access.workspace_id and access.rights & c.left_needs = c.left_needs');
/** The item's title; for an item that moved away, its title at that time. */
export const titleOfChange = fixedSql('coalesce(c.left_title, i.title)');

/** Callers without comments:read get no comment rows. */
const readableComment = sql.fragment`(c.comment_id is null or access.context_rights & ${COMMENTS_READ} <> 0)`;

/** Of an archived item, only its archiving is visible, to callers who could read the item. A move to another workspace is visible to
 *  callers who could read it here (behaviour §42.5). */
export const visibleChange = sql.fragment`case when c.left_needs is null
  then i.workspace_id = access.workspace_id and ${isReadable('i', 'access.rights')} and (i.shown or c.kind = 'item.archived' and c.version = i.version)
  else c.workspace_id = access.workspace_id and ${hasLeft} end and ${readableComment}`;

const latest = (limit: number, until: string | null = null) => sql.fragment`
  select * from changes c where c.item_id = i.id and c.left_needs is null and ${readableComment} and (${until}::timestamptz is null or c.at < ${until}::timestamptz)
  order by c.era desc, c.xact desc, c.id desc limit ${limit}`;

/** The item of a row `c`, as `i`. `limit 1` forces a lookup for each row: a join by workspace would try every item. */
export const itemOfChange = sql.fragment`cross join lateral (select * from items i where i.id = c.item_id limit 1) i`;

/** The actor of a row `c`, as `u`. `limit 1` forces a lookup for each row: a plan made on a small table would join all users. */
export const actorOfChange = sql.fragment`cross join lateral (select * from users u where u.id = c.actor_id limit 1) u`;

const newestFirst = (caller: Caller) =>
  sql.fragment`coalesce(json_agg(${jsonFor(caller, fixedSql(''))} order by c.era desc, c.xact desc, c.id desc), '[]')`;

/** An item's latest changes as JSON, newest first. For a statement with `access` and the visible item `i`. */
export const historyJson = (caller: Caller, limit = 50) => sql.fragment`(
  select ${newestFirst(caller)} from (${latest(limit)}) c ${actorOfChange})`;

/** Like historyJson, as `{changes, people}` with the names of users in the changes. `until`: only older changes. */
export const streamJson = (caller: Caller, limit: number, until: string | null) => sql.fragment`(
  with latest as materialized (${latest(limit, until)})
  select json_build_object(
    'changes', (select ${newestFirst(caller)} from latest c ${actorOfChange}),
    'people', (select coalesce(json_object_agg(u.id, u.name), '{}') from users u where u.account_id = access.account_id and u.id in (
      select (named.id #>> '{}')::bigint from latest l, unnest(array['assigneeId', 'ownerId']) name, jsonb_array_elements(l.fields -> name) as named (id)
      where l.fields ? name))))`;

const keyText = fixedSql(`translate(encode(k.key, 'base64'), e'\\n', '')`);
const cursorKey = sql.fragment`(select ${keyText} from cursor_key k)`;

const Page = z.object({
  rights: z.number(),
  seen: z.boolean(),
  changes: z.string().nullable(),
  place: Cursor.nullable(),
  has_more: z.boolean(),
  key: z.string(),
  valid: z.boolean(),
});

export interface PageWanted {
  workspaceId: number;
  itemId?: number | undefined;
  after: Cursor;
  /** `after` came as plain text. */
  isPlain?: boolean;
  limit: number;
}

/** `limit 1`: without statistics, PostgreSQL expects a thousand rows. */
const keyRow = sql.fragment`(select * from cursor_key limit 1) k`;

/** For a statement with `keyRow`: true for a plain cursor that 1.2.0 may have given before the upgrade (sql/0137). Callers could read the
 *  numbers of transactions up to then in its cursors; later numbers are secret. */
const countsPlain = ({ era, xact, id }: Cursor): Fragment =>
  sql.fragment`(${era}::integer, ${xact}::xid8, ${id}::bigint) <= (k.plain_era, k.plain_xact, 0)`;

/** `seen`: the requested item is visible. */
const placeOf = (itemId: number | undefined) => {
  if (itemId === undefined) return { place: 'workspace_id', asked: sql.fragment`access.workspace_id`, seen: sql.fragment`true` } as const;
  const asked = sql.fragment`${itemId}::bigint`;
  return { place: 'item_id', asked, seen: readsItem(asked) } as const;
};

/** JSON without the brackets. `place`: of the last row; if no more follow, of the newest row of all, so that the next page does not read the
 *  hidden ones again; null if there is none. `key`: seals it. `seen`: the requested item is visible. `valid`: false for a plain
 *  cursor that was made up, which gets no rows. Throws Unauthenticated. */
export async function readPage(tx: Tx, caller: Caller, { workspaceId, itemId, after, isPlain = false, limit }: PageWanted) {
  const { place, asked, seen } = placeOf(itemId);
  const valid = isPlain ? countsPlain(after) : sql.fragment`true`;
  const row = await tx.maybeOne(sql.type(Page)`
    with ${accessTo(caller, workspaceId)}
    select access.rights, ${seen} as seen, found.changes, coalesce(found.has_more, false) as has_more, ${keyText} as key, ${valid} as valid,
      case when found.has_more then found.last else (
        select ${placeJson} from changes c where ${settledAfter(after)} order by c.era desc, c.xact desc, c.id desc limit 1) end as place
    from access cross join ${keyRow} left join lateral (
      select string_agg((${changeJson(caller)})::text, ',' order by c.place) filter (where c.place <= ${limit}) as changes,
             json_agg(${placeJson} order by c.place) filter (where c.place <= ${limit}) -> -1 as last,
             count(*) > ${limit} as has_more
      from (
        select c.*, i.type as item_type, ${titleOfChange} as item_title, row_number() over (order by ${inOrderIn[place]}) as place
        from changes c ${itemOfChange}
        where ${settledIn(place, asked, after)} and ${visibleChange} and ${valid}
        order by ${inOrderIn[place]} limit ${limit + 1}
      ) c ${actorOfChange}
    ) found on true`);
  if (!row) throw new CredentialRefused();
  return row;
}

const CursorKey = z.object({ key: z.string() });

/** The key of sealed cursors in base64 (sql/0132). */
export const readCursorKey = (tx: Tx): Promise<string> => tx.oneFirst(sql.type(CursorKey)`select ${cursorKey} as key`);

const Latest = Cursor.extend({ rights: z.number(), seen: z.boolean(), key: z.string() });

/** Cursor at the newest row of all, visible or not, and the key to seal it: after a crash PostgreSQL may reuse numbers of transactions without rows. Throws Unauthenticated. */
export async function readEnd(tx: Tx, caller: Caller, { workspaceId, itemId }: Pick<PageWanted, 'workspaceId' | 'itemId'>) {
  const row = await tx.maybeOne(sql.type(Latest)`
    with ${accessTo(caller, workspaceId)}
    select access.rights, coalesce(newest.era, 0)::text as era, coalesce(newest.xact::text, '0') as xact,
      case when newest.era is null then '0' else ${LAST_ID} end as id,
      ${placeOf(itemId).seen} as seen, ${cursorKey} as key
    from access left join lateral (
      select c.era, c.xact from changes c where ${settledAfter(beginning)} order by c.era desc, c.xact desc, c.id desc limit 1
    ) newest on true`);
  if (!row) throw new CredentialRefused();
  return row;
}

const Texts = z.object({ change: ItemChange.nullable(), texts: z.array(ChangedText).nullable() });

/** A text after the change is the `before` of its next change, else the current text. Throws Unauthenticated. */
export async function readTexts(tx: Tx, caller: Caller, workspaceId: number, itemId: number, changeId: number) {
  const row = await tx.maybeOne(sql.type(Texts)`
    with ${accessTo(caller, workspaceId)}
    select case when c.id is not null then ${jsonFor(caller, fixedSql(''))} end as change, (
      select json_agg(json_build_object('name', t.name, 'before', coalesce(t.before, ''), 'after', coalesce(
        case when later.id is null then case t.name when 'description' then i.description else i.acceptance end else later.before end, '')) order by t.name desc)
      from change_texts t left join lateral (
        select next.id, t2.before from changes next join change_texts t2 on t2.change_id = next.id and t2.name = t.name
        where next.item_id = c.item_id and next.version > c.version order by next.version limit 1
      ) later on true
      where t.change_id = c.id and t.name <> 'body') as texts
    from access
    left join items i on i.id = ${itemId} and i.workspace_id = access.workspace_id and ${isVisible('i', 'access.rights')}
    left join changes c on c.id = ${changeId} and c.item_id = i.id
    left join users u on u.id = c.actor_id`);
  if (!row) throw new CredentialRefused();
  return row;
}
