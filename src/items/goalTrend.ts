/** A goal's progress over time (behaviour §27.2, §27.3). Pure. */
import { z } from 'zod';

export const RecordedTrend = z.object({
  /** When the goal was created; null if older changes exist. */
  since: z.string().nullable(),
  changes: z.array(z.object({ at: z.string(), before: z.number().nullable(), after: z.number().nullable(), by: z.string() })),
});
export type RecordedTrend = z.infer<typeof RecordedTrend>;

export interface TrendPoint {
  /** An instant. */
  at: string;
  value: number;
  /** null for the value from before the first recorded change. */
  by: string | null;
}

export function pointsOf({ since, changes }: RecordedTrend): TrendPoint[] {
  const before = changes[0]?.before ?? null;
  const start = before !== null && since !== null ? [{ at: instant(since), value: before, by: null }] : [];
  return [...start, ...changes.flatMap(({ at, after, by }) => (after === null ? [] : [{ at: instant(at), value: after, by }]))];
}

/** Converts here because PostgreSQL writes its own format four times as fast as ISO 8601. */
const instant = (text: string): string => new Date(text).toISOString();

export interface Measured {
  current?: number | null | undefined;
  target?: number | null | undefined;
  first?: number | null | undefined;
}

/** Progress to the target, 0 to 1. A goal that began above its target counts down. Returns null if the direction is unknown. */
export function progressOf({ current, target, first }: Measured): number | null {
  if (current == null || target == null) return null;
  const began = first ?? current;
  if (began > target) return current < began ? share(began - current, began - target) : null;
  return target > 0 ? share(current, target) : Number(current >= target);
}

const share = (part: number, whole: number): number => Math.min(1, Math.max(0, part / whole));
