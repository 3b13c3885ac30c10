/** Comments on the wire, behaviour §8.1. */
import { z } from 'zod';
import { Id, Text } from '../values/text.ts';

export const CommentBody = Text(1, 12_000);
export const Comment = z.strictObject({ id: Id, body: CommentBody, createdAt: z.iso.datetime() }).meta({ id: 'Comment' });
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
