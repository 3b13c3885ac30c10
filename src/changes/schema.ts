/** Rows of changes (behaviour §15.1), and their form in the API and on pages. */
import { z } from 'zod';
import { itemTypes } from '../access/rights.ts';
import { vias } from '../access/via.ts';
import { Id } from '../values/text.ts';

/** Kinds in the API and webhooks. There, an approval step is an `item.updated` (behaviour §3.29). */
export const commentKinds = ['comment.created', 'comment.updated', 'comment.deleted'] as const;
export const apiKinds = ['item.created', 'item.updated', 'item.archived', 'item.restored', 'item.moved', ...commentKinds] as const;

export const changeKinds = [...apiKinds, 'approval.requested', 'approval.approved', 'approval.rejected', 'approval.withdrawn'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Texts too long for a row. The row has `true`, and `change_texts` has the previous text. */
export const longTexts = ['description', 'acceptance'] as const;
export type LongText = (typeof longTexts)[number];

/** `[before, after]` by API field name, or `true` for a long text. */
export const ChangedFields = z.record(z.string(), z.union([z.tuple([z.unknown(), z.unknown()]), z.literal(true)]));
export type ChangedFields = z.infer<typeof ChangedFields>;

const value = z.union([z.string(), z.number()]).nullable();
const names = z.array(z.string());
const blockers = z.array(z.strictObject({ id: Id, lagDays: z.int() }));

export const Change = z
  .strictObject({
    id: Id,
    at: z.iso.datetime(),
    kind: z.enum(apiKinds),
    itemId: Id,
    type: z.enum(itemTypes).meta({ description: 'Type of the item.' }),
    title: z.string().meta({ description: 'Current title of the item; of an item that left the workspace, the title then.' }),
    version: z.int().min(1).meta({ description: 'Version of the item after the change.' }),
    actor: z
      .strictObject({ id: Id, name: z.string() })
      .nullable()
      .meta({ description: 'Who made the change; null where a status changed by approval.' }),
    via: z.enum(vias),
    keyName: z
      .string()
      .nullable()
      .meta({ description: 'The name that your own key had then; null for all other changes, and always in webhooks.' }),
    commentId: Id.optional(),
    fields: z
      .record(z.string(), z.union([z.array(value).length(2), z.array(names).length(2), z.array(blockers).length(2), z.literal(true)]))
      .meta({
        description:
          'What changed, as `[before, after]`. `labels` has the names of all labels, `blockedBy` all blockers with their lags. `workspaceId` of `item.moved` is null for a workspace out of reach. `description` and `acceptance` are only `true`.',
      }),
  })
  .meta({ id: 'Change' });

/** A change of one item, for agents. */
export const HistoryRow = Change.omit({ itemId: true, type: true, title: true });
export type HistoryRow = z.infer<typeof HistoryRow>;

/** A change of one item, for pages. */
export const ItemChange = HistoryRow.extend({ kind: z.enum(changeKinds), actor: z.strictObject({ id: Id, name: z.string() }) });
export type ItemChange = z.infer<typeof ItemChange>;

/** An absent text is ''. */
export const ChangedText = z.object({ name: z.enum(longTexts), before: z.string(), after: z.string() });
export type ChangedText = z.infer<typeof ChangedText>;
