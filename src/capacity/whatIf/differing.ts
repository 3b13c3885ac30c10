/** Finds the changes in a form with all fields: drops unchanged values, and tasks and people that no longer exist. Pure. */
import { z } from 'zod';
import { Id } from '../../values/text.ts';
import { dateOf } from '../forecast/workdays.ts';
import type { ScopeTask } from './scopeQueries.ts';

/** Unchecked numbers as typed: only changed values are validated. */
const Typed = z.union([z.number(), z.nan()]).nullable();
const Written = z.string().nullable();
const MOST = 1_000;

export const Asked = {
  tasks: z
    .array(
      z.strictObject({
        id: Id,
        estimatedHours: Typed.optional(),
        assigneeId: Typed.optional(),
        progressPercent: Typed.optional(),
        startDate: Written.optional(),
        dueDate: Written.optional(),
      }),
    )
    .max(MOST),
  people: z.array(z.strictObject({ id: Id, weeklyHours: Typed })).max(MOST),
};
export type AskedTask = z.infer<typeof Asked.tasks>[number];
export interface Asked {
  tasks: AskedTask[];
  people: z.infer<typeof Asked.people>;
}

const dateAt = (day: number | null): string | null => (day === null ? null : dateOf(day));

export const standing = ({ estimatedHours, assigneeId, progressPercent, startDay, dueDay }: ScopeTask) => ({
  estimatedHours,
  assigneeId,
  progressPercent,
  startDate: dateAt(startDay),
  dueDate: dateAt(dueDay),
});

export function differing({ tasks, people }: Asked, now: readonly ScopeTask[], hours: ReadonlyMap<number, number>): Asked {
  const known = new Map(now.map((task) => [task.id, task]));
  const changed = tasks.flatMap(({ id, ...asked }) => {
    const task = known.get(id);
    if (!task) return [];
    const is: Record<string, unknown> = standing(task);
    const left = Object.entries(asked).filter(([name, value]) => value !== undefined && value !== is[name]);
    return left.length > 0 ? [{ id, ...Object.fromEntries(left) }] : [];
  });
  return { tasks: changed, people: people.filter(({ id, weeklyHours }) => hours.has(id) && hours.get(id) !== weeklyHours) };
}
