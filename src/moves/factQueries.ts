/** SQL of the facts for a move: the items, the items linked to them, and the other workspace (behaviour §42). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, accessToAll, isReadable, isVisible, permitOf } from '../access/queries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { approves } from '../items/approvalQueries.ts';
import { seesTimer } from '../items/archiveQueries.ts';
import { fields, linkNames } from '../items/fields.ts';
import { sourceKey } from '../items/sourceKey.ts';
import { overseesTime } from '../time/reportQueries.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { inPieces } from '../values/pieces.ts';
import {
  type BothWorkspaces,
  MOST_MOVED,
  type MoveFacts,
  type MoveInput,
  Moving,
  Outside,
  ReachedWorkspace,
  Staying,
  StoredFacts,
  TargetWorkspace,
  Tie,
} from './schema.ts';

const linkColumns = linkNames.map((name) => fields[name].column);

/** Ids of the items directly below the row `up`, whether the caller can see them or not, by one index for each link. */
const below = fixedSql(linkColumns.map((column) => `select i.id from items i where i.${column} = up.id`).join(' union all '));

/** CTEs for a statement with `access`. `roots`: the visible ones of the given items. `inside`: all items that move. `linked`: items that
 *  stay and are linked below those or blocked by them. The last two have MOST_MOVED + 1 rows if there are more than MOST_MOVED. */
const setCtes = ({ ids, below: takesBelow }: MoveInput): Fragment => sql.fragment`
    roots as materialized (select i.id from items i, access where i.id = any(${sql.array(ids, 'int8')}) and ${visibleById}),
    inside as materialized (
      with recursive up (id) as (
        select id from roots union select child.id from up cross join lateral (${below}) child where ${takesBelow}
      )
      select id from up limit ${MOST_MOVED + 1}
    ),
    linked as materialized (
      select distinct found.id from (
        select child.id from inside up cross join lateral (${below}) child
        union all select d.item_id from inside up join item_dependencies d on d.blocker_id = up.id
      ) found where not exists (select from inside own where own.id = found.id) limit ${MOST_MOVED + 1}
    ),
    moving as materialized (select i.* from inside cross join lateral (select * from items one where one.id = inside.id limit 1) i),
    staying as materialized (select i.* from linked cross join lateral (select * from items one where one.id = linked.id limit 1) i)`;

/** Also true for an item that the caller could read before it was archived. */
const readable = isReadable('i', 'access.rights');

const touched = sql.fragment`'id', i.id, 'type', i.type, 'title', i.title, 'version', i.version, 'readable', ${readable},
  'links', json_build_object(${fixedSql(linkNames.map((name) => `'${name}', i.${fields[name].column}`).join(', '))}),
  'blockedBy', (select '[' || coalesce(string_agg(d.blocker_id || ',' || d.lag_days, ',' order by d.blocker_id), '') || ']'
    from item_dependencies d where d.item_id = i.id)::json`;

const movingJson = (targetId: number): Fragment => sql.fragment`(
  select coalesce(json_agg(json_build_object(${touched}, 'archived', not i.shown, 'needs', i.needs, 'status', i.status,
    'statusKey', i.status_key, 'statusLabel', s.label, 'priorityKey', i.priority_key, 'priorityLabel', p.label,
    'ownerId', i.owner_id, 'assigneeId', i.assignee_id, 'commented', exists (select from comments c where c.item_id = i.id),
    'labels', (select coalesce(json_agg(json_build_object('name', l.name, 'target', (
          select t.id from labels t where t.workspace_id = ${targetId} and lower(t.name) = lower(l.name) and t.merged_into is null
            and t.archived_at is null)) order by lower(l.name), l.id), '[]')
        from item_labels o cross join lateral (select * from labels one where one.id = o.label_id limit 1) l where o.item_id = i.id),
    'takenKey', (select ${sourceKey} from imported_items k where k.item_id = i.id and exists (
        select from imported_items t cross join lateral (select * from items one where one.id = t.item_id limit 1) other
        where t.workspace_id = ${targetId} and t.source = k.source and t.key = ${sourceKey}
          and ${isReadable('other', sql.fragment`(select target.rights from target)`)})))::text order by i.id), '[]')
  from moving i join statuses s on s.workspace_id = i.workspace_id and s.key = i.status_key
    left join priorities p on p.workspace_id = i.workspace_id and p.key = i.priority_key)`;

const stayingJson = sql.fragment`(select coalesce(json_agg(json_build_object(${touched})::text order by i.id), '[]') from staying i)`;

