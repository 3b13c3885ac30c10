/** Only callers who may read goals see and set links to goals (behaviour §3.10). Pure. For other visibility see queries.ts, `visible`. */
import type { Permit } from '../access/caller.ts';
import { GOALS_READ, holds } from '../access/rights.ts';
import { Forbidden } from '../values/errors.ts';
import { linkNames } from './fields.ts';
import type { ItemFacts } from './queries.ts';
import type { Work, WorkFields } from './schema.ts';

type Reader = Pick<Permit, 'contextRights'>;

export const readsGoals = ({ contextRights }: Reader): boolean => holds(contextRights, GOALS_READ);

/** A stored item, or one from a receipt, as this caller may see it. Stored items and receipts of older versions have a null `ownerId`. */
export function asSeenBy(reader: Reader, { ownerId, fields, ...work }: Work): Work {
  const { goalId: _hidden, ...others } = fields;
  return { ...work, ...(ownerId != null && { ownerId }), fields: readsGoals(reader) ? fields : others };
}

/** Returns the fields that this caller may set. Without the right, a null `goalId` keeps the goal. Throws Forbidden if a goal is given. */
export function settableBy(reader: Reader, given: WorkFields): WorkFields {
  if (readsGoals(reader) || given.goalId === undefined) return given;
  if (given.goalId !== null) throw new Forbidden();
  return { ...given, goalId: undefined };
}

/** True if a new item with these links is below a hidden item, and so hidden itself. A goal hides nothing (behaviour §7.15). */
export const isBelowHidden = (given: WorkFields, { targets }: Pick<ItemFacts, 'targets'>): boolean =>
  linkNames.some((name) => name !== 'goalId' && given[name] != null && !(given[name] in targets));
