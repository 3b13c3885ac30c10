/** SQL that changes work items, as CTEs ending in `change`. The writing statement checks the rights again. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { bits, resourceOf } from '../access/rights.ts';
import { keepChangedTexts, keepTexts, recordChange, recordChanges } from '../changes/recordQueries.ts';
import type { ChangedFields, ChangeKind } from '../changes/schema.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import type { Change } from '../operations/operation.ts';
import { markForecast } from '../queue/jobs.ts';
import { Forbidden } from '../values/errors.ts';
import { changedFields, changesNothing, textsIn } from './changedFields.ts';
import { fieldNames, fields, linkNames } from './fields.ts';
import { visibleById } from './lookupQueries.ts';
import { visibleWorkOf, workOf } from './queries.ts';
import type { ItemRow } from './schema.ts';
import type { Warning } from './warnings.ts';

const columns = fieldNames.map((name) => fields[name].column);
const insertColumns = fixedSql(`account_id, workspace_id, type, title, description, status, owner_id, completed_at, ${columns.join(', ')}`);
const fieldValues = fixedSql(fieldNames.map((name) => `r."${name}"`).join(', '));

const text = (column: string) => ({ column, sql: 'text' });
const columnOf: Record<string, { column: string; sql: string }> = {
  title: text('title'),
  description: text('description'),
  status: text('status'),
  ownerId: { column: 'owner_id', sql: 'bigint' },
  ...fields,
};
const recordOf = (names: readonly string[]) =>
  names
    .map((name) => `"${name}" ${columnOf[name]!.sql}`)
    .concat('"completedNow" boolean')
    .join(', ');
const recordColumns = fixedSql(`type text, ${recordOf(Object.keys(columnOf))}`);

interface Part {
  names: readonly string[];
  record: Fragment;
  assignments: Fragment;
}

function partOf(names: readonly string[]): Part {
  const own = names.map((name) => `${columnOf[name]!.column} = r."${name}"`);
  const completed = `completed_at = case when r.status <> 'done' then null when r."completedNow" then now() else i.completed_at end`;
  return {
    names,
    record: fixedSql(recordOf(names)),
    assignments: fixedSql([...own, ...(names.includes('status') ? [completed] : [])].join(', ')),
  };
}

/** Sets of columns that mostly change together. A save uses the first set with all its changes. A statement per combination would be too
 *  many prepared plans, and setting all columns is slow. */
const whole = partOf(Object.keys(columnOf));
const parts = [
  partOf(['title', 'description']),
  partOf(['status', 'statusKey', 'blockedReason', 'progressPercent', 'actualDate']),
  partOf(['priorityKey', 'ownerId', 'assigneeId', 'startDate', 'dueDate', 'targetDate', 'estimatedHours']),
  whole,
];
const partWith = (changed: ChangedFields): Part =>
  parts.find(({ names }) => Object.keys(changed).every((name) => names.includes(name))) ?? whole;

function asJson(row: ItemRow): Record<string, unknown> {
  const { fields: own, ...rest } = row;
  return { ...rest, ...own };
}

function partJson(row: ItemRow, { names }: Part): string {
  const all = asJson(row);
  return JSON.stringify(Object.fromEntries([...names, 'completedNow'].map((name) => [name, all[name]])));
}

