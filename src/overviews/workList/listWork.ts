/** The list page (behaviour §19.1). */
import type { Caller } from '../../access/caller.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { encodeCursor } from '../../items/findWork/cursor.ts';
import { isInOrder } from '../../items/findWork/listQueries.ts';
import { isIndexed, isJoined } from '../../items/findWork/orderQueries.ts';
import type { Read } from '../../operations/operation.ts';
import { Forbidden } from '../../values/errors.ts';
import { ListWork, soughtBy } from './input.ts';
import { readWorkList } from './queries.ts';
import type { WorkList } from './schema.ts';

export type { DueBucket, Grouping, SortColumn } from './input.ts';
export { ListWork } from './input.ts';
export type { ListGroup, ListRow, WorkList } from './schema.ts';

export const listWork: Read<ListWork, WorkList> = {
  name: 'listWork',
  input: ListWork,
  run: (tx, caller, wanted) => listed(tx, caller, wanted),
};

interface How {
  inOrder?: boolean;
  /** Columns that only rows of the requested type have (rowQueries.ts). */
  own?: Fragment;
}

export async function listed(tx: Tx, caller: Caller, wanted: ListWork, how: How = {}): Promise<WorkList> {
  const { inOrder = isInOrder(soughtBy(wanted)), own } = how;
  const found = await readWorkList(tx, caller, wanted, { inOrder, own });
  const { membership, types, next, ...rest } = found;
  if (!membership) throw new Forbidden();
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
