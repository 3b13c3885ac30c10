/** All SQL about work items. Visibility is decided on the row: `needs` within the caller's rights, and `shown` (sql/0004_items.sql). */

import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, signInAgain } from '../access/queries.ts';
import { bits, type ItemType, itemTypes, possibleNeeds, resourceOf } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../db.ts';
import { Forbidden, Unauthenticated } from '../errors.ts';
import { markForecast } from '../jobs.ts';
import { JsonText } from '../json.ts';
import { sql } from '../sql.ts';
import { fieldNames, fields } from './fields.ts';
import type { Status, Work } from './schema.ts';

const GOALS_READ = bits('goals', 'read');

/** JSON of a row `i` with its assignee `a`: PostgreSQL writes it, Node hands it on. `goalId` comes last, or not at all. */
function workJson(withGoal: boolean): string {
  const shown = fieldNames.filter((name) => withGoal || name !== 'goalId');
  const pairs = shown.flatMap((name) => [
    `'${name}', i.${fields[name].column}`,
    ...(name === 'priorityKey' ? [`'assigneeName', a.name`] : []),
  ]);
  return `json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'description', i.description, 'status', i.status,
    'version', i.version, 'ownerId', i.owner_id, 'fields', json_build_object(${pairs.join(', ')}))`;
}

const workWithGoal = fixedSql(workJson(true));
/** For a statement with `access`: the item as this caller may see it. */
export const visibleWork = fixedSql(
  `case when access.context_rights & ${GOALS_READ} <> 0 then ${workJson(true)} else ${workJson(false)} end`,
);

/** Whether the row `i` may be read with the rights in `access`. */
export const visible = sql.fragment`i.workspace_id = access.workspace_id and i.shown and i.needs & access.rights = i.needs`;

const FoundWork = z.object({ work: z.string().nullable() });

/** The item as JSON. Throws Forbidden for absent and hidden alike. */
export async function readItem(tx: Tx, caller: Caller, workspaceId: number | Fragment, id: number): Promise<JsonText> {
  const row = await tx.maybeOne(sql.type(FoundWork)`
    with ${accessTo(caller, workspaceId)}
    select (select (${visibleWork})::text from items i left join users a on a.id = i.assignee_id where i.id = ${id} and ${visible}) as work
    from access`);
  if (!row) throw new Unauthenticated(signInAgain);
  if (row.work === null) throw new Forbidden();
  return new JsonText(row.work);
}

const Page = z.object({ rights: z.number(), items: z.string().nullable(), next_after: z.number().nullable(), has_more: z.boolean() });

/** One page of a type by id. Each set of ancestors is a short index probe, so that what is hidden costs nothing and is never counted. */
export async function readItems(tx: Tx, caller: Caller, page: { workspaceId: number; type: ItemType; after: number; limit: number }) {
  const row = await tx.maybeOne(sql.type(Page)`
    with ${accessTo(caller, page.workspaceId)}
    select access.rights, found.items, found.next_after, coalesce(found.has_more, false) as has_more
    from access left join lateral (
      select string_agg((${visibleWork})::text, ',' order by i.id) filter (where i.place <= ${page.limit}) as items,
             max(i.id) filter (where i.place <= ${page.limit}) as next_after,
             count(*) > ${page.limit} as has_more
      from (
        select merged.*, row_number() over (order by merged.id) as place
        from unnest(${sql.array(possibleNeeds(page.type), 'int4')}) as n (needs)
        cross join lateral (
          select * from items i
          where i.workspace_id = access.workspace_id and i.type = ${page.type} and i.needs = n.needs and i.shown and i.id > ${page.after}
          order by i.id limit ${page.limit + 1}
        ) merged
        where n.needs & access.rights = n.needs
        order by merged.id limit ${page.limit + 1}
      ) i left join users a on a.id = i.assignee_id
    ) found on true`);
  if (!row) throw new Unauthenticated(signInAgain);
  if (!(row.rights & bits(resourceOf(page.type), 'read'))) throw new Forbidden();
  return row;
}

const StatusRow = z.object({ key: z.string(), status: z.string(), types: z.array(z.string()) });
const Facts = AccessRow.extend({
  today: z.string(),
  // Made of our own columns by PostgreSQL: not walked again.
  stored: z.custom<Work>().nullable(),
  statuses: z.array(StatusRow),
  priorities: z.array(z.object({ key: z.string(), default: z.boolean() })),
  people: z.record(z.string(), z.string()),
  targets: z.record(z.string(), z.enum(itemTypes)),
});

/** What deciding about changes to items takes, besides the changes themselves. */
export interface ItemFacts {
  /** UTC. */
  today: string;
  stored: Work | null;
  statuses: { key: string; status: string; types: string[] }[];
  priorities: { key: string; default: boolean }[];
  /** Names by id of those who may be assigned, of the ids asked for. */
  people: Record<string, string>;
  /** Types by id of the items that the caller can read, of the ids asked for. */
  targets: Record<string, ItemType>;
}

export interface FactsWanted {
  workspaceId: number | Fragment;
  id?: number | undefined;
  people: number[];
  targets: number[];
}

