/** Labels of a workspace (behaviour §33.1). */
import { z } from 'zod';
import { Id, Label, Text } from '../values/text.ts';

/** The colors of `.label` in the style, and of the table's check. */
export const labelColors = ['grey', 'teal', 'green', 'amber', 'pink', 'violet'] as const;
export type LabelColor = (typeof labelColors)[number];

export const MOST_LABELS_ON_ITEM = 20;

export const LabelName = Label(80);
export const LabelDescription = Text(0, 1_000);

export const WorkspaceLabel = z
  .strictObject({
    id: Id,
    name: LabelName,
    color: z.enum(labelColors),
    archived: z.boolean(),
    items: z.int().min(0).meta({ description: 'Number of items with this label that you can read.' }),
  })
  .meta({ id: 'Label' });
export type WorkspaceLabel = z.infer<typeof WorkspaceLabel>;

export const LabelList = z.strictObject({ labels: z.array(WorkspaceLabel) }).meta({ id: 'LabelList' });

/** A label of an item, for pages. */
export const ItemLabel = z.object({ id: z.number(), name: z.string(), color: z.enum(labelColors) });
export type ItemLabel = z.infer<typeof ItemLabel>;

const content = {
  id: Id.optional(),
  name: LabelName,
  color: z.enum(labelColors, `give one of ${labelColors.join(', ')}`).optional(),
  archived: z.boolean('give true or false').optional(),
  mergeInto: Id.optional(),
};
const workspaceId = Id.meta({ description: 'A workspace from GET /workspaces.' });

const needsId = { path: ['label', 'mergeInto'], error: 'give the id of the label to merge, too' };
const mergesStored = ({ label }: { label: { id?: number | undefined; mergeInto?: number | undefined } }) =>
  label.mergeInto === undefined || label.id !== undefined;

/** Creates a label without `id`. With `mergeInto`, its items get that label instead, and it is removed. */
export const SavedLabel = z.strictObject({ workspaceId, label: z.strictObject(content) }).refine(mergesStored, needsId);

/** On pages, labels have a description, too. */
export const DescribedLabel = z
  .strictObject({ workspaceId, label: z.strictObject({ ...content, description: LabelDescription.optional() }) })
  .refine(mergesStored, needsId);
export type DescribedLabel = z.infer<typeof DescribedLabel>;
