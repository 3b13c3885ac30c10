/** SQL that reads work items. Visibility is decided on the row: `needs` within the caller's rights, and `shown` (sql/0004_items.sql). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, readsGoals } from '../access/queries.ts';
import { bits, type ItemType, itemTypes, possibleNeeds, resourceOf } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { JsonText } from '../operations/json.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { noneById, peopleFor, prioritiesFor, statusesFor, targetsFor } from './factQueries.ts';
import { fieldNames, fields } from './fields.ts';
import { itemsOf, listed, visibleById } from './lookupQueries.ts';
import type { ItemChange, Work } from './schema.ts';
import { warningFactsJson } from './warningQueries.ts';
import type { WarningFacts } from './warnings.ts';

/** The columns of a row `i` with its assignee `a`, named and nested as the API answers them. PostgreSQL writes JSON of rows in two thirds of
 *  the time that names and values take, and puts no blanks between them. `goalId` comes last. */
function workColumns(): string {
  const names = [...fieldNames.filter((name) => name !== 'goalId'), 'goalId'] as const;
  const columns = names.flatMap((name) => [
    `i.${fields[name].column} as "${name}"`,
    ...(name === 'priorityKey' ? ['a.name as "assigneeName"'] : []),
  ]);
  return `select i.id, i.type, i.title, i.description, i.status, i.version, i.owner_id as "ownerId", fields from (select ${columns.join(', ')}) fields`;
}

/** Joins the row `work` to `i` and `a`. A join is dissolved into the statement, where a subquery is a step more for each row. */
export const workOf = fixedSql(`cross join lateral (${workColumns()}) work`);
const workWithGoal = fixedSql(`(select row_to_json(work) from (${workColumns()}) work)`);

/** The JSON text of `row` as this caller may see it: `ownerId` only where there is an owner, `goalId`, which comes last, only for readers of
 *  goals. Unescaped quotes enclose names alone, so no text of the item can match. */
function visibleText(row: string): Fragment {
  const text = `replace(${row}::text, ',"ownerId":null', '')`;
  return sql.fragment`case when ${readsGoals} then ${fixedSql(text)} else ${fixedSql(`split_part(${text}, ',"goalId":', 1) || '}}'`)} end`;
}

/** For a statement with `access` and `work`: the item as this caller may see it. */
const visibleWorkText = visibleText('row_to_json(work)');
export const visibleWorkOf = sql.fragment`(${visibleWorkText})::json`;
/** The same without `work`, for a row `i` that may be missing. */
export const visibleWork = sql.fragment`(select (${visibleText('work')})::json from (select ${workWithGoal} as work offset 0) one)`;

/** Whether the row `i` may be read with the rights in `access`. */
export const visible = sql.fragment`i.workspace_id = access.workspace_id and i.shown and i.needs & access.rights = i.needs`;

/** The workspace of an item that is named by its id alone. For accessTo only, which gives no access to another account's workspace. */
export function workspaceOf(itemId: number): Fragment {
  return sql.fragment`(select workspace_id from items where id = ${itemId})`;
}

const Place = z.object({ workspace_id: z.number() });

/** The same for who asks on: null for an item that never was. */
export const readWorkspaceOf = (tx: Tx, itemId: number): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(Place)`select workspace_id from items where id = ${itemId}`);

const FoundWork = z.object({ work: z.string().nullable() });

