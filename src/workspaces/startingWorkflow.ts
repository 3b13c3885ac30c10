/** The default statuses and priorities of a workspace (behaviour §4.12, §4.17), as in seed_workflow in sql/0003_workspaces.sql. Pure. */
import { type ItemType, itemTypes } from '../access/rights.ts';
import { approvalStatuses, approvalTypes, closedStatuses, type Status } from './statuses.ts';

export interface StatusOption {
  key: string;
  label: string;
  status: Status;
  types: ItemType[];
  closed: boolean;
  approval: boolean;
}

export interface PriorityOption {
  key: string;
  label: string;
  rank: number;
  default: boolean;
}

const starting = (status: Status, label: string): StatusOption => {
  const approval = approvalStatuses.includes(status);
  return {
    key: status,
    label,
    status,
    types: [...(approval ? approvalTypes : itemTypes)],
    closed: closedStatuses.includes(status),
    approval,
  };
};

export const startingStatuses: readonly StatusOption[] = [
  starting('planned', 'Planned'),
  starting('in_progress', 'In progress'),
  starting('blocked', 'Blocked'),
  starting('in_review', 'In review'),
  starting('pending_approval', 'Pending approval'),
  starting('approved', 'Approved'),
  starting('done', 'Done'),
  starting('cancelled', 'Cancelled'),
];

export const startingPriorities: readonly PriorityOption[] = [
  { key: 'low', label: 'Low', rank: 1, default: false },
  { key: 'normal', label: 'Normal', rank: 2, default: true },
  { key: 'high', label: 'High', rank: 3, default: false },
  { key: 'urgent', label: 'Urgent', rank: 4, default: false },
];

export interface Difference<Option> {
  /** Additional or changed options, which apply instead. */
  own: Option[];
  lacking: string[];
}

/** `readable`: types that the reader can read. Others are left out. */
export function statusDifference(statuses: readonly StatusOption[], readable: readonly ItemType[]): Difference<StatusOption> {
  const within = startingStatuses
    .map((one) => ({ ...one, types: one.types.filter((type) => readable.includes(type)) }))
    .filter(({ types }) => types.length > 0);
  return difference(statuses, within);
}

export const priorityDifference = (priorities: readonly PriorityOption[]): Difference<PriorityOption> =>
  difference(priorities, startingPriorities);

function difference<Option extends { key: string }>(found: readonly Option[], usual: readonly Option[]): Difference<Option> {
  const known = new Map(usual.map((option) => [option.key, JSON.stringify(inOrder(option))]));
  return {
    own: found.filter((option) => known.get(option.key) !== JSON.stringify(inOrder(option))),
    lacking: usual.map(({ key }) => key).filter((key) => !found.some((option) => option.key === key)),
  };
}

const inOrder = (option: object) =>
  Object.entries(option)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value]);