/** Archived items are absent here: only visible ones are named. */
const outsideJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('id', i.id, 'title', i.title)::text order by i.id), '[]')
  from (
    select link.id from moving m cross join lateral unnest(array[${fixedSql(linkColumns.map((column) => `m.${column}`).join(', '))}]) link (id)
    union select d.blocker_id from moving m join item_dependencies d on d.item_id = m.id
  ) link cross join lateral (select * from items one where one.id = link.id limit 1) i
  where ${isVisible('i', sql.fragment`case when i.type = 'goal' then access.context_rights else access.rights end`)}
    and not exists (select from inside own where own.id = i.id))`;

/** CTE `ties`, for a statement with `access` and `inside`. */
const tiesCte = (caller: Caller): Fragment => sql.fragment`
    ties as materialized (
      select e.kind, e.item_id, e.user_id,
          bool_or(e.user_id = access.user_id or case e.kind when 'timer' then ${seesTimer(caller)} else ${overseesTime(caller)} end) as seen
        from access, (
          select distinct case when e.minutes is null then 'timer' else 'time' end as kind, e.item_id, e.user_id, e.written_in
          from inside join time_entries e on e.item_id = inside.id
        ) e group by 1, 2, 3
      union select 'block', b.item_id, b.user_id, true from inside join plan_blocks b on b.item_id = inside.id
        where b.state in ('scheduled', 'running') and b.ends_at > now()
      union select 'watch', h.item_id, h.user_id, true from inside join item_watches h on h.item_id = inside.id where h.watching
      union select 'series', r.item_id, r.user_id, true from inside join recurrences r on r.item_id = inside.id where r.state = 'active'
    )`;

const tiesJson = sql.fragment`(
  select coalesce(json_agg(json_build_object('kind', e.kind, 'itemId', e.item_id, 'seen', e.seen, 'userIds', e.user_ids)::text
    order by e.kind, e.item_id, e.seen), '[]')
  from (select kind, item_id, seen, json_agg(user_id order by user_id) as user_ids from ties group by 1, 2, 3) e)`;

const peopleJson = (targetId: number): Fragment => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'rights', coalesce(m.rights, 0)) order by u.id), '[]')
  from (select user_id as id from ties union select owner_id from moving union select assignee_id from moving) one
  join users u on u.id = one.id left join memberships m on m.user_id = u.id and m.workspace_id = ${targetId} and u.active)`;

const Row = AccessRow.extend({
  source_name: z.string().nullable(),
  target: TargetWorkspace.nullable(),
  roots: z.number(),
  facts: StoredFacts,
});

/** Of items with up to 50 dependencies or 500 watchers each. */
const PIECE = 20;
const PIECE_OF_TITLES = 500;

const partsOf = <Part>(schema: z.ZodType<Part>, texts: readonly string[], piece = PIECE): Promise<Part[]> =>
  inPieces(texts, (text) => schema.parse(JSON.parse(text)), piece);

async function factsFrom(stored: z.infer<typeof StoredFacts>): Promise<MoveFacts> {
  return {
    ...stored,
    moving: await partsOf(Moving, stored.moving),
    staying: await partsOf(Staying, stored.staying),
    outside: await partsOf(Outside, stored.outside, PIECE_OF_TITLES),
    ties: await partsOf(Tie, stored.ties),
  };
}

/** Throws Unauthenticated; Forbidden unless the caller reaches both workspaces and sees all given items. */
export async function readMove(tx: Tx, caller: Caller, input: MoveInput): Promise<Permit & { both: BothWorkspaces; facts: MoveFacts }> {
  const { workspaceId, targetId } = input;
  const row = await tx.maybeOne(sql.type(Row)`
    with target as (
      with ${accessTo(caller, targetId)}
      select access.rights, w.id, w.name, ${approves} as approves from access join workspaces w on w.id = access.workspace_id
    ),
    ${accessTo(caller, workspaceId)},
    ${setCtes(input)}, ${tiesCte(caller)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
      (select w.name from workspaces w where w.id = access.workspace_id) as source_name,
      (select row_to_json(target) from target) as target, (select count(*) from roots) as roots,
      json_build_object('moving', ${movingJson(targetId)}, 'staying', ${stayingJson}, 'outside', ${outsideJson}, 'ties', ${tiesJson},
        'people', ${peopleJson(targetId)},
        'statuses', (select coalesce(json_agg(json_build_object('key', s.key, 'label', s.label, 'status', s.status, 'types', s.types)
            order by s.position, s.key), '[]') from statuses s where s.workspace_id = ${targetId}),
        'priorities', (select coalesce(json_agg(json_build_object('key', p.key, 'label', p.label) order by p.rank, p.key), '[]')
          from priorities p where p.workspace_id = ${targetId}),
        'importing', exists (select from imports m where m.workspace_id = ${workspaceId} and m.state in ('running', 'undoing'))) as facts
    from access`);
  if (!row) throw new CredentialRefused();
  const { workspace_id: id, source_name: name, target, roots, facts } = row;
  if (id === null || name === null || !target || target.id === id || roots !== new Set(input.ids).size) throw new Forbidden();
  return { ...permitOf(caller, row, id), both: { source: { id, name, rights: row.rights }, target }, facts: await factsFrom(facts) };
}

const MOST_CHOICES = 500;

/** The workspaces that the caller reaches, by name. */
export const readWorkspaceChoices = (tx: Tx, caller: Caller): Promise<readonly ReachedWorkspace[]> =>
  tx.any(sql.type(ReachedWorkspace)`
    with ${accessToAll(caller)}
    select w.id, w.name, access.rights from access join workspaces w on w.id = access.workspace_id
    order by lower(w.name), w.id limit ${MOST_CHOICES}`);
