import { type Days, type DueWanted, EVER, type Filters, NEVER, type StatusesWanted } from '../../items/findWork/filterQueries.ts';
import type { ListSought } from '../../items/findWork/listQueries.ts';
import { daysOf } from '../../items/findWork/orderQueries.ts';
import { dueWindow } from '../../values/dates.ts';
import { closedStatuses, statuses } from '../../workspaces/statuses.ts';
import type { DueBucket, ListWork } from './schema.ts';

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

export function closedWanted(asked: Pick<ListWork, 'status' | 'archived'>): boolean[] {
  const { closed, statuses: named, keys } = statusesWanted(asked);
  if (keys.length) return [false, true];
  return [false, true].filter((one) => closed.includes(one) || named.some((status) => closedStatuses.includes(status) === one));
}

/** True if the filter excludes closed work. Everything due before today is then overdue. */
export const openOnly = (asked: Pick<ListWork, 'status' | 'archived'>): boolean => !closedWanted(asked).includes(true);

/** The list as input of the finder. */
export function soughtBy(wanted: ListWork): ListSought {
  const { type, group, sort, reverse, after, limit, today } = wanted;
  return { types: [type], closed: closedWanted(wanted), filters: filtersOf(wanted), ...{ group, sort, reverse, after, limit, today } };
}

export function filtersOf(wanted: ListWork): Filters {
  const { assignee, priority, due, within, mine, search, archived } = wanted;
  const status = statusesWanted(wanted);
  return {
    // The rest is the sought `closed`.
    status: status.statuses.length + status.keys.length ? status : undefined,
    archived: archived || undefined,
    assignee: assignee.length ? assignee : undefined,
    priority: priority.length ? priority : undefined,
    due: due.length ? dueWanted(wanted) : undefined,
    within: within.length ? within : undefined,
    mine: mine || undefined,
    text: search === undefined ? undefined : { search },
  };
}

/** Any of these may match. `overdue` matches only open work. */
function dueWanted({ due, today }: ListWork): DueWanted {
  const ranges: Days[] = [];
  for (const one of due) {
    if (one === 'overdue') continue;
    if (one === 'next7Days' || one === 'nextWeek') ranges.push(bounded(dueWindow(one, today)));
    else if (one.includes('..')) ranges.push(between(one));
    else ranges.push(daysOf(one as DueBucket, today));
  }
  return due.includes('overdue') ? { ranges, overdueTo: daysOf('overdue', today).to } : { ranges };
}

const bounded = ({ from, to }: { from: string | null; to: string | null }): Days => ({ from: from ?? EVER, to: to ?? NEVER });

function between(range: string): Days {
  const [from, to] = range.split('..');
  return { from: from || EVER, to: to || NEVER };
}
