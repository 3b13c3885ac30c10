/** Input and output of the timeline page (behaviour §26). */
import { z } from 'zod';
import type { ItemType } from '../../access/rights.ts';
import { Link } from '../../items/relationSchema.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Id } from '../../values/text.ts';
import { ListWork } from '../workList/input.ts';
import { StoredRow } from '../workList/rowQueries.ts';
import { Person, ShownForecast } from '../workList/schema.ts';

/** Types with their own bars. Goals appear above their contributing items, tasks when a row is open. */
export const plannedTypes = ['requirement', 'release', 'milestone'] as const satisfies readonly ItemType[];

/** The list's filters. `type`, order and group are ignored. */
export const ShowTimeline = ListWork.extend({
  /** The displayed period. If there are too many items, the nearest ones are shown. */
  from: CalendarDate,
  to: CalendarDate,
  opened: z.array(Id).max(20).default([]),
});
export type ShowTimeline = z.infer<typeof ShowTimeline>;

export const TimelineRow = StoredRow.pick({ id: true, version: true, type: true, title: true, status: true, statusKey: true }).extend({
  startDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  targetDate: z.string().nullable(),
  assignee: Person.nullable(),
  /** The item above it, which is in `rows` if the reader sees it. */
  up: z.number().nullable(),
  opens: z.boolean(),
  /** False if it is included only for items below it. */
  matched: z.boolean(),
  forecast: ShownForecast.nullable(),
  /** Whole days in the period on which its assignee, or without one its owner, is absent. */
  away: z.array(z.object({ from: z.string(), to: z.string() })).nullable(),
  /** Region of the public holidays: the same person's, or the account's if there is no person. */
  region: z.string().nullable(),
  /** Blockers in `rows`. */
  blockedBy: z.array(Link).nullable(),
});
export type TimelineRow = z.infer<typeof TimelineRow>;

export const TimelineHoliday = z.object({ region: z.string(), day: z.string(), name: z.string() });
export type TimelineHoliday = z.infer<typeof TimelineHoliday>;
