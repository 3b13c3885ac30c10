/** Finds the changes in a form with all fields: drops unchanged values, and tasks and people that no longer exist. Pure. */
import { z } from 'zod';
import { Id } from '../../values/text.ts';
import { dateOf } from '../../values/workdays.ts';
import type { ScopeTask } from './scopeRows.ts';

/** Unchecked numbers as typed: only changed values are validated. */
const Typed = z.union([z.number(), z.nan()]).nullable();
const Written = z.string().nullable();
const MOST = 1_000;

export const WhatIfValues = {
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
  away: z
    .array(z.strictObject({ id: Id, from: Written, to: Written }))
    .max(MOST)
    .default([]),
  blockers: z
    .array(z.strictObject({ id: Id, blockedBy: z.array(Typed).max(MOST) }))
    .max(MOST)
    .default([]),
};
export type WhatIfTask = z.infer<typeof WhatIfValues.tasks>[number];
export interface WhatIfValues {
  tasks: WhatIfTask[];
  people: z.infer<typeof WhatIfValues.people>;
  away: z.infer<typeof WhatIfValues.away>;
  blockers: z.infer<typeof WhatIfValues.blockers>;
}

const dateAt = (day: number | null): string | null => (day === null ? null : dateOf(day));

export const currentValues = ({ estimatedHours, assigneeId, progressPercent, startDay, dueDay }: ScopeTask) => ({
  estimatedHours,
  assigneeId,
  progressPercent,
  startDate: dateAt(startDay),
  dueDate: dateAt(dueDay),
});

export function changedValues(
  { tasks, people, away, blockers }: WhatIfValues,
  now: readonly ScopeTask[],
  hours: ReadonlyMap<number, number>,
  blocked: ReadonlyMap<number, ReadonlySet<number>> = new Map(),
): WhatIfValues {
  const known = new Map(now.map((task) => [task.id, task]));
  const changed = tasks.flatMap(({ id, ...asked }) => {
    const task = known.get(id);
    if (!task) return [];
    const is: Record<string, unknown> = currentValues(task);
    const left = Object.entries(asked).filter(([name, value]) => value !== undefined && value !== is[name]);
    return left.length > 0 ? [{ id, ...Object.fromEntries(left) }] : [];
  });
  return {
    tasks: changed,
    people: people.filter(({ id, weeklyHours }) => hours.has(id) && hours.get(id) !== weeklyHours),
    away: away.filter(({ id, from, to }) => hours.has(id) && from !== null && to !== null),
    blockers: blockers.filter(({ id, blockedBy }) => known.has(id) && !hasAll(blocked.get(id) ?? new Set(), blockedBy)),
  };
}

const hasAll = (stored: ReadonlySet<number>, given: readonly (number | null)[]): boolean =>
  stored.size === given.length && given.every((id) => id !== null && stored.has(id));
