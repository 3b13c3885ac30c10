import type { ItemType } from '../../access/rights.ts';
import type { IconName } from '../frame/components/icons.ts';

export const typeSigns: Record<ItemType, IconName> = {
  task: 'list-checks',
  requirement: 'scroll-text',
  goal: 'target',
  release: 'ship',
  milestone: 'flag',
};
