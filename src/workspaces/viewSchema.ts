/** Lists of work that people keep under a name (behaviour §19.7). */
import { z } from 'zod';
import { Id, Label } from '../values/text.ts';

/** One that the reader may open: their own, or shared by its maker. */
export interface View {
  id: number;
  name: string;
  /** As in the address of the list, without the question mark. */
  query: string;
  shared: boolean;
  /** The reader made it. */
  own: boolean;
  /** Who made it. */
  maker: string;
}

/** So many each person keeps in a workspace. */
export const MOST_VIEWS = 50;

export const ViewName = Label(80);
export const ViewQuery = z
  .string('give the address of a list')
  .max(2_000, 'choose fewer filters: a view holds up to 2,000 characters')
  .regex(/^[\w%+.*~=&-]*$/, 'give the address of a list');
export const SavedView = z.strictObject({ workspaceId: Id, id: Id.optional(), name: ViewName, query: ViewQuery, shared: z.boolean() });
export type SavedView = z.infer<typeof SavedView>;
export const ChangedView = z.strictObject({ workspaceId: Id, id: Id, name: ViewName.optional(), shared: z.boolean().optional() });
export type ChangedView = z.infer<typeof ChangedView>;
