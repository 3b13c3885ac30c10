import { z } from 'zod';
import { Id } from '../values/text.ts';

export const ActivityFilter = z.strictObject({
  connectionId: Id.nullable(),
  /** '' for all. */
  tool: z.string(),
  outcome: z.enum(['all', 'ok', 'failed']),
  before: Id.nullable(),
});
export type ActivityFilter = z.infer<typeof ActivityFilter>;
