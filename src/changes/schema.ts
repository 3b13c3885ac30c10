/** A row of what changed (behaviour §15.1), and how it is told. */
import { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { vias } from '../access/via.ts';
import { Id } from '../values/text.ts';

export const changeKinds = [
  'item.created',
  'item.updated',
  'item.archived',
  'item.restored',
  'item.moved',
  'comment.created',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'approval.withdrawn',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Texts too long to stand in a row: there they are `true`, and what they were is kept beside (`change_texts`). */
export const longTexts = ['description', 'acceptance'] as const;
export type LongText = (typeof longTexts)[number];

/** By name as the API spells it: `[before, after]`, or `true` of a long text. */
export type ChangedFields = Record<string, [before: unknown, after: unknown] | true>;

const value = z.union([z.string(), z.number()]).nullable();

/** A change as it is told. */
export const Change = z
  .strictObject({
    id: Id,
    at: z.iso.datetime(),
    kind: z.enum(changeKinds),
    itemId: Id,
    type: z.enum(itemTypes).meta({ description: "The item's." }),
    title: z.string().meta({ description: "The item's, now." }),
    version: z.int().min(1).meta({ description: "The item's, after the change." }),
    actor: z.strictObject({ id: Id, name: z.string() }),
    via: z.enum(vias),
    keyName: z.string().nullable().meta({ description: 'Of the key or the agent, as it was called then; null on pages.' }),
    commentId: Id.optional(),
    fields: z.record(z.string(), z.union([z.array(value).length(2), z.literal(true)])).meta({
      description: 'What changed, as `[before, after]`; `true` for `description` and `acceptance`.',
    }),
  })
  .meta({ id: 'Change' });

/** A row of an item's history: what the item itself says is left out. */
export type ItemChange = Omit<z.infer<typeof Change>, 'itemId' | 'type' | 'title'>;

/** '' where there was none. */
export interface ChangedText {
  name: LongText;
  before: string;
  after: string;
}
