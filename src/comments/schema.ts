/** Comments in the API, behaviour §8.1. */
import { z } from 'zod';
import { Id, Lines, Text } from '../values/text.ts';

const MOST_CHARACTERS = 12_000;
/** For new comments. Older ones may consist of spaces and are returned unchanged. */
export const CommentBody = Lines(MOST_CHARACTERS);
export const Comment = z.strictObject({ id: Id, body: Text(1, MOST_CHARACTERS), createdAt: z.iso.datetime() }).meta({ id: 'Comment' });
export type Comment = z.infer<typeof Comment>;

export interface ProgressNote {
  id: number;
  body: string;
  createdAt: string;
  authorName: string;
  rewritten: boolean;
  originalBody?: string;
}
