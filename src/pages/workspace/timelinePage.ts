import { mostTasks, plannedTypes, type Timeline, type TimelineHoliday, type TimelineRow } from '../../overviews/timeline/showTimeline.ts';
import type { ListPage } from './list.ts';
import type { ListAddress } from './listAddress.ts';
import { stretchOf, type TimelineRange } from './timelineChart.ts';
import { type TimelineTree, timelineTree } from './timelineTree.ts';

export interface TimelinePage extends ListPage {
  stretch: TimelineRange;
  tree: TimelineTree;
  /** Rows with more tasks than are shown. */
  cut: ReadonlySet<number>;
  more: Timeline['more'];
  /** Public holidays by region. */
  holidays: ReadonlyMap<string, TimelineHoliday[]>;
}

export function listedOf({ rows, more: _more, holidays: _holidays, ...found }: Timeline, { type }: ListAddress): ListPage['found'] {
  const titles = new Map(rows.map(({ id, type: of, title }) => [id, { id, type: of, title }]));
  const listed = rows.map(({ id, version, type: of, title, status, statusKey, assignee, up }) => {
    const above = up === null ? undefined : titles.get(up);
    return { id, version, type: of, title, status, statusKey, group: '', ...(assignee && { assignee }), ...(above && { up: above }) };
  });
  return { ...found, type, rows: listed, groups: [], next: null, order: { group: 'none', sort: 'due', reverse: false } };
}

export function timelinePage(page: ListPage, { rows, more, holidays }: Timeline): TimelinePage {
  const opened = page.address.tasks.map(Number);
  const cut = new Set<number>();
  const shown = opened.reduce<readonly TimelineRow[]>((all, id) => {
    const last = all.filter(({ type, up }) => type === 'task' && up === id).toSorted(byDue)[mostTasks(opened.length)];
    if (last) cut.add(id);
    return last ? all.filter((row) => row !== last) : all;
  }, rows);
  return {
    ...page,
    ...{ types: plannedTypes, stretch: stretchOf(page.address, page.clock), tree: timelineTree(shown, opened), cut, more },
    holidays: Map.groupBy(holidays, ({ region }) => region),
  };
}

const byDue = (a: TimelineRow, b: TimelineRow) => (a.dueDate ?? '9').localeCompare(b.dueDate ?? '9') || a.id - b.id;
