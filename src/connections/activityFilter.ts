/** Which calls of a person's own agents are shown. */
import { z } from 'zod';
import { Id } from '../values/text.ts';

export const ActivityFilter = z.strictObject({
  connectionId: Id.nullable(),
  /** '' for all. */
  tool: z.string(),
  outcome: z.enum(['all', 'ok', 'failed']),
  /** Ids below this one; null from the newest. */
  before: Id.nullable(),
});
export type ActivityFilter = z.infer<typeof ActivityFilter>;
