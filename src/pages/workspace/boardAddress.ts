/** What of a board's address is not that of a list: what its columns are, and which closed ones are open. Pure. */
import { type BoardWork, boardGroupings } from '../../overviews/workList/schema.ts';
import type { InPlaceField } from '../items/change/fields.ts';
import type { ListAddress } from './listAddress.ts';

export type BoardGroup = BoardWork['group'];

/** What of an item a column is about. */
export const fieldOf = { status: 'status', assignee: 'assignee', priority: 'priority' } as const satisfies Record<BoardGroup, InPlaceField>;

export const boardGroup = ({ group }: Pick<ListAddress, 'group'>): BoardGroup => boardGroupings.find((one) => one === group) ?? 'status';

export const unfoldedIn = (query: URLSearchParams): string[] => query.getAll('open').slice(0, 50);
