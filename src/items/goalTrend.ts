/** How far a goal has come, and by which steps (behaviour §27.2, §27.3). Pure. */
import { z } from 'zod';

/** The latest recorded changes of `current`, oldest first. */
export const RecordedTrend = z.object({
  /** When the goal was created; null when there are older changes. */
  since: z.string().nullable(),
  changes: z.array(z.object({ at: z.string(), before: z.number().nullable(), after: z.number().nullable(), by: z.string() })),
});
export type RecordedTrend = z.infer<typeof RecordedTrend>;

export interface TrendPoint {
  /** An instant. */
  at: string;
  value: number;
  /** null of what stood there before anything was recorded. */
  by: string | null;
}

/** What it stood at, one after the other; a value that was taken away is left out. */
export function pointsOf({ since, changes }: RecordedTrend): TrendPoint[] {
  const before = changes[0]?.before ?? null;
  const start = before !== null && since !== null ? [{ at: instant(since), value: before, by: null }] : [];
  return [...start, ...changes.flatMap(({ at, after, by }) => (after === null ? [] : [{ at: instant(at), value: after, by }]))];
}

/** PostgreSQL writes instants in its own form four times as fast as in ours. */
const instant = (text: string): string => new Date(text).toISOString();

export interface Measured {
  current?: number | null | undefined;
  target?: number | null | undefined;
  /** The first value that is known. */
  first?: number | null | undefined;
}

/** How much of the way to its target a goal has come, 0 to 1. One that began above its target comes down to it; null where nothing tells
 *  which way it goes. */
export function wayOf({ current, target, first }: Measured): number | null {
  if (current == null || target == null) return null;
  const began = first ?? current;
  if (began > target) return current < began ? share(began - current, began - target) : null;
  return target > 0 ? share(current, target) : Number(current >= target);
}

const share = (part: number, whole: number): number => Math.min(1, Math.max(0, part / whole));
