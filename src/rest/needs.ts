/** The grants that a request always needs, so that its 403 can name them (behaviour §3.28). Reveals nothing hidden. */
import { type Grant, grantsOf, type ItemType, itemTypes } from '../access/rights.ts';
import type { WorkFields } from '../items/schema.ts';
import { AppError } from '../values/errors.ts';

export type Need = readonly Grant[];

const readOf = (type: ItemType): Grant => `${type}s:read`;

export const anyTypeRead: Need = itemTypes.map(readOf);

export const listNeeds = ({ type }: { type: ItemType }): Need[] => [[readOf(type)]];

export const saveNeeds = ({ record: { id, type, fields } }: { record: { id?: number; type: ItemType; fields: WorkFields } }): Need[] => {
  // For an update, the grant would reveal the type of a hidden item.
  if (id !== undefined) return [];
  return [
    [`${type}s:write`],
    ...(fields.parentItemId ? [[readOf('task'), readOf('milestone')]] : []),
    ...(fields.requirementId ? [[readOf('requirement')]] : []),
    ...(fields.releaseId ? [[readOf('release')]] : []),
    ...(fields.goalId ? [[readOf('goal')]] : []),
  ];
};

export const capacityNeeds: Need[] = [
  ['workspaces:read'],
  ['capacity:read'],
  ...(['task', 'requirement', 'release', 'milestone'] as const).map((type) => [readOf(type)]),
];

const all = new Intl.ListFormat('en', { type: 'conjunction' });
const oneOf = new Intl.ListFormat('en', { type: 'disjunction' });

export function lacking(needs: readonly Need[], rights: number): AppError | null {
  const held = grantsOf(rights);
  const missing = needs.filter((need) => !need.some((grant) => held.includes(grant))).map((need) => oneOf.format(need));
  if (missing.length === 0) return null;
  return new AppError('forbidden', `The key needs ${all.format(missing)}: ask an owner of the account for a key with that access.`);
}
