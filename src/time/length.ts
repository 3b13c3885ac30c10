/** Parses a length of time: 45, 45m, 1:30, 1.5h. Pure. */
import { takeTime } from './lineTimes.ts';

/** Returns minutes; a number alone means minutes. NaN if it is no length of time, which every schema refuses. */
export function minutesOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const found = takeTime(text);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}
