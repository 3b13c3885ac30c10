/** Series of recurring tasks (behaviour §37.9). */
import { z } from 'zod';

/** When the next task is made: on its day, or when the latest one is closed. */
export const modes = ['day', 'closed'] as const;
export type Mode = (typeof modes)[number];

export const reasons = ['access', 'failed', 'stopped', 'finished', 'archived'] as const;
export type Reason = (typeof reasons)[number];

const stored = {
  rule: z.string(),
  startsOn: z.string(),
  lastOn: z.string(),
  nextOn: z.string().nullable(),
  mode: z.enum(modes),
  state: z.enum(['active', 'paused', 'ended']),
  reason: z.enum(reasons).nullable(),
};

/** A series as shown to readers of one of its tasks. */
export const Series = z.object({
  ...stored,
  /** Of a paused series: why its next task could not be made. Continues after "paused:". */
  problem: z.string().nullable(),
  revision: z.number(),
  setBy: z.object({ id: z.number(), name: z.string() }),
  /** The latest task; null if the reader can't see it. */
  latest: z.number().nullable(),
});
export type Series = z.infer<typeof Series>;

/** The series if it is active or paused. Null if it has ended: the task can then get a new one. */
export const currentSeries = (series: Series | null): Series | null => (series?.state === 'ended' ? null : series);

export const HeldSeries = z.object({
  ...stored,
  id: z.number(),
  accountId: z.number(),
  workspaceId: z.number(),
  itemId: z.number(),
  userId: z.number(),
  revision: z.number(),
});
export type HeldSeries = z.infer<typeof HeldSeries>;
