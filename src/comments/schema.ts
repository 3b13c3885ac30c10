/** Comments on the wire, behaviour §8.1. */
import { z } from 'zod';
import { Id, Lines, Text } from '../values/text.ts';

const MOST_CHARACTERS = 12_000;
/** What callers send. Comments stored before this rule may hold spaces alone, and are answered as they are. */
export const CommentBody = Lines(MOST_CHARACTERS);
export const Comment = z.strictObject({ id: Id, body: Text(1, MOST_CHARACTERS), createdAt: z.iso.datetime() }).meta({ id: 'Comment' });
export type Comment = z.infer<typeof Comment>;

/** A progress note as it is listed with its item. */
export interface ProgressNote {
  id: number;
  body: string;
  createdAt: string;
  authorName: string;
  rewritten: boolean;
  originalBody?: string;
}