/** The item as JSON. Throws Forbidden for absent and hidden alike. */
export async function readItem(tx: Tx, caller: Caller, workspaceId: number | Fragment, id: number): Promise<JsonText<Work>> {
  const row = await tx.maybeOne(sql.type(FoundWork)`
    with ${accessTo(caller, workspaceId)}
    select (select ${visibleWorkText} from items i left join users a on a.id = i.assignee_id ${workOf} where i.id = ${id} and ${visibleById}) as work
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.work === null) throw new Forbidden();
  return new JsonText(row.work);
}

const Page = z.object({ rights: z.number(), items: z.string().nullable(), next_after: z.number().nullable(), has_more: z.boolean() });

/** Ids that the caller may see, in order: one short index probe for each of so many sets of ancestors, so that what is hidden costs nothing
 *  and is never counted. They are merged row by row; each is bounded as well, for a plan that would sort them. Types and needs are values:
 *  of literals the planner may know that nearly all rows have them, and walk all items by their ids. */
const mergedIds = (sets: number): Fragment =>
  fixedSql(
    Array.from({ length: sets }, (_, n) => `page.needs[${n + 1}]`)
      .map(
        (needs) => `(
          select i.id from items i
          where i.workspace_id = access.workspace_id and i.type = page.type and i.needs = ${needs} and i.shown and i.id > page.after
            and access.rights & ${needs} = ${needs}
          order by i.id limit page.most + 1
        )`,
      )
      .join(' union all '),
  );
const probes = new Map(itemTypes.map((type) => [type, { needs: possibleNeeds(type), ids: mergedIds(possibleNeeds(type).length) }]));

/** One page of a type by id, and whether there is more. */
export async function readItems(tx: Tx, caller: Caller, page: { workspaceId: number; type: ItemType; after: number; limit: number }) {
  const { needs, ids } = probes.get(page.type)!;
  const row = await tx.maybeOne(sql.type(Page)`
    with ${accessTo(caller, page.workspaceId)}
    select access.rights, found.items, found.next_after, coalesce(found.has_more, false) as has_more
    from access cross join (
      select ${page.type}::text as type, ${sql.array(needs, 'int4')} as needs, ${page.after}::bigint as after, ${page.limit}::bigint as most
    ) page left join lateral (
      select string_agg(${visibleWorkText}, ',' order by i.id) filter (where link.place <= page.most) as items,
             max(i.id) filter (where link.place <= page.most) as next_after,
             count(*) > page.most as has_more
      from ${itemsOf(sql.fragment`(
        select merged.id, row_number() over (order by merged.id) as place from (${ids}) merged
        order by merged.id limit page.most + 1
      )`)} left join users a on a.id = i.assignee_id ${workOf}
    ) found on true`);
  if (!row) throw new CredentialRefused();
  if (!(row.rights & bits(resourceOf(page.type), 'read'))) throw new Forbidden();
  return row;
}

const Facts = AccessRow.extend({
  today: z.string(),
  // Made of our own columns by PostgreSQL: not walked again.
  stored: z.custom<Work>().nullable(),
  statuses: z.custom<ItemFacts['statuses']>(),
  priorities: z.custom<ItemFacts['priorities']>(),
  people: z.custom<ItemFacts['people']>(),
  targets: z.custom<ItemFacts['targets']>(),
  several: z.custom<Record<string, Work>>(),
  delegated_rights: z.number(),
  plain_language: z.boolean(),
  warns: z.custom<WarningFacts>().nullable(),
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

/** What changes of several items, and notes beside them, take besides. */
export interface AgentFacts {
  /** By id: those of the ids asked for that the caller can see. */
  several: Record<string, Work>;
  /** What the connection and the workspace's limits give, whatever the member's own level is. */
  delegatedRights: number;
  /** The connection has its notes rewritten. */
  plainLanguage: boolean;
  /** For agents alone, where they were wanted. */
  warns: WarningFacts | null;
}

export interface FactsWanted {
  workspaceId: number | Fragment;
  id?: number | undefined;
  ids?: number[] | undefined;
  people: number[];
  targets: number[];
  /** What is to become of the item `id`: of what it keeps, no facts are read. */
  change?: ItemChange;
  /** Only where something is changed that warnings go by. */
  warns?: boolean;
}

/** The caller's rights and everything a decision about items needs, in one statement. Throws Unauthenticated. */
export async function readFacts(tx: Tx, caller: Caller, wanted: FactsWanted): Promise<Permit & ItemFacts & AgentFacts> {
  const several = sql.fragment`(
    select coalesce(json_object_agg(i.id, ${workWithGoal}), '{}')
    from ${itemsOf(listed(wanted.ids ?? []))} left join users a on a.id = i.assignee_id where ${visible})`;
  const isAgent = caller.kind === 'agent';
  const ids = wanted.ids ?? (wanted.id === undefined ? [] : [wanted.id]);
  const warns = warningFactsJson(ids, wanted.people, wanted.targets);
  const plain = sql.fragment`coalesce((select c.plain_language from connections c where c.id = access.credential_id), false)`;
  const row = await tx.maybeOne(sql.type(Facts)`
    with ${accessTo(caller, wanted.workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, current_date as today,
      ${wanted.id === undefined ? sql.fragment`null::json` : sql.fragment`case when i.id is not null then row_to_json(work) end`} as stored,
      ${statusesFor(wanted.change)} as statuses, ${prioritiesFor(wanted.change)} as priorities,
      ${peopleFor(wanted.people, wanted.change)} as people, ${targetsFor(wanted.targets, wanted.change)} as targets,
      ${wanted.ids ? several : noneById} as several, access.delegated_rights,
      ${isAgent ? plain : sql.fragment`false`} as plain_language,
      ${isAgent && wanted.warns ? warns : sql.fragment`null::json`} as warns
    from access ${wanted.id === undefined ? sql.fragment`` : sql.fragment`left join items i on i.id = ${wanted.id} and ${visibleById} left join users a on a.id = i.assignee_id ${workOf}`}`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null) throw new Forbidden();
  const {
    account_id: accountId,
    user_id: userId,
    context_rights: contextRights,
    workspace_id: workspaceId,
    delegated_rights: delegatedRights,
    plain_language: plainLanguage,
    ...facts
  } = row;
  return { caller, accountId, userId, workspaceId, contextRights, delegatedRights, plainLanguage, ...facts };
}
