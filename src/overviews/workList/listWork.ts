/** The list page (behaviour §19.1). */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo } from '../../access/queries.ts';
import { bits, type ItemType, resourceOf } from '../../access/rights.ts';
import { keepUpToDate } from '../../capacity/snapshots/pageForecast.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { encodeCursor } from '../../items/findWork/cursor.ts';
import {
  countedInOrder,
  countedOfMatched,
  gathered,
  isInOrder,
  type ListSought,
  ordered,
  orderOf,
  sorted,
} from '../../items/findWork/listQueries.ts';
import { isIndexed, isJoined } from '../../items/findWork/orderQueries.ts';
import { scopeCte } from '../../items/findWork/scopeQueries.ts';
import type { Read } from '../../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../../values/errors.ts';
import { readableTypes, type WorkspaceMembership } from '../../workspaces/queries.ts';
import type { Options } from '../../workspaces/schema.ts';
import type { View } from '../../workspaces/viewSchema.ts';
import { type Grouping, hasSearch, ListWork, type SortColumn, soughtBy } from './input.ts';
import { aroundColumns, FoundWork, groupsJson, pageForecastOf } from './partQueries.ts';
import { ctesOf, type ListRow, rowJson } from './rowQueries.ts';
import type { ListGroup, ListLabel, NamedItem } from './schema.ts';

export { ListWork, SortColumn } from './input.ts';
export type { Contribution, ListRow } from './rowQueries.ts';
export type { ListGroup, Person } from './schema.ts';

export interface WorkList {
  membership: WorkspaceMembership;
  options: z.infer<typeof Options>;
  type: ItemType;
  /** The requested order, or the index order if too many items match. */
  order: { group: Grouping; sort: SortColumn; reverse: boolean };
  /** Groups in display order, without those that counting did not reach. */
  groups: ListGroup[];
  rows: ListRow[];
  next: string | null;
  /** Visible items of `within`. */
  named: z.infer<typeof NamedItem>[];
  /** Of the workspace, by name. */
  labels: ListLabel[];
  views: View[];
}

export const MOST_COUNTED = 1_000;

const Found = FoundWork.extend({ next: z.array(z.unknown()).nullable() });

interface How {
  /** Read along the index of the order, instead of sorting all matches. */
  inOrder?: boolean;
  /** Columns that only this type has. */
  own?: Fragment | undefined;
}

const found = (sought: ListSought, inOrder: boolean): Fragment =>
  inOrder
    ? sql.fragment`${ordered(sought)}, ${countedInOrder(sought, { each: MOST_COUNTED, all: MOST_COUNTED })}`
    : sql.fragment`${gathered(sought)}, ${sorted(sought)}, ${countedOfMatched()}`;

/** If the caller is not a member, `membership` is null. Without the right to read the type there are no rows. Throws Unauthenticated. */
export async function readWorkList(tx: Tx, caller: Caller, wanted: ListWork, how: How = {}): Promise<z.infer<typeof Found>> {
  const sought = soughtBy(wanted);
  const { inOrder = isInOrder(sought), own } = how;
  const { type, limit } = wanted;
  const readsType = bits(resourceOf(type), 'read');
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, wanted.workspaceId)},
    readable as (select ${readableTypes} as types from access),
    ${scopeCte([type])}, ${found(sought, inOrder)},
    ${ctesOf(type)}
    placed as (select *, row_number() over (order by ${orderOf(sought)}) as place from page)
    select ${aroundColumns(wanted)}, readable.types, ${groupsJson} as groups,
      (select coalesce(json_agg(${rowJson(type, sql.fragment`p.id`, sql.fragment`p.gkey`, own)} order by p.place), '[]')
        from placed p where p.place <= ${limit} and access.rights & ${readsType} <> 0) as rows,
      ${pageForecastOf(type)} as forecast,
      (select json_build_array(p.gn, p.gt, p.sn, p.st, p.d, p.r, p.id) from placed p
        where p.place = ${limit} and exists (select from placed where place > ${limit})) as next
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  return row;
}

export const listWork: Read<ListWork, WorkList> = {
  name: 'listWork',
  input: ListWork,
  searches: hasSearch,
  run: (tx, caller, wanted) => listed(tx, caller, wanted),
};

export async function listed(tx: Tx, caller: Caller, wanted: ListWork, how: How = {}): Promise<WorkList> {
  const { inOrder = isInOrder(soughtBy(wanted)), own } = how;
  const found = await readWorkList(tx, caller, wanted, { inOrder, own });
  const { membership, types, next, forecast, ...rest } = found;
  if (!membership) throw new Forbidden();
  keepUpToDate(tx, forecast);
  const [first] = types;
  // Rare: the caller can't read the requested type, so the list shows the first readable type.
  if (first && !types.includes(wanted.type)) return listed(tx, caller, { ...wanted, type: first }, { inOrder });
  const { type, group, sort, reverse } = wanted;
  if (!inOrder && !wanted.archived && found.groups.some(({ more }) => more))
    return listed(tx, caller, byDue(wanted), { inOrder: true, ...(own && { own }) });
  return { ...rest, membership, type, next: next && encodeCursor(next), order: { group, sort, reverse } };
}

/** The same in an order that has an index, because too many items match to sort them. Rare. */
function byDue(wanted: ListWork): ListWork {
  if (isIndexed(wanted)) return wanted;
  const { group } = wanted;
  return { ...wanted, group: isJoined(group) ? 'none' : group, sort: 'due', reverse: false };
}
