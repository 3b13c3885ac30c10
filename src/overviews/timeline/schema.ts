/** A workspace's plan in time as its page asks for it, and what it is told (behaviour §26). */
import { z } from 'zod';
import type { ItemType } from '../../access/rights.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Id } from '../../values/text.ts';
import type { WorkspaceMembership } from '../../workspaces/membershipQueries.ts';
import type { Options } from '../../workspaces/schema.ts';
import type { View } from '../../workspaces/viewSchema.ts';
import { type ListRow, ListWork, type Person, type ShownForecast } from '../workList/schema.ts';

/** What has bars of its own. Goals are shown above what contributes to them, tasks where they are asked for. */
export const plannedTypes = ['requirement', 'release', 'milestone'] as const satisfies readonly ItemType[];

/** With the filters of a list. `type`, order and group don't count. */
export const ShowTimeline = ListWork.extend({
  /** The stretch that is looked at: where there is more than can be shown, what is nearest to it is. */
  from: CalendarDate,
  to: CalendarDate,
  /** Items whose tasks are shown. */
  opened: z.array(Id).max(20).default([]),
});
export type ShowTimeline = z.infer<typeof ShowTimeline>;

/** What is not set is null. */
export interface TimelineRow extends Pick<ListRow, 'id' | 'version' | 'type' | 'title' | 'status' | 'statusKey'> {
  startDate: string | null;
  dueDate: string | null;
  targetDate: string | null;
  assignee: Person | null;
  /** What it is part of; it stands among the rows wherever the reader sees it. */
  up: number | null;
  /** There are tasks straight below it. */
  opens: boolean;
  /** False of what is shown because of what is below it alone. */
  matched: boolean;
  /** For who may oversee the workspace's capacity. */
  forecast: ShownForecast | null;
}

export interface Timeline {
  membership: WorkspaceMembership;
  options: z.infer<typeof Options>;
  views: View[];
  /** The items of `within` that the reader sees. */
  named: { id: number; type: ItemType; title: string }[];
  /** What matches, all that it is part of, and the tasks of what is open, in no order. */
  rows: TimelineRow[];
  /** There is more with dates, and without, than is shown. */
  more: { dated: boolean; undated: boolean };
}
