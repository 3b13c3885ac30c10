/** Labels and dependencies of an item (behaviour §33). */
import { z } from 'zod';
import { Id } from '../values/text.ts';
import { LabelName, MOST_LABELS_ON_ITEM } from '../workspaces/labelSchema.ts';
import { Version } from './schema.ts';

export const MOST_BLOCKERS = 50;
/** If an item blocks more, answers list only the first ones. */
export const MOST_BLOCKED_SHOWN = 1_000;

const lagMessage = 'give 0 to 365 working days';
export const LagDays = z.int(lagMessage).min(0, lagMessage).max(365, lagMessage);

const once =
  <T>(idOf: (entry: T) => unknown) =>
  (all: readonly T[]) =>
    new Set(all.map(idOf)).size === all.length;

const labelList = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry, 'give a list of labels')
    .max(MOST_LABELS_ON_ITEM, `give at most ${MOST_LABELS_ON_ITEM} labels`)
    .refine(
      once((one) => (typeof one === 'string' ? one.toLowerCase() : one)),
      'give each label once',
    );

export const LabelIds = labelList(Id);
export const LabelNames = labelList(LabelName);

const Blocker = z.strictObject({ id: Id, lagDays: LagDays.optional() });
const blockerList = <T extends z.ZodType<{ id: number }>>(entry: T) =>
  z
    .array(entry, 'give a list of items')
    .max(MOST_BLOCKERS, `give at most ${MOST_BLOCKERS} items`)
    .refine(
      once(({ id }: { id: number }) => id),
      'give each item once',
    );

export const BlockedBy = blockerList(Blocker);
/** Agents may give ids alone. */
export const BlockedByOrIds = z
  .array(z.union([Id, Blocker], 'give ids, or {id, lagDays}'), 'give a list of items')
  .transform((all) => all.map((one): z.infer<typeof Blocker> => (typeof one === 'number' ? { id: one } : one)))
  .pipe(BlockedBy);

type LabelGiven = number | string;
interface BlockerGiven {
  id: number;
  lagDays?: number | undefined;
}

/** A change of an item's relations: all of them, or some to add and remove. Labels by id or by name. An omitted lag stays, or is 0 for a new
 *  blocker. */
export interface RelationChange {
  labels?: readonly LabelGiven[] | { add: readonly LabelGiven[]; remove: readonly LabelGiven[] } | undefined;
  blockedBy?: readonly BlockerGiven[] | { add: readonly BlockerGiven[]; remove: readonly number[] } | undefined;
}

/** Whole lists, as agents give them. */
export interface ListedRelations {
  labels?: readonly string[] | undefined;
  blockedBy?: readonly BlockerGiven[] | undefined;
}

export const Link = z.strictObject({ id: Id, lagDays: z.int() });

export const Relations = z
  .strictObject({
    id: Id,
    version: z.int().min(1),
    labels: z.array(z.strictObject({ id: Id, name: z.string() })),
    blockedBy: z.array(Link).meta({ description: 'The items that must be done before this one can start.' }),
    blocks: z.array(Link).meta({ description: `The items that wait for this one, up to ${MOST_BLOCKED_SHOWN}.` }),
  })
  .meta({ id: 'Relations' });
export type Relations = z.infer<typeof Relations>;

export const RelationsInput = z.strictObject({
  workspaceId: Id.meta({ description: 'A workspace from GET /workspaces.' }),
  id: Id.meta({ description: 'The item, from GET /items.' }),
  version: Version,
  labels: LabelIds.optional().meta({ description: 'Ids from GET /labels. Left out: unchanged.' }),
  blockedBy: BlockedBy.optional().meta({
    description: 'All items that block this one. Left out: unchanged. A lag that is left out is unchanged, too.',
  }),
});
