/** Input of list pages (behaviour §19.1), and its conversion to filters of the finder. A filter is an entry in `valueFilters` or
 *  `flagFilters`, which addresses follow (pages/workspace/listAddress.ts), and a line in `filtersOf`. */
import { z } from 'zod';
import { itemTypes } from '../../access/rights.ts';
import { type Days, type DueWanted, FIRST_DATE, type Filters, LAST_DATE, type StatusesWanted } from '../../items/findWork/filterQueries.ts';
import type { ListSought } from '../../items/findWork/listQueries.ts';
import { type DueBucket, daysOf, dueBuckets, type Grouping, groupings, sortNames } from '../../items/findWork/orderQueries.ts';
import { CalendarDate, dueWindow, isDate } from '../../values/dates.ts';
import { Id, Text } from '../../values/text.ts';
import { closedStatuses, statuses } from '../../workspaces/statuses.ts';

export { type DueBucket, dueBuckets, type Grouping, groupings };

export const SortColumn = z.enum(sortNames);
export type SortColumn = z.infer<typeof SortColumn>;

export const dueChoices = [...dueBuckets, 'next7Days', 'nextWeek'] as const;
/** A range `from..to`; one side may be omitted. */
export const isDays = (text: string): boolean => {
  const days = text.split('..');
  return days.length === 2 && days.some((day) => day !== '') && days.every((day) => day === '' || isDate(day));
};
const Due = z.union([z.enum(dueChoices), z.string().refine(isDays, 'give days as 2026-03-01..2026-03-31')]);

const MOST_VALUES = 50;
const several = <T extends z.ZodType>(one: T) => z.array(one).max(MOST_VALUES, `give at most ${MOST_VALUES}`).default([]);

/** Filters with several values, any of which matches. In the order of addresses. */
export const valueFilters = {
  /** open, closed, all, a canonical status, or `key:` and a key. */
  status: several(z.union([z.enum(['open', 'closed', 'all', ...statuses]), z.string().startsWith('key:').min(5).max(104)])),
  assignee: several(z.union([z.enum(['me', 'unassigned']), Id])),
  /** Priority keys; '' means no priority. */
  priority: several(Text(0, 100)),
  due: several(Due),
  within: several(Id),
  /** Ids of labels: any of these, all of these, none of these. */
  label: several(Id),
  allLabels: several(Id),
  noLabel: several(Id),
};
const flag = z.boolean().default(false);
export const flagFilters = {
  /** Assigned to the caller or owned by them. */
  mine: flag,
  archived: flag,
};

export const ListWork = z.strictObject({
  workspaceId: Id,
  /** If omitted or not readable, the first type that the caller may read. */
  type: z.enum(itemTypes).default('task'),
  ...valueFilters,
  ...flagFilters,
  search: Text(1, 300).optional(),
  group: z.enum(groupings).default('none'),
  sort: SortColumn.default('due'),
  reverse: z.boolean().default(false),
  after: z.string().max(4_000).optional(),
  limit: z.int().min(1).max(1_000).default(50),
  /** Today in the reader's time zone. */
  today: CalendarDate,
});
export type ListWork = z.infer<typeof ListWork>;

export const boardGroupings = ['status', 'assignee', 'priority', 'label'] as const satisfies readonly Grouping[];

/** On a status board, closed columns are folded and read no cards, unless they are in `unfolded`. `full` columns have more cards. */
export const BoardWork = ListWork.extend({
  group: z.enum(boardGroupings).default('status'),
  unfolded: z.array(z.string().max(100)).max(50).default([]),
  full: z.array(z.string().max(100)).max(50).default([]),
});
export type BoardWork = z.infer<typeof BoardWork>;

/** Default: open work, or all work if archived items are requested. */
export function statusesWanted({ status, archived }: Pick<ListWork, 'status' | 'archived'>): StatusesWanted {
  const asked = status.length ? status : [archived ? 'all' : 'open'];
  const all = asked.includes('all');
  return {
    closed: [...(all || asked.includes('open') ? [false] : []), ...(all || asked.includes('closed') ? [true] : [])],
    statuses: statuses.filter((one) => asked.includes(one)),
    keys: asked.filter((one) => one.startsWith('key:')).map((one) => one.slice('key:'.length)),
  };
}

function closedWanted(asked: Pick<ListWork, 'status' | 'archived'>): boolean[] {
  const { closed, statuses: named, keys } = statusesWanted(asked);
  if (keys.length) return [false, true];
  return [false, true].filter((one) => closed.includes(one) || named.some((status) => closedStatuses.includes(status) === one));
}

/** True if the filter excludes closed work. Everything due before today is then overdue. */
export const openOnly = (asked: Pick<ListWork, 'status' | 'archived'>): boolean => !closedWanted(asked).includes(true);

export const hasSearch = ({ search }: Pick<ListWork, 'search'>): boolean => search !== undefined;

/** The list as input of the finder. */
export function soughtBy(wanted: ListWork): ListSought {
  const { type, group, sort, reverse, after, limit, today } = wanted;
  return { types: [type], closed: closedWanted(wanted), filters: filtersOf(wanted), ...{ group, sort, reverse, after, limit, today } };
}

export function filtersOf(wanted: ListWork): Filters {
  const { assignee, priority, due, within, label, allLabels, noLabel, mine, search, archived } = wanted;
  const status = statusesWanted(wanted);
  return {
    // The rest is the sought `closed`.
    status: status.statuses.length + status.keys.length ? status : undefined,
    archived: archived || undefined,
    assignee: assignee.length ? assignee : undefined,
    priority: priority.length ? priority : undefined,
    due: due.length ? dueWanted(wanted) : undefined,
    within: within.length ? within : undefined,
    labels: label.length + allLabels.length + noLabel.length ? { any: label, all: allLabels, none: noLabel } : undefined,
    mine: mine || undefined,
    text: search === undefined ? undefined : { search },
  };
}

/** An item matches if one of these conditions does. `overdue` matches only open work. */
function dueWanted({ due, today }: ListWork): DueWanted {
  const ranges: Days[] = [];
  for (const one of due) {
    if (one === 'overdue') continue;
    const bucket = dueBuckets.find((each) => each === one);
    if (bucket) ranges.push(daysOf(bucket, today));
    else ranges.push(one === 'next7Days' || one === 'nextWeek' ? bounded(dueWindow(one, today)) : between(one));
  }
  return due.includes('overdue') ? { ranges, overdueTo: daysOf('overdue', today).to } : { ranges };
}

const bounded = ({ from, to }: { from: string | null; to: string | null }): Days => ({ from: from ?? FIRST_DATE, to: to ?? LAST_DATE });

function between(range: string): Days {
  const [from, to] = range.split('..');
  return { from: from || FIRST_DATE, to: to || LAST_DATE };
}
