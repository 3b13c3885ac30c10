import type { FrameData } from '../../overviews/signedIn.ts';

export type Done = NonNullable<FrameData['firstSteps']>;

/** Null when there is nothing to show. */
export function openSteps(data: Pick<FrameData, 'firstSteps'> | null): { done: number; of: number; steps: Done } | null {
  const steps = data?.firstSteps;
  if (!steps) return null;
  const all = Object.values(steps);
  const done = all.filter(Boolean).length;
  return done === all.length ? null : { done, of: all.length, steps };
}
