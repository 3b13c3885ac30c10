/** Lists of work as their pages ask for them, and what they are told (behaviour §19.1). */
import { z } from 'zod';
import { type ItemType, itemTypes } from '../../access/rights.ts';
import type { Explained } from '../../capacity/forecast/explained.ts';
import type { ProjectForecast } from '../../capacity/forecast/schema.ts';
import { CalendarDate, isDate } from '../../values/dates.ts';
import { Id, Text } from '../../values/text.ts';
import type { WorkspaceMembership } from '../../workspaces/membershipQueries.ts';
import type { Left } from '../../workspaces/roles.ts';
import type { Options } from '../../workspaces/schema.ts';
import { type Status, statuses } from '../../workspaces/statuses.ts';
import type { View } from '../../workspaces/viewSchema.ts';

export const groupings = ['none', 'status', 'assignee', 'parent', 'due', 'priority'] as const;
export type Grouping = (typeof groupings)[number];

/** What a list can be sorted by; each has a direction that comes first. */
export const SortColumn = z.enum([
  ...(['due', 'priority', 'id', 'title', 'status', 'assignee', 'owner', 'estimate', 'progress'] as const),
  ...(['score', 'target', 'version', 'current'] as const),
]);
export type SortColumn = z.infer<typeof SortColumn>;

/** Windows of due days; `earlier` is overdue, and closed work that was due then. */
export const dueBuckets = ['overdue', 'today', 'week', 'later', 'none'] as const;
export type DueBucket = (typeof dueBuckets)[number];
export const dueChoices = [...dueBuckets, 'next7Days', 'nextWeek'] as const;
export type DueChoice = (typeof dueChoices)[number];
/** A choice, or days from..to, either left out. */
export const isDays = (text: string): boolean => {
  const days = text.split('..');
  return days.length === 2 && days.some((day) => day !== '') && days.every((day) => day === '' || isDate(day));
};
const Due = z.union([z.enum(dueChoices), z.string().refine(isDays, 'give days as 2026-03-01..2026-03-31')]);

const MOST_VALUES = 50;
const several = <T extends z.ZodType>(one: T) => z.array(one).max(MOST_VALUES, `give at most ${MOST_VALUES}`).default([]);

export const ListWork = z.strictObject({
  workspaceId: Id,
  /** The first one that the caller may read, when left out or out of reach. */
  type: z.enum(itemTypes).default('task'),
  /** Any of these: open, closed, all, a canonical status, or `key:` and a key. */
  status: several(z.union([z.enum(['open', 'closed', 'all', ...statuses]), z.string().startsWith('key:').max(104)])),
  assignee: several(z.union([z.enum(['me', 'unassigned']), Id])),
  /** Keys; '' is none. */
  priority: several(Text(0, 100)),
  due: several(Due),
  /** Linked straight below any of these. */
  within: several(Id),
  /** Assigned to the caller, or owned by them. */
  mine: z.boolean().default(false),
  search: Text(1, 300).optional(),
  archived: z.boolean().default(false),
  group: z.enum(groupings).default('none'),
  sort: SortColumn.default('due'),
  /** Against the column's usual direction. */
  reverse: z.boolean().default(false),
  /** `next` of the page before. */
  after: z.string().max(4_000).optional(),
  limit: z.int().min(1).max(1_000).default(50),
  /** The reader's. */
  today: CalendarDate,
});
export type ListWork = z.infer<typeof ListWork>;

export const boardGroupings = ['status', 'assignee', 'priority'] as const satisfies readonly Grouping[];

/** By status closed columns are folded, which costs no cards, but for those that are named. */
export const BoardWork = ListWork.extend({
  group: z.enum(boardGroupings).default('status'),
  unfolded: z.array(z.string().max(100)).max(50).default([]),
});
export type BoardWork = z.infer<typeof BoardWork>;

export interface Person {
  id: number;
  name: string;
  kind: 'person' | 'service';
  /** Why they are no active member of the workspace. */
  left?: Left | null;
}

/** One row. What is not set is left out. */
export interface ListRow {
  id: number;
  version: number;
  type: ItemType;
  title: string;
  status: Status;
  statusKey: string;
  priorityKey?: string;
  assignee?: Person;
  owner?: Person;
  /** Due day, or target where the type has no due day. */
  due?: string;
  targetDate?: string;
  estimatedHours?: number;
  progressPercent?: number;
  blockedReason?: string;
  /** What it is part of, as far as the reader sees it. */
  up?: { id: number; type: ItemType; title: string };
  changedSinceApproval?: true;
  archived?: true;
  /** Of its group. */
  group: string;
  /** Straight below it, cancelled work apart; `more`: there are more than were looked at. */
  below?: { done: number; total: number; more: boolean };
  /** Reach x impact x confidence / effort. */
  score?: number;
  /** Among the open requirements of the workspace that the reader sees. */
  rank?: number;
  /** What was decided last. */
  approval?: 'requested' | 'approved' | 'rejected';
  target?: number;
  current?: number;
  /** The first value of `current` that is known. */
  first?: number;
  unit?: string;
  versionLabel?: string;
  /** For who may oversee the workspace's capacity. */
  forecast?: ShownForecast;
}

export interface ShownForecast extends Pick<ProjectForecast, 'forecastDate' | 'bufferedDate' | 'outlook'> {
  explained?: Explained | null;
}

export interface ListGroup {
  /** A status's or priority's key, a user's or item's id, or a bucket of days; '' is none. */
  key: string;
  count: number;
  /** It was not counted to its end: hours are of no use then, and may be 0. */
  more: boolean;
  estimated: number;
  remaining: number;
}

export interface WorkList {
  membership: WorkspaceMembership;
  options: z.infer<typeof Options>;
  type: ItemType;
  /** As asked for, unless so much matches that only its usual order can be had. */
  order: { group: Grouping; sort: SortColumn; reverse: boolean };
  /** In order; those that were not reached when counting are missing. */
  groups: ListGroup[];
  rows: ListRow[];
  /** For `after`; null on the last page. */
  next: string | null;
  /** The items of `within` that the reader sees. */
  named: { id: number; type: ItemType; title: string }[];
  views: View[];
}
