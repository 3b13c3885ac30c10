/** SQL that creates, changes, archives and restores work items. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { accessTo, isReadable } from '../access/queries.ts';
import { bits, type ItemType, resourceOf } from '../access/rights.ts';
import { recordChanges, storeChangedTexts } from '../changes/recordQueries.ts';
import type { ChangedFields, ChangeKind } from '../changes/schema.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { makeRecurring, markForecast } from '../queue/jobs.ts';
import { isClosed } from '../workspaces/queries.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { changesNothing } from './changedFields.ts';
import { changesForecast } from './decide.ts';
import { fieldNames, fields, linkNames } from './fields.ts';
import type { ItemRow, Work } from './schema.ts';

const columns = fieldNames.map((name) => fields[name].column);
const insertColumns = fixedSql(`account_id, workspace_id, type, title, description, status, owner_id, completed_at, ${columns.join(', ')}`);
const fieldValues = fixedSql(fieldNames.map((name) => `r."${name}"`).join(', '));
const recordColumns = fixedSql(
  `id bigint, version integer, changes boolean, type text, title text, description text, status text, "ownerId" bigint, "completedNow" boolean, ${fieldNames
    .map((name) => `"${name}" ${fields[name].sql}`)
    .join(', ')}`,
);
const assignments = fixedSql(
  `title = r.title, description = coalesce(r.description, i.description), status = r.status, owner_id = r."ownerId", ${fieldNames
    .map((name) => `${fields[name].column} = r."${name}"`)
    .join(', ')}, completed_at = case when r.status <> 'done' then null when r."completedNow" then now() else i.completed_at end,
  version = i.version + 1`,
);

/** The new values of an item. `stored`: the current ones, null for a new item. `newId`: from takeItemIds; all items of a write have one, in
 *  ascending order, or none. */
export interface Revision {
  stored: Work | null;
  row: ItemRow;
  changed: ChangedFields;
  newId?: number | undefined;
}

/** Leaves out a description that stays: PostgreSQL would compress and store a long one again. */
function recordOf({ stored, row: { fields: own, description, ...row }, changed, newId }: Revision): Record<string, unknown> {
  return {
    ...own,
    ...row,
    ...((!stored || changed.description) && { description }),
    ...(newId !== undefined && { id: newId }),
    ...(stored && { id: stored.id, version: stored.version, changes: !changesNothing(changed) }),
  };
}

const IdVersion = z.object({ id: z.number(), version: z.number() });
const Outcome = z.object({ saved: z.array(IdVersion).nullable(), current: z.array(IdVersion) });

/** Writes 1 to 100 items, all new or all stored, with their rows of changes and the mark of the forecast. The statement checks the rights
 *  again. `saved`: ids and versions in the given order; null if nothing was written. `current`: the visible stored items before the write. */
