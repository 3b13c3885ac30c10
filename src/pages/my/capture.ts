/** Readings of one line that makes a task, records time or plans it (behaviour §20.4–§20.7): for My day's line and the palette. */
import { bits, holds } from '../../access/rights.ts';
import { numbersIn } from '../../items/quickAdd.ts';
import { savedOf, type UnderstoodWork, understandWork } from '../../items/understandWork.ts';
import { searchEverywhere } from '../../overviews/searchEverywhere.ts';
import { type Choice, workForTime } from '../../overviews/workForTime.ts';
import { durationHint, type QuickLine, readLine } from '../../time/quickLine.ts';
import { instantToLocal, localToInstant, todayIn } from '../../values/dates.ts';
import { Forbidden } from '../../values/errors.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { hours } from '../frame/components/when.ts';
import type { PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { searchIn } from '../frame/widgets.ts';

export const MOST_TYPED = 300;

/** Time to log or plan. */
export interface TimeReading {
  line: QuickLine;
  /** Null while the user must choose from `choices`. */
  work: Choice | null;
  choices: readonly Choice[];
  /** True if the line names `choices`; otherwise they are the user's current work. */
  found: boolean;
  note: string;
  counts: Counts | null;
  problem: string | null;
}

/** The item that is meant, or those to choose from. */
export const itemsOf = ({ work, choices }: TimeReading): readonly Choice[] => (work ? [work] : choices);

/** The UTC day of recorded time. */
interface Counts {
  date: string;
  /** True if it differs from the typed day, or from the local day of the start. */
  elsewhere: boolean;
}

export interface TaskReading {
  workspaceId: number;
  work: UnderstoodWork;
}

export type Does = 'task' | 'time';

export interface Capture {
  text: string;
  /** The reading that Enter carries out. Null: the user chooses. */
  does: Does | null;
  task: TaskReading | null;
  time: TimeReading | null;
  /** Why the line cannot be carried out. */
  problem: string | null;
  /** Represents everything that will be saved; compared with the key that was shown. */
  key: string;
}

export const nothingTyped: Capture = { text: '', does: null, task: null, time: null, problem: null, key: '' };

export interface Placed {
  /** The workspace of new tasks whose line names no parent. Null: the user may not add tasks. */
  workspaceId: number | null;
  /** Assignee of new tasks whose line names none. */
  personId?: number;
  /** The day of time whose line names none; today if left out. */
  day?: string;
}

export async function captured(request: PageRequest, typed: string, placed: Placed): Promise<Capture> {
  const text = searchIn(typed, MOST_TYPED);
  if (!text) return nothingTyped;
  const clock = clockOf(request);
  const read = readLine(text, instantToLocal(clock.now, clock.zone), placed.day);
  const time = 'line' in read ? await readTime(request, read.line, clock) : null;
  const task = await readTask(request, text, placed);
  const does = doesOf(task, time);
  const problem = problemOf(does, task, time, 'problem' in read ? read.problem : null);
  return { text, does, task, time, problem, key: problem ? '' : keyOf(does, task, time) };
}

/** A title makes a task; only a time and a number make time. Otherwise the line says which, or the user chooses. */
function doesOf(task: TaskReading | null, time: TimeReading | null): Does | null {
  const { words = {}, labels = [], unmatched = [], title = '' } = task?.work ?? {};
  if (!time) return task && title !== '' ? 'task' : null;
  const { about } = time.line;
  const named = time.line.words || time.line.note;
  if (!task || title === '' || named === '') return 'time';
  if (words.personId || words.priorityKey || labels.length || unmatched.some((word) => /^[@~]/.test(word))) return 'task';
  if (about === 'said') return 'time';
  return about === 'leading' && time.found && time.problem === null ? null : 'task';
}

function problemOf(does: Does | null, task: TaskReading | null, time: TimeReading | null, notTime: string | null): string | null {
  if (does === 'task') return task?.work.faults.join(' ') || null;
  if (does === 'time') return time?.problem ?? null;
  if (time) return null;
  // A line with a time that can't be used is no title.
  return notTime === null || notTime === durationHint ? (task?.work.faults[0] ?? notTime) : notTime;
}

function keyOf(does: Does | null, task: TaskReading | null, time: TimeReading | null): string {
  if (does === 'task') return task ? JSON.stringify([task.workspaceId, savedOf(task.work)]) : '';
  return does === 'time' && time ? JSON.stringify(savedTime(time)) : '';
}

const savedTime = ({ line, work, note, counts }: TimeReading): unknown[] => [
  ...(line.kind === 'span' ? [line.startLocal, line.endLocal, line.past] : [line.minutes, line.date]),
  work?.id ?? null,
  note,
  counts?.date,
];

/** The length and the day of a line. */
export const spanIn = (line: QuickLine): { length: string; date: string } =>
  line.kind === 'duration'
    ? { length: hours(line.minutes), date: line.date }
    : { length: `${line.startLocal.slice(11)}–${line.endLocal.slice(11)}`, date: line.startLocal.slice(0, 10) };

export const kindOf = (line: QuickLine): 'time' | 'plans' => (line.kind === 'span' && !line.past ? 'plans' : 'time');

/** Null if the user may not record time anywhere. */
async function readTime(request: PageRequest, line: QuickLine, clock: Clock): Promise<TimeReading | null> {
  const { id, words } = line;
  const skipped = skippedIn(line, clock.zone);
  const { work, choices, found } = await call(request, workForTime, { id, words, kind: kindOf(line) });
  const gone = id !== null && !work;
  if (!gone && !work && choices.length === 0) return null;
  const problem = skipped
    ? `The clocks in ${clock.zone} skip ${skipped}. Choose an earlier or later time.`
    : gone
      ? `You cannot ${kindOf(line) === 'time' ? 'log' : 'plan'} time on #${id}. Check the number, or type words of the title.`
      : null;
  const counts = skipped ? null : countsOf(line, clock);
  return { line, work, choices: gone ? [] : choices, found, note: line.note || (found || gone ? '' : words), counts, problem };
}

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

/** Null if the user may not create a task there. A parent decides the workspace. */
async function readTask(request: PageRequest, line: string, { workspaceId: usual, personId }: Placed): Promise<TaskReading | null> {
  const [number] = numbersIn(line);
  const workspaceId = (number ? await workspaceOf(request, number) : null) ?? usual;
  const { today } = clockOf(request);
  if (workspaceId === null) return null;
  try {
    return {
      workspaceId,
      work: await call(request, understandWork, { workspaceId, type: 'task', line, today, ...(personId && { personId }) }),
    };
  } catch (error) {
    if (error instanceof Forbidden) return null;
    throw error;
  }
}

async function workspaceOf(request: PageRequest, number: number): Promise<number | null> {
  const { items } = await call(request, searchEverywhere, { q: `#${number}`, archived: false, limit: 1 });
  return items.find(({ id }) => id === number)?.workspaceId ?? null;
}

/** The first workspace where the user may add tasks, preferably `at`. */
export function workspaceForTasks({ user }: PageRequest, at: number | null = null): number | null {
  const may = (user.frame?.workspaces ?? []).filter(({ rights }) => holds(rights, bits('tasks', 'write')));
  return (may.find(({ id }) => id === at) ?? may[0])?.id ?? null;
}
