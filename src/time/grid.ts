/** How a typed total changes a cell of the week grid (behaviour §28.3, §28.4). Pure. */
import { takeTime } from './lineTimes.ts';
import { type EntryRow, isRunning } from './schema.ts';

/** Converts cell text to minutes. A number alone means hours, empty text means 0. NaN if it is no length of time. */
export function cellMinutes(text: string): number {
  const typed = text.trim();
  if (typed === '') return 0;
  if (/^\d{1,3}(?:[.,]\d{1,4})?$/.test(typed)) return Math.round(Number(typed.replace(',', '.')) * 60);
  const found = takeTime(typed);
  return found?.time.kind === 'duration' && !found.before && !found.after ? found.time.minutes : Number.NaN;
}

export interface Part {
  entry: EntryRow;
  minutes: number;
}

export interface Typed {
  minutes: number;
  /** The cell's minutes when it was shown; null: adds to the current minutes. */
  was: number | null;
}

export type Step =
  | { do: 'nothing' | 'moved' | 'running' | 'several' }
  | { do: 'add'; minutes: number }
  | { do: 'correct'; entry: EntryRow; minutes: number };

/** `parts`: the cell's current entries. A single manual entry gets the typed value; otherwise the difference is added. */
export function stepOf(parts: readonly Part[], { minutes, was }: Typed): Step {
  if (was === null) return minutes === 0 ? { do: 'nothing' } : { do: 'add', minutes };
  if (parts.some(({ entry }) => isRunning(entry))) return { do: 'running' };
  const held = parts.reduce((sum, part) => sum + part.minutes, 0);
  if (held !== was) return { do: 'moved' };
  if (held === minutes) return { do: 'nothing' };
  // Ignores entries of 0 minutes.
  const [only, ...others] = parts.filter((part) => part.minutes > 0);
  if (only && others.length === 0 && only.entry.kind === 'manual') return { do: 'correct', entry: only.entry, minutes };
  return minutes > held ? { do: 'add', minutes: minutes - held } : { do: 'several' };
}
