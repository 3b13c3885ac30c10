/** Favorites of a person: items, saved views and workspaces with a star (behaviour §38.2). */
import { z } from 'zod';
import { Id } from '../values/text.ts';

/** Per person. */
/** Items that a person opened last (behaviour §38.3). */
export const MOST_RECENT = 8;

const starKinds = ['item', 'view', 'workspace'] as const;
/** `id` is the workspace's for a workspace. */
export const Star = z.strictObject({ workspaceId: Id, kind: z.enum(starKinds), id: Id });
export type Star = z.infer<typeof Star>;
export const StarChange = Star.extend({ on: z.boolean() }).refine(
  ({ kind, id, workspaceId }) => kind !== 'workspace' || id === workspaceId,
  {
    path: ['id'],
    error: 'give the id of the workspace.',
  },
);
export type StarChange = z.infer<typeof StarChange>;
