import type { ItemType } from '../../access/rights.ts';
import type { WorkList } from '../../overviews/workList/listWork.ts';
import type { Clock } from '../frame/clock.ts';
import type { PageRequest } from '../frame/page.ts';
import type { InPlace } from '../items/inPlace.ts';
import { type ListAddress, queryOf } from './listAddress.ts';
import type { OpenWorkspace } from './openWorkspace.ts';

export interface ListPage {
  request: PageRequest;
  workspace: OpenWorkspace;
  /** From the URL, with the type that is actually shown. */
  address: ListAddress;
  found: WorkList;
  types?: readonly ItemType[];
  clock: Clock;
  /** `back`: this page, below the context path (frame/back.ts, hereOf). */
  change: InPlace & { back: string; clock: Clock };
}

/** A link to this list with a change, with the context path. */
export const hrefOf = ({ workspace, address }: Pick<ListPage, 'workspace' | 'address'>, change: Partial<ListAddress> = {}): string =>
  workspace.at + queryOf(address, change);

/** True if rows can be selected and added: the user may change this type and the list is not archived. */
export const mayChange = ({ change, address }: ListPage): boolean => change.may && !address.archived;
