/** The changed fields of a save, named as in the API (behaviour §15.3). Pure. */

import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { GOALS_READ, holds } from '../access/rights.ts';
import { type ChangedFields, type LongText, longTexts } from '../changes/schema.ts';
import type { Read } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { fieldNames, linkNames } from './fields.ts';
import { type Place, readPlaces } from './placeQueries.ts';
import type { ItemFacts } from './queries.ts';
import type { ItemRow, Work, WorkFields } from './schema.ts';

const isLong = (name: string): name is LongText => longTexts.some((one) => one === name);

/** Compares with the stored item, or with null for a new one. Empty if nothing changes. */
export function changedFields(stored: Work | null, row: ItemRow): ChangedFields {
  const changed: ChangedFields = {};
  const compare = (name: string, before: unknown, after: unknown) => {
    if (before !== after) changed[name] = isLong(name) ? true : [before, after];
  };
  compare('title', stored?.title ?? null, row.title);
  compare('description', stored?.description ?? '', row.description);
  compare('status', stored?.status ?? null, row.status);
  compare('ownerId', stored?.ownerId ?? null, row.ownerId);
  for (const name of fieldNames) compare(name, stored?.fields[name] ?? null, row.fields[name]);
  return changed;
}

/** Names for agents. Like their answers, they leave out a statusKey that equals the status. */
export const changedNames = ({ changed, row }: { changed: ChangedFields; row: ItemRow }): string[] =>
  Object.keys(changed).filter((name) => name !== 'statusKey' || row.fields.statusKey !== row.status);

export const changesNothing = (changed: ChangedFields): boolean => Object.keys(changed).length === 0;

/** Only callers who may read goals see and set links to goals (behaviour §3.10). Pure. For other visibility see queries.ts, `visible`. */
type Reader = Pick<Permit, 'contextRights'>;

export const readsGoals = ({ contextRights }: Reader): boolean => holds(contextRights, GOALS_READ);

/** A stored item, or one from a receipt, as this caller may see it. Stored items and receipts of older versions have a null `ownerId`. */
export function asSeenBy(
  reader: Reader,
  { ownerId, fields, ...work }: Omit<Work, 'ownerId'> & { ownerId?: number | null | undefined },
): Work {
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

/** The workspaces of visible items, for URLs that contain only an item's id. */
const Input = z.strictObject({ ids: z.array(Id).min(1).max(100) });

export const placesOf: Read<z.infer<typeof Input>, readonly Place[]> = {
  name: 'placesOf',
  input: Input,
  run: (tx, caller, { ids }) => readPlaces(tx, caller, ids),
};
