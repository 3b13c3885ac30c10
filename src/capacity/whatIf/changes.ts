/** Values that a what-if tries (behaviour §24.4, §34.14). */
import { z } from 'zod';
import { WeeklyHours } from '../../accounts/schema.ts';
import { Hours, Percent } from '../../items/fields.ts';
import { CalendarDate, daysBetween } from '../../values/dates.ts';
import { Id } from '../../values/text.ts';

export const MOST_CHANGES = 100;

export const TriedTask = z.strictObject({
  id: Id,
  assigneeId: Id.nullable().optional(),
  estimatedHours: Hours.optional(),
  progressPercent: Percent.optional(),
  startDate: CalendarDate.nullable().optional(),
  dueDate: CalendarDate.nullable().optional(),
});
export type TriedTask = z.infer<typeof TriedTask>;

export const MOST_PEOPLE = 20;

/** Null: not confirmed, so 40 hours. */
export const TriedPeople = z
  .array(z.strictObject({ id: Id, weeklyHours: WeeklyHours }))
  .max(MOST_PEOPLE, `try the hours of at most ${MOST_PEOPLE} people at once`);

const MOST_DAYS_AWAY = 366;
/** Absences are only tried: the person or an administrator enters them. */
const TriedAway = z
  .array(
    z
      .strictObject({ id: Id, from: CalendarDate, to: CalendarDate })
      .refine(({ from, to }) => from <= to && daysBetween(from, to) < MOST_DAYS_AWAY, {
        path: ['to'],
        error: 'give a last day within a year after the first',
      }),
  )
  .max(MOST_PEOPLE, `try the absences of at most ${MOST_PEOPLE} people at once`);

/** All blockers of a task, instead of those that are stored. Blockers that the caller does not see stay. */
const TriedBlockers = z
  .array(z.strictObject({ id: Id, blockedBy: z.array(Id).max(50, 'give at most 50 blockers') }))
  .max(MOST_CHANGES, `try the blockers of at most ${MOST_CHANGES} tasks at once`);

export const Changes = z.strictObject({
  tasks: z.array(TriedTask).max(MOST_CHANGES, `try at most ${MOST_CHANGES} tasks at once`),
  people: TriedPeople,
  away: TriedAway.default([]),
  blockers: TriedBlockers.default([]),
});
export type Changes = z.infer<typeof Changes>;
