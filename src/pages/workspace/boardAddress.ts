import { type BoardWork, boardGroupings } from '../../overviews/workList/input.ts';
import type { InPlaceField } from '../items/change/fields.ts';
import type { ListAddress } from './listAddress.ts';

export type BoardGroup = BoardWork['group'];

/** The field that a card gets when it is moved to a column. */
export const fieldOf = { status: 'status', assignee: 'assignee', priority: 'priority' } as const satisfies Record<BoardGroup, InPlaceField>;

export const boardGroup = ({ group }: Pick<ListAddress, 'group'>): BoardGroup => boardGroupings.find((one) => one === group) ?? 'status';

export const unfoldedIn = (query: URLSearchParams): string[] => query.getAll('open').slice(0, 50);
