/** A length of time as people type it into a field: 45, 45m, 1:30, 1.5h. Pure. */
import { takeTime } from './lineTimes.ts';

/** Minutes; a number alone is minutes. NaN where it is no length, which every schema refuses. */
export function minutesOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const found = takeTime(text);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}
