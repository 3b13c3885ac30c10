/** Interprets a quick line. It is saved only if its meaning is still the one shown (behaviour §20.4–§20.7). */
import { type Choice, workForTime } from '../../overviews/workForTime.ts';
import { type QuickLine, readLine } from '../../time/quickLine.ts';
import { instantToLocal, localToInstant, todayIn } from '../../values/dates.ts';
import { call } from '../frame/call.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import type { PageRequest } from '../frame/page.ts';

export const MOST_TYPED = 300;

export interface Meaning {
  text: string;
  /** Why the line is not understood. */
  problem: string | null;
  line: QuickLine | null;
  /** Null while the user must choose from `choices`. */
  work: Choice | null;
  choices: readonly Choice[];
  note: string;
  counts: Counts | null;
  /** Represents everything that will be saved; compared before saving. */
  key: string;
}

/** The UTC day of recorded time. */
interface Counts {
  date: string;
  /** True if it differs from the typed day, or from the local day of the start. */
  elsewhere: boolean;
}

const nothing = { line: null, work: null, choices: [], note: '', counts: null, key: '' };

export const noMeaning: Meaning = { text: '', problem: null, ...nothing };

export async function understand(request: PageRequest, typed: string): Promise<Meaning> {
  const text = typed.trim().slice(0, MOST_TYPED);
  if (!text) return { text, problem: null, ...nothing };
  const clock = clockOf(request);
  const read = readLine(text, instantToLocal(clock.now, clock.zone));
  if ('problem' in read) return { text, problem: read.problem, ...nothing };
  const { line } = read;
  const skipped = skippedIn(line, clock.zone);
  if (skipped) return { text, problem: `The clocks in ${clock.zone} skip ${skipped}. Choose an earlier or later time.`, ...nothing };
  const { id, words } = line;
  const { work, choices, found } = await call(request, workForTime, { id, words, kind: kindOf(line) });
  const gone = id !== null && !work;
  const note = line.note || (found || gone ? '' : words);
  const problem = gone
    ? `You cannot ${kindOf(line) === 'time' ? 'log' : 'plan'} time on #${id}. Check the number, or type words of the title.`
    : null;
  const counts = countsOf(line, clock);
  return { text, problem, line, work, choices, note, counts, key: JSON.stringify([saved(line), work?.id ?? null, note, counts?.date]) };
}

const saved = (line: QuickLine) => (line.kind === 'span' ? [line.startLocal, line.endLocal, line.past] : [line.minutes, line.date]);

export const kindOf = (line: QuickLine): 'time' | 'plans' => (line.kind === 'span' && !line.past ? 'plans' : 'time');

function skippedIn(line: QuickLine, zone: string): string | null {
  if (line.kind !== 'span') return null;
  const found = [line.startLocal, line.endLocal].find((local) => localToInstant(local, zone) === 'skipped');
  return found ? found.slice(11) : null;
}

function countsOf(line: QuickLine, { zone, now }: Clock): Counts | null {
  if (line.kind === 'span') {
    if (!line.past) return null;
    const date = localToInstant(line.startLocal, zone).slice(0, 10);
    return { date, elsewhere: date !== line.startLocal.slice(0, 10) };
  }
  const utc = todayIn('UTC', now);
  const date = line.date > utc ? utc : line.date;
  return { date, elsewhere: date !== line.date };
}
