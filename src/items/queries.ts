/** SQL that reads work items. Visibility is decided on the row: `needs` within the caller's rights, and `shown` (sql/0004_items.sql). */
import { z } from 'zod';
import { itemsOf, listed, visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, isVisible, permitOf, readsGoals } from '../access/queries.ts';
import { bits, type ItemType, itemTypes, resourceOf } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { JsonText } from '../operations/json.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { noneById, peopleJson, prioritiesJson, statusesJson, targetsJson, warningFactsJson } from './factQueries.ts';
import { fieldNames, fields } from './fields.ts';
import { pageOf } from './findWork/pageQueries.ts';
import { scopeCte } from './findWork/scopeQueries.ts';
import { StatusSchema, StoredWork, type Work } from './schema.ts';
import { WarningFacts } from './warnings.ts';

/** The columns of a row `i` with assignee `a`, nested as in the API. Row JSON is faster than json_build_object. `goalId` comes last. */
function workColumns(): string {
  const names = [...fieldNames.filter((name) => name !== 'goalId'), 'goalId'] as const;
  const columns = names.flatMap((name) => [
    `i.${fields[name].column} as "${name}"`,
    ...(name === 'priorityKey' ? ['a.name as "assigneeName"'] : []),
  ]);
  return `select i.id, i.type, i.title, i.description, i.status, i.version, i.owner_id as "ownerId", fields from (select ${columns.join(', ')}) fields`;
}

/** Joins `work` to `i` and `a`. PostgreSQL inlines a join, while a subquery costs one more step per row. */
export const workOf = fixedSql(`cross join lateral (${workColumns()}) work`);
const workWithGoal = fixedSql(`(select row_to_json(work) from (${workColumns()}) work)`);

/** JSON text of `row` for this caller. Only readers of goals get `goalId`, the last field. Unescaped quotes enclose only names, so no text
 *  can match. */
function visibleText(row: string): Fragment {
  const text = `replace(${row}::text, ',"ownerId":null', '')`;
  return sql.fragment`case when ${readsGoals} then ${fixedSql(text)} else ${fixedSql(`split_part(${text}, ',"goalId":', 1) || '}}'`)} end`;
}

/** For a statement with `access` and `work`: the item as this caller may see it. */
const visibleWorkText = visibleText('row_to_json(work)');
export const visibleWorkOf = sql.fragment`(${visibleWorkText})::json`;
export const visibleWork = sql.fragment`(select (${visibleText('work')})::json from (select ${workWithGoal} as work offset 0) one)`;

/** True if the rights in `access` can read row `i`. */
export const visible = sql.fragment`i.workspace_id = access.workspace_id and ${isVisible('i', 'access.rights')}`;

const Place = z.object({ workspace_id: z.number() });

/** The workspace of an item, for callers that check access later. Null for an unknown id. */
export const readWorkspaceOf = (tx: Tx, itemId: number): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(Place)`select workspace_id from items where id = ${itemId}`);

const FoundWork = z.object({ work: z.string().nullable() });

/** The item as JSON. Throws the same Forbidden for absent and hidden items. */
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

export async function readItems(
  tx: Tx,
  caller: Caller,
  page: { workspaceId: number; type: ItemType; label?: number | undefined; after: number; limit: number },
) {
  const { workspaceId, type, label, after: afterId, limit } = page;
  const filters = label === undefined ? {} : { labels: { any: [label], all: [], none: [] } };
  const row = await tx.maybeOne(sql.type(Page)`
    with ${accessTo(caller, workspaceId)}, ${scopeCte([type])},
    ${pageOf({ types: [type], closed: [false, true], filters, afterId, limit })}
    select access.rights, found.* from access cross join lateral (
      select string_agg(${visibleWorkText}, ',' order by i.id) filter (where link.place <= ${limit}) as items,
        max(i.id) filter (where link.place <= ${limit}) as next_after, count(*) > ${limit} as has_more
      from ${itemsOf(sql.fragment`page`)} left join users a on a.id = i.assignee_id ${workOf}
    ) found`);
  if (!row) throw new CredentialRefused();
  if (!(row.rights & bits(resourceOf(type), 'read'))) throw new Forbidden();
  return row;
}

const Facts = AccessRow.extend({
  today: z.string(),
  /** By id, without those that the caller can not read. */
  items: z.record(z.string(), StoredWork),
  statuses: z.array(z.object({ key: z.string(), status: StatusSchema, types: z.array(z.string()) })),
  priorities: z.array(z.object({ key: z.string(), default: z.boolean() })),
  /** Names by id of the requested users who can be assigned. */
  people: z.record(z.string(), z.string()),
  /** Types by id of the requested items that the caller can read. */
  targets: z.record(z.string(), z.enum(itemTypes)),
  /** The rights of the connection and the workspace's limits, independent of the member's level. */
  delegated_rights: z.number(),
  plain_language: z.boolean(),
  warns: WarningFacts.nullable(),
});
type Facts = z.infer<typeof Facts>;

/** Facts that the rules about an item need (decide.ts). */
export interface ItemFacts extends Pick<Facts, 'today' | 'statuses' | 'priorities' | 'people' | 'targets'> {
  stored: Work | null;
}

export interface WriteFacts extends Omit<ItemFacts, 'stored'>, Pick<Facts, 'items' | 'warns'> {
  delegatedRights: number;
  plainLanguage: boolean;
}

export interface FactsWanted {
  workspaceId: number | Fragment;
  ids?: number[];
  people?: number[];
  targets?: number[];
  /** Set if a changed field can cause warnings. */
  warns?: boolean;
}

/** Reads the caller's rights and all facts for a decision about items, in one statement. Throws Unauthenticated, Forbidden. */
export async function readFacts(
  tx: Tx,
  caller: Caller,
  { workspaceId, ids = [], people = [], targets = [], warns = false }: FactsWanted,
): Promise<Permit & WriteFacts> {
  const isAgent = caller.kind === 'agent';
  const items = sql.fragment`(
    select coalesce(json_object_agg(i.id, ${workWithGoal}), '{}')
    from ${itemsOf(listed(ids))} left join users a on a.id = i.assignee_id where ${visible})`;
  const plain = sql.fragment`coalesce((select c.plain_language from connections c where c.id = access.credential_id), false)`;
  const row = await tx.maybeOne(sql.type(Facts)`
    with ${accessTo(caller, workspaceId)}
    select access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights, current_date as today,
      ${ids.length ? items : noneById} as items, ${statusesJson} as statuses, ${prioritiesJson} as priorities,
      ${people.length ? peopleJson(people) : noneById} as people, ${targets.length ? targetsJson(targets) : noneById} as targets,
      access.delegated_rights, ${isAgent ? plain : sql.fragment`false`} as plain_language,
      ${isAgent && warns ? warningFactsJson(ids, people, targets) : sql.fragment`null::json`} as warns
    from access`);
  if (!row) throw new CredentialRefused();
  if (row.workspace_id === null) throw new Forbidden();
  const {
    delegated_rights: delegatedRights,
    plain_language: plainLanguage,
    today,
    items: found,
    statuses,
    priorities,
    people: names,
  } = row;
  return {
    ...permitOf(caller, row, row.workspace_id),
    ...{ delegatedRights, plainLanguage, today, items: found, statuses, priorities, people: names, targets: row.targets, warns: row.warns },
  };
}
