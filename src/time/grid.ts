/** What typing a total into a cell of the week grid means (behaviour §28.3, §28.4). Pure. */
import { takeTime } from './lineTimes.ts';
import { type EntryRow, isRunning } from './schema.ts';

/** Minutes of what is typed: as in the line, but a number alone is hours, and nothing is none. NaN where it is no length. */
export function cellMinutes(text: string): number {
  const typed = text.trim();
  if (typed === '') return 0;
  if (/^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed)) return Math.round(Number(typed.replace(',', '.')) * 60);
  const found = takeTime(typed);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}

/** An entry with its minutes of the cell's day. */
export interface Part {
  entry: EntryRow;
  minutes: number;
}

export interface Typed {
  minutes: number;
  /** What the cell held when it was shown; null: it is added to whatever the cell holds. */
  was: number | null;
}

export type Step =
  | { do: 'nothing' | 'moved' | 'running' | 'several' }
  | { do: 'add'; minutes: number }
  | { do: 'correct'; entry: EntryRow; minutes: number };

/** `parts`: what the cell is made of now. One entry by hand becomes what was typed; to all else the difference is added. */
export function stepOf(parts: readonly Part[], { minutes, was }: Typed): Step {
  if (was === null) return minutes === 0 ? { do: 'nothing' } : { do: 'add', minutes };
  if (parts.some(({ entry }) => isRunning(entry))) return { do: 'running' };
  const held = parts.reduce((sum, part) => sum + part.minutes, 0);
  if (held !== was) return { do: 'moved' };
  if (held === minutes) return { do: 'nothing' };
  // What was taken back, or took no minute, is no part of the sum.
  const [only, ...others] = parts.filter((part) => part.minutes > 0);
  if (only && others.length === 0 && only.entry.kind === 'manual') return { do: 'correct', entry: only.entry, minutes };
  return minutes > held ? { do: 'add', minutes: minutes - held } : { do: 'several' };
}