/** CTEs `saved` and `changed`: the new items and their change records. The statement checks the rights again. */
function inserted(permit: Permit, rows: ItemRow[]): Fragment {
  const needed = rows.reduce((all, row) => all | bits(resourceOf(row.type), 'write'), 0);
  const [first, ...more] = rows.map((row) => changedFields(null, row));
  const recorded = more.length
    ? recordChanges(permit.caller, 'item.created', [first!, ...more])
    : recordChange(permit.caller, 'item.created', first!);
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
    ${recorded},
    ${markForecast(rows.some((row) => row.type !== 'goal'))}`;
}

const savedItem = sql.fragment`saved i left join users a on a.id = i.assignee_id ${workOf}, access, (select count(*) from job) j`;

export function insertItem(permit: Permit, row: ItemRow): Fragment {
  return sql.fragment`${inserted(permit, [row])}, change as (select ${visibleWorkOf} as result, i.workspace_id from ${savedItem})`;
}

/** Further fields of a new item for agents. Keeps nulls: a receipt without links comes from an older version. */
const placeOfItem = fixedSql(
  (['assigneeId', 'dueDate', 'targetDate', 'estimatedHours', ...linkNames.filter((name) => name !== 'goalId')] as const)
    .map((name) => `'${name}', i.${fields[name].column}`)
    .join(', '),
);

/** CTEs ending in `change`: new items in the order given, as `{items: [{id, type, title, status, version, …}]}`. */
export function insertItems(permit: Permit, rows: ItemRow[], warnings: readonly Warning[] = []): Fragment {
  return sql.fragment`${inserted(permit, rows)},
    change as (
      select json_build_object('items', json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'status', i.status, 'version', i.version,
               ${placeOfItem}) order by i.id), 'warnings', ${JSON.stringify(warnings)}::json) as result, i.workspace_id
      from saved i, (select count(*) from job) j group by i.workspace_id
    )`;
}

const answered = (beside: Beside | undefined, warnings: readonly Warning[]): Fragment => {
  if (!beside && warnings.length === 0) return visibleWorkOf;
  return sql.fragment`json_build_object('work', ${visibleWorkOf}, 'note', ${beside?.result ?? sql.fragment`null::json`}, 'warnings', ${JSON.stringify(warnings)}::json)`;
};

/** Comments that commit together with a change of items. */
export interface Beside {
  first: Fragment;
  condition: Fragment;
  /** CTEs that read the items from `placed (id, account_id, workspace_id, version)`. */
  record: Fragment;
  result: Fragment;
}

// Change records of comments come after the item's.
const afterChange = sql.fragment`(select count(*) from changed) >= 0`;
const placedAsSaved = sql.fragment`placed as (select id, account_id, workspace_id, version from saved`;

export function keepItem(permit: Permit, { id, version, row }: Omit<Revision, 'changed'>, beside: Beside): Fragment {
  const needed = bits(resourceOf(row.type), 'write');
  return sql.fragment`
    ${beside.first}
    ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      select i.* from items i, access
      where i.id = ${id} and i.version = ${version} and ${visibleById} and access.rights & ${needed} = ${needed} and ${beside.condition}
      for no key update of i
    ),
    ${placedAsSaved}), ${beside.record},
    change as (select ${answered(beside, [])} as result, i.workspace_id
      from saved i left join users a on a.id = i.assignee_id ${workOf}, access)`;
}

interface BatchOf {
  targets: readonly number[];
  forecastChanges: boolean;
  beside: Beside | undefined;
  warnings: readonly Warning[];
}

/** CTEs ending in `change`: the next versions as `{items: [{id, type, title, status, version}]}`, in the order given. No row if a version
 *  has changed or the caller has lost the rights. Locks items and link targets by id, so that two batches never deadlock. */
export function updateItems(
  permit: Permit,
  revisions: readonly Revision[],
  { targets, forecastChanges, beside, warnings }: BatchOf,
): Fragment {
  const needed = revisions.reduce((all, { row }) => all | bits(resourceOf(row.type), 'write'), 0);
  const ids = revisions.map(({ id }) => id);
  const changing = revisions.filter(({ changed }) => !changesNothing(changed)).sort((a, b) => a.id - b.id);
  const rows = revisions.map(({ id, version, row, changed }) => ({
    ...asJson(row),
    ...{ id, version, changes: !changesNothing(changed) },
  }));
  return sql.fragment`
    ${beside?.first ?? sql.fragment``}
    ${accessTo(permit.caller, permit.workspaceId)},
    given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (id bigint, version integer, changes boolean, ${recordColumns})) with ordinality as r
    ),
    locked as materialized (
      select i.id, i.version, i.shown and i.needs & access.rights = i.needs as seen from items i, access
      where i.workspace_id + 0 = access.workspace_id and i.id = any(${sql.array([...ids, ...targets], 'int8')})
      order by i.id for no key update of i
    ),
    ready as materialized (
      select access.account_id, access.workspace_id from access
      where access.rights & ${needed} = ${needed} ${beside ? sql.fragment`and ${beside.condition}` : sql.fragment``}
        and (select count(*) from locked l join given g on g.id = l.id and g.version = l.version and l.seen) = ${ids.length}
    ),
    saved as (
      update items i
      set ${whole.assignments}, version = i.version + 1
      from given r, ready where i.id = r.id and r.changes and i.id = any(${sql.array([...ids], 'int8')})
      returning i.*
    ),
    ${recordChanges(
      permit.caller,
      'item.updated',
      changing.map(({ changed }) => changed),
    )},
    ${keepChangedTexts},
    ${markForecast(forecastChanges)},
    placed as (select g.id, ready.account_id, ready.workspace_id, g.version + g.changes::integer as version from given g, ready where ${afterChange}),
    ${beside ? sql.fragment`${beside.record},` : sql.fragment``}
    change as (
      select json_build_object('items', (select json_agg(json_build_object('id', g.id, 'type', g.type, 'title', g.title, 'status', g.status,
               'version', g.version + g.changes::integer) order by g.ordinality) from given g), 'warnings', ${JSON.stringify(warnings)}::json) as result, ready.workspace_id
      from ready, (select count(*) from job) j
    )`;
}

export interface Revision {
  id: number;
  version: number;
  row: ItemRow;
  changed: ChangedFields;
}

/** CTEs ending in `change`: the item's next version. No row if the version has changed or the caller has lost the rights. */
export function updateItem(
  permit: Permit,
  { id, version, row, changed }: Revision,
  forecastChanges: boolean,
  more?: { kind: ChangeKind; condition: Fragment; record: Fragment },
  beside?: Beside,
  warnings: readonly Warning[] = [],
): Fragment {
  const texts = textsIn(changed);
  const part = partWith(changed);
  const needed = bits(resourceOf(row.type), 'write');
  const first = beside?.first ?? sql.fragment``;
  return sql.fragment`
    ${first}
    ${accessTo(permit.caller, permit.workspaceId)},
    saved as (
      update items i
      set ${part.assignments}, version = i.version + 1
      from access, json_to_record(${partJson(row, part)}::json) as r (${part.record})
      where i.id = ${id} and i.version = ${version} and ${visibleById} and access.rights & ${needed} = ${needed}
        ${more ? sql.fragment`and ${more.condition}` : sql.fragment``} ${beside ? sql.fragment`and ${beside.condition}` : sql.fragment``}
      returning i.*
    ),
    ${recordChange(permit.caller, more?.kind ?? 'item.updated', changed)},
    ${texts.length ? sql.fragment`${keepTexts(texts)},` : sql.fragment``}
    ${markForecast(forecastChanges)},
    ${more ? sql.fragment`${more.record},` : sql.fragment``}
    ${beside ? sql.fragment`${placedAsSaved} where ${afterChange}), ${beside.record},` : sql.fragment``}
    change as (select ${answered(beside, warnings)} as result, i.workspace_id
      from ${savedItem})`;
}

const Version = z.object({ version: z.number() });

const Versions = z.object({ id: z.number(), version: z.number() });

/** The current versions of these items, without those that the caller may not read. */
export async function currentVersions(tx: Tx, permit: Permit, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.any(sql.type(Versions)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    select i.id, i.version from items i, access where i.id = any(${sql.array([...ids], 'int8')}) and ${visibleById}`);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export async function currentVersion(tx: Tx, permit: Permit, id: number): Promise<number> {
  const version = await tx.maybeOneFirst(sql.type(Version)`
    with ${accessTo(permit.caller, permit.workspaceId)}
    select i.version from items i, access where i.id = ${id} and ${visibleById}`);
  if (version === null) throw new Forbidden();
  return version;
}

const Written = z.object({ result: z.string() });

export async function carryOut(tx: Tx, { statement, refused }: Change): Promise<string> {
  const done = await tx.maybeOne(sql.type(Written)`with ${statement} select result::text as result from change`);
  return done ? done.result : refused(tx);
}
