/** The board page (behaviour §23). */
import type { Caller } from '../../access/caller.ts';
import type { Tx } from '../../database/db.ts';
import type { Read } from '../../operations/operation.ts';
import { Forbidden } from '../../values/errors.ts';
import { type LimitedColumn, readBoard } from './boardQueries.ts';
import { BoardWork } from './input.ts';
import type { Person, WorkList } from './schema.ts';

export { type LimitedColumn, MOST_AT_FIRST, MOST_CARDS, MOST_IN_COLUMN, MOST_IN_COUNT } from './boardQueries.ts';
export { BoardWork, boardGroupings } from './input.ts';

/** Like a list without pages. Its groups are the columns' contents. */
export interface WorkBoard extends WorkList {
  people: Person[];
  /** Only of a board by status. */
  limits: LimitedColumn[];
}

export const showBoard: Read<BoardWork, WorkBoard> = { name: 'showBoard', input: BoardWork, run: shown };

async function shown(tx: Tx, caller: Caller, wanted: BoardWork): Promise<WorkBoard> {
  const { membership, types, ...rest } = await readBoard(tx, caller, wanted);
  if (!membership) throw new Forbidden();
  const [first] = types;
  if (first && !types.includes(wanted.type)) return shown(tx, caller, { ...wanted, type: first });
  const { type, group, sort, reverse } = wanted;
  // Too many items to sort them.
  if ((sort !== 'due' || reverse) && rest.groups.some(({ more }) => more))
    return shown(tx, caller, { ...wanted, sort: 'due', reverse: false });
  return { ...rest, membership, type, next: null, order: { group, sort, reverse } };
}