export function writeItems(tx: Tx, permit: Permit, revisions: readonly Revision[], kind: ChangeKind): Promise<z.infer<typeof Outcome>> {
  const needed = revisions.reduce((all, { row }) => all | bits(resourceOf(row.type), 'write'), 0);
  const ids = revisions.flatMap(({ stored }) => (stored ? [stored.id] : []));
  const closes = revisions.some(closesTask);
  return tx.one(sql.type(Outcome)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(revisions.map(recordOf))}::json) as (${recordColumns})) with ordinality as r
    ),
    ${ids.length ? updated(permit, revisions, { ids, needed, kind }) : inserted(permit, revisions, needed)},
    ${markForecast(revisions.some(({ row, stored, changed }) => changed.blockedBy || changesForecast(row, stored)))}
    ${closes ? makeNextOfClosed : sql.fragment``}
    select outcome.saved, outcome.current from outcome, (select count(*) from job) j${closes ? sql.fragment`, (select count(*) from repeated) r` : sql.fragment``}`);
}

const closesTask = ({ row, stored }: Revision): boolean =>
  row.type === 'task' && closedStatuses.includes(row.status) && stored !== null && !closedStatuses.includes(stored.status);

/** CTE `repeated`: enqueues the next task of series that make it when the latest is closed (behaviour §37.12). */
const makeNextOfClosed = sql.fragment`,
    repeated as (
      select ${makeRecurring} from saved join recurrences r on r.item_id = saved.id and r.state = 'active' and r.mode = 'closed'
      where ${fixedSql(isClosed('saved.status'))}
    )`;

const fieldsOf = (revisions: readonly Revision[]): ChangedFields[] => revisions.map(({ changed }) => changed);

function inserted({ caller }: Permit, revisions: readonly Revision[], needed: number): Fragment {
  const [start, id] =
    revisions[0]?.newId === undefined
      ? [sql.fragment`insert into items (${insertColumns}) select`, sql.fragment``]
      : [sql.fragment`insert into items (id, ${insertColumns}) overriding system value select`, sql.fragment`r.id,`];
  return sql.fragment`
    saved as (
      ${start} ${id} access.account_id, access.workspace_id, r.type, r.title, r.description, r.status, r."ownerId",
             case when r."completedNow" then now() end, ${fieldValues}
      from access, given r where access.rights & ${needed} = ${needed}
      order by r.ordinality
      returning *
    ),
    ${recordChanges(caller, 'item.created', fieldsOf(revisions))},
    outcome as (
      select json_agg(json_build_object('id', saved.id, 'version', saved.version) order by saved.id) as saved, '[]'::json as current from saved
    )`;
}

function updated(
  { caller }: Permit,
  revisions: readonly Revision[],
  { ids, needed, kind }: { ids: number[]; needed: number; kind: ChangeKind },
): Fragment {
  const changing = revisions
    .flatMap((one) => (one.stored && !changesNothing(one.changed) ? [{ ...one, id: one.stored.id }] : []))
    .sort((a, b) => a.id - b.id);
  return sql.fragment`
    ${locked({ ids, needed, targets: newTargets(changing), fits: sql.fragment`i.shown` })},
    saved as (
      update items i set ${assignments}
      from given r, ready where i.id = r.id and r.changes and i.id = any(${sql.array(ids, 'int8')})
      returning i.*
    ),
    ${recordChanges(caller, kind, fieldsOf(changing))},
    ${storeChangedTexts},
    outcome as (
      select (select json_agg(json_build_object('id', g.id, 'version', g.version + g.changes::integer) order by g.ordinality) from given g, ready) as saved,
        (select coalesce(json_agg(json_build_object('id', l.id, 'version', l.version)), '[]') from locked l where l.fits) as current
    )`;
}

const Taken = z.object({ id: z.number() });

/** Reserves ids for new items that refer to each other, ascending. */
export async function takeItemIds(tx: Tx, count: number): Promise<readonly number[]> {
  const ids = await tx.anyFirst(sql.type(Taken)`
    select nextval(pg_get_serial_sequence('items', 'id')) as id from generate_series(1, ${count})`);
  return [...ids].sort((a, b) => a - b);
}

const newTargets = (revisions: readonly Revision[]): number[] =>
  revisions.flatMap(({ row, changed }) => linkNames.flatMap((name) => (changed[name] ? (row.fields[name] ?? []) : [])));

interface Locking {
  ids: readonly number[];
  targets?: readonly number[];
  needed: number;
  /** A condition on the locked row `i`, besides the right to read it. */
  fits: Fragment;
}

/** CTEs `locked` and `ready`, for a statement with `access` and `given (id, version)`. Locks items and new link targets by id, so that two
 *  batches never deadlock. `ready` has a row if all have the given version and the caller has the rights. */
const locked = ({ ids, targets = [], needed, fits }: Locking): Fragment => sql.fragment`
    locked as materialized (
      select i.id, i.version, ${fits} and ${isReadable('i', 'access.rights')} as fits from items i, access
      where i.workspace_id + 0 = access.workspace_id and i.id = any(${sql.array([...ids, ...targets], 'int8')})
      order by i.id for no key update of i
    ),
    ready as materialized (
      select from access where access.rights & ${needed} = ${needed}
        and (select count(*) from locked l join given g on g.id = l.id and g.version = l.version and l.fits) = ${ids.length}
    )`;

const Count = z.object({ count: z.number(), jobs: z.number() });

/** Archives or restores items, all or none, with their rows of changes. Each gets its next version. False if one has changed or the caller
 *  has lost the rights. */
export async function setArchived(
  tx: Tx,
  permit: Permit,
  items: readonly { id: number; version: number; type: ItemType }[],
  archived: boolean,
): Promise<boolean> {
  const needed = items.reduce((all, { type }) => all | bits(resourceOf(type), 'delete'), 0);
  const ids = items.map(({ id }) => id);
  const given = JSON.stringify(items.map(({ id, version }) => ({ id, version })));
  const kind = archived ? 'item.archived' : 'item.restored';
  const saved = await tx.oneFirst(sql.type(Count)`
    with ${accessTo(permit.caller, permit.workspaceId)},
    given as materialized (select * from json_to_recordset(${given}::json) as g (id bigint, version integer)),
    ${locked({ ids, needed, fits: archived ? sql.fragment`i.shown and i.archived_at is null` : sql.fragment`i.archived_at is not null` })},
    saved as (
      update items i set archived_at = case when ${archived} then now() end, version = i.version + 1
      from given g, ready where i.id = g.id and i.id = any(${sql.array(ids, 'int8')})
      returning i.*
    ),
    ${recordChanges(
      permit.caller,
      kind,
      ids.map(() => ({})),
    )},
    ${markForecast(items.some(({ type }) => type !== 'goal'))}
    select (select count(*) from saved) as count, (select count(*) from job) as jobs`);
  return saved === items.length;
}
