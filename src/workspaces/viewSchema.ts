/** Saved views: lists of work with a name (behaviour §19.7). */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { Id, Label } from '../values/text.ts';

export const View = z.object({
  id: z.number(),
  name: z.string(),
  /** As in the list's URL, without the question mark. */
  query: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  maker: z.string(),
});
export type View = z.infer<typeof View>;

export const ViewName = Label(80);
export const ViewQuery = z
  .string('give the address of a list')
  .max(2_000, 'choose fewer filters: a view holds up to 2,000 characters')
  .regex(/^[\w%+.*~=&-]*$/, 'give the address of a list');
export const SavedView = z.strictObject({ workspaceId: Id, id: Id.optional(), name: ViewName, query: ViewQuery, shared: z.boolean() });
export type SavedView = z.infer<typeof SavedView>;
/** Shown columns of a list: of a saved view, or of a type outside of views. */
export const HiddenColumns = z.strictObject({
  workspaceId: Id,
  type: z.enum(itemTypes),
  view: Id.nullable(),
  hidden: z.array(Label(40)).max(40),
});
export type HiddenColumns = z.infer<typeof HiddenColumns>;
export const hiddenKey = (type: ItemType, view: number | string | null): string => (view ? `view ${view}` : type);
/** How a member's board of a type looks outside of saved views (behaviour §38.4). The board ignores unknown values. */
export const BoardLayout = z.strictObject({
  group: Label(40).optional(),
  /** As in the URL: with `-` for the reverse order. */
  sort: Label(40).optional(),
  /** Keys of closed statuses whose columns are open. */
  open: z.array(Label(100)).max(50).optional(),
});
export type BoardLayout = z.infer<typeof BoardLayout>;
export const BoardLayouts = z.partialRecord(z.enum(itemTypes), BoardLayout);
export const ChangedLayout = z.strictObject({ workspaceId: Id, type: z.enum(itemTypes), layout: BoardLayout });
export type ChangedLayout = z.infer<typeof ChangedLayout>;
export const ChangedView = z.strictObject({ workspaceId: Id, id: Id, name: ViewName.optional(), shared: z.boolean().optional() });
export type ChangedView = z.infer<typeof ChangedView>;
