/** Scope and done work of a release over time (behaviour §38.7). Pure; days are UTC days. */
import { z } from 'zod';
import { addDays, daysBetween } from '../values/dates.ts';

/** Tasks that were created on a day, and done on a day or not yet. */
const Step = z.object({ created: z.string(), done: z.string().nullable(), tasks: z.number(), hours: z.number() });
export const BurnUp = z.object({ steps: z.array(Step), more: z.boolean() });
export type BurnUp = z.infer<typeof BurnUp>;

export interface BurnUpPoint {
  date: string;
  tasks: number;
  doneTasks: number;
  hours: number;
  doneHours: number;
}

const MOST_POINTS = 60;

/** Evenly spaced days from the first task to today, at most 60; none without tasks. */
export function burnUpPoints({ steps }: BurnUp, today: string): BurnUpPoint[] {
  const first = steps.map(({ created, done }) => (done !== null && done < created ? done : created)).sort()[0];
  if (first === undefined || first > today) return [];
  const apart = Math.max(1, Math.ceil(daysBetween(first, today) / (MOST_POINTS - 1)));
  const dates: string[] = [];
  for (let date = today; date > first; date = addDays(date, -apart)) dates.unshift(date);
  return [first, ...dates].map((date) => pointAt(steps, date));
}

function pointAt(steps: BurnUp['steps'], date: string): BurnUpPoint {
  const point = { date, tasks: 0, doneTasks: 0, hours: 0, doneHours: 0 };
  for (const { created, done, tasks, hours } of steps) {
    const isDone = done !== null && done <= date;
    if (created > date && !isDone) continue;
    point.tasks += tasks;
    point.hours += hours;
    if (!isDone) continue;
    point.doneTasks += tasks;
    point.doneHours += hours;
  }
  return point;
}
