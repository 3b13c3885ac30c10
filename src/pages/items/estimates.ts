/** The estimates of an item and of the work below it in words (behaviour §6.6, §6.8). */
import type { ShownItem } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { estimate } from '../frame/components/when.ts';

type Estimated = Pick<ShownItem, 'item' | 'sums' | 'leftHours'>;

/** Hours of a task and its sub-tasks. Of other items only the work below counts, if it has estimates. */
export function estimatedWith({ item, sums }: Pick<Estimated, 'item' | 'sums'>): number {
  const own = item.fields.estimatedHours ?? 0;
  return item.type === 'task' ? own + sums.hours : sums.hours > 0 ? sums.hours : own;
}

/** "4 h own + 2 h below" for a task with both, otherwise null. */
export const ownAndBelow = (own: number | null | undefined, below: number): string | null =>
  own && below > 0 ? `${estimate(own)} own + ${estimate(below)} below` : null;

/** True for open work whose recorded time has reached its estimate. */
export const isUsedUp = ({ item: { status, fields }, leftHours }: Pick<Estimated, 'item' | 'leftHours'>): boolean =>
  !closedStatuses.includes(status) && fields.progressPercent == null && (fields.estimatedHours ?? 0) > 0 && leftHours === 0;