/** The caller's rights and everything a decision about items needs, in one statement. Throws Unauthenticated. */
export async function readFacts(tx: Tx, caller: Caller, wanted: FactsWanted): Promise<Permit & ItemFacts> {
  const row = await tx.maybeOne(sql.type(Facts)`
    with ${accessTo(caller, wanted.workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, current_date as today,
      (select ${workWithGoal} from items i left join users a on a.id = i.assignee_id
        where i.id = ${wanted.id ?? 0} and ${visible}) as stored,
      (select coalesce(json_agg(json_build_object('key', s.key, 'status', s.status, 'types', s.types) order by s.position, s.key), '[]')
        from statuses s where s.workspace_id = access.workspace_id) as statuses,
      (select coalesce(json_agg(json_build_object('key', p.key, 'default', p.is_default)), '[]')
        from priorities p where p.workspace_id = access.workspace_id) as priorities,
      (select coalesce(json_object_agg(u.id, u.name), '{}') from memberships m join users u on u.id = m.user_id and u.active
        where m.workspace_id = access.workspace_id and m.user_id = any(${sql.array(wanted.people, 'int8')})
          and m.rights & ${bits('tasks', 'write')} = ${bits('tasks', 'write')}) as people,
      (select coalesce(json_object_agg(i.id, i.type), '{}') from items i
        where i.id = any(${sql.array(wanted.targets, 'int8')}) and i.workspace_id = access.workspace_id and i.shown
          and i.needs & case when i.type = 'goal' then access.context_rights else access.rights end = i.needs) as targets
    from access`);
  if (!row) throw new Unauthenticated(signInAgain);
  if (row.workspace_id === null) throw new Forbidden();
  const { account_id: accountId, user_id: userId, context_rights: contextRights, workspace_id: workspaceId, ...facts } = row;
  return { caller, accountId, userId, workspaceId, contextRights, ...facts };
}

/** A decided item, as JSON for PostgreSQL: what `decideItem` returns. */
export interface ItemRow {
  type: ItemType;
  title: string;
  description: string;
  status: Status;
  ownerId: number | null;
  completedNow: boolean;
  fields: Record<string, unknown>;
}

const columns = fieldNames.map((name) => fields[name].column);
const insertColumns = fixedSql(`account_id, workspace_id, type, title, description, status, owner_id, completed_at, ${columns.join(', ')}`);
const recordColumns = fixedSql(
  ['type text', 'title text', 'description text', 'status text', '"ownerId" bigint', '"completedNow" boolean']
    .concat(fieldNames.map((name) => `"${name}" ${fields[name].sql}`))
    .join(', '),
);
const fieldValues = fixedSql(fieldNames.map((name) => `r."${name}"`).join(', '));
const assignments = fixedSql(fieldNames.map((name) => `${fields[name].column} = r."${name}"`).join(', '));

function asJson(row: ItemRow): Record<string, unknown> {
  const { fields: own, ...rest } = row;
  return { ...rest, ...own };
}

/** CTE `saved`: the new items. The rights are checked once more, in the statement that uses them. */
function inserted(permit: Permit, rows: ItemRow[]): Fragment {
  const needed = rows.reduce((all, row) => all | bits(resourceOf(row.type), 'write'), 0);
  return sql.fragment`
    ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      insert into items (${insertColumns})
      select access.account_id, access.workspace_id, r.type, r.title, r.description, r.status, r."ownerId",
             case when r."completedNow" then now() end, ${fieldValues}
      from access, rows from (json_to_recordset(${JSON.stringify(rows.map(asJson))}::json) as (${recordColumns})) with ordinality as r
      where access.rights & ${needed} = ${needed}
      order by r.ordinality
      returning *
    ),
    ${markForecast(rows.some((row) => row.type !== 'goal'))}`;
}

const savedItem = sql.fragment`saved i left join users a on a.id = i.assignee_id, access, (select count(*) from job) j`;

/** CTEs ending in `change (result, workspace_id)`: one new item, as its Work. */
export function insertItem(permit: Permit, row: ItemRow): Fragment {
  return sql.fragment`${inserted(permit, [row])}, change as (select ${visibleWork} as result, i.workspace_id from ${savedItem})`;
}

/** CTEs ending in `change`: new items in the order given, as `{items: [{id, type, title, status, version}]}`. */
export function insertItems(permit: Permit, rows: ItemRow[]): Fragment {
  return sql.fragment`${inserted(permit, rows)},
    change as (
      select json_build_object('items', json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'status', i.status, 'version', i.version)
               order by i.id)) as result, i.workspace_id
      from saved i, (select count(*) from job) j group by i.workspace_id
    )`;
}

/** CTEs ending in `change`: the item's next version, or no row when it has moved on or the rights have gone since. `more`: what must hold
 *  of `access` besides, and a CTE that tells of `saved`. */
export function updateItem(
  permit: Permit,
  id: number,
  version: number,
  row: ItemRow,
  forecastChanges: boolean,
  more?: { condition: Fragment; record: Fragment },
): Fragment {
  const needed = bits(resourceOf(row.type), 'write');
  return sql.fragment`
    ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      update items i
      set title = r.title, description = r.description, status = r.status, owner_id = r."ownerId", ${assignments}, version = i.version + 1,
          completed_at = case when r.status <> 'done' then null when r."completedNow" then now() else i.completed_at end
      from access, json_to_record(${JSON.stringify(asJson(row))}::json) as r (${recordColumns})
      where i.id = ${id} and i.version = ${version} and ${visible} and access.rights & ${needed} = ${needed}
        ${more ? sql.fragment`and ${more.condition}` : sql.fragment``}
      returning i.*
    ),
    ${markForecast(forecastChanges)},
    ${more ? sql.fragment`${more.record},` : sql.fragment``}
    change as (select ${visibleWork} as result, i.workspace_id from ${savedItem})`;
}

const Version = z.object({ version: z.number() });

/** The item's version now, for a caller who may read it. */
export async function currentVersion(tx: Tx, permit: Permit, id: number): Promise<number> {
  const version = await tx.maybeOneFirst(sql.type(Version)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    select i.version from items i, access where i.id = ${id} and ${visible}`);
  if (version === null) throw new Forbidden();
  return version;
}
