/** Comments in the API, behaviour §8.1. */
import { z } from 'zod';
import { Id, Lines, longest, Text } from '../values/text.ts';

/** For new comments. Older ones may consist of spaces and are returned unchanged. */
export const CommentBody = Lines(longest.comment);
export const Comment = z.strictObject({ id: Id, body: Text(1, longest.comment), createdAt: z.iso.datetime() }).meta({ id: 'Comment' });
export type Comment = z.infer<typeof Comment>;

/** Reactions on pages, in the order of the menu. */
export const reactions = ['agree', 'thanks', 'well_done', 'looking', 'done', 'question'] as const;
export type Reaction = (typeof reactions)[number];

export const ProgressNote = z.strictObject({
  id: z.number(),
  body: z.string(),
  createdAt: z.string(),
  authorName: z.string(),
  rewritten: z.boolean(),
  originalBody: z.string().optional(),
});
export type ProgressNote = z.infer<typeof ProgressNote>;
