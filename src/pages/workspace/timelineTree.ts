/** Rows of a timeline in the order in which they stand: each below what it is part of, what ends first first. Pure. */
import type { TimelineRow } from '../../overviews/timeline/showTimeline.ts';

export interface TimelineNode {
  row: TimelineRow;
  depth: number;
  /** Its place among the lines, and that of what it is part of. */
  place: number;
  above: number | null;
}

export interface TimelineTree {
  /** Whatever has a date, or has something below it that does. */
  lines: TimelineNode[];
  /** The rest: of it nothing can be drawn. */
  undated: TimelineRow[];
}

export const endOf = ({ type, dueDate, targetDate }: TimelineRow): string | null => (type === 'task' ? dueDate : (targetDate ?? dueDate));

const LAST = '9999-99';

export function timelineTree(rows: readonly TimelineRow[], opened: readonly number[]): TimelineTree {
  const known = new Set(rows.map(({ id }) => id));
  const below = Map.groupBy(rows, ({ up }) => (up !== null && known.has(up) ? up : null));
  const soonest = soonestOf(below);
  // Whoever opened a row sees its tasks there, whether they have dates or not.
  const shown = (row: TimelineRow): boolean => soonest.get(row.id) !== LAST || (row.up !== null && opened.includes(row.up));
  const lines: TimelineNode[] = [];
  const undated: TimelineRow[] = [];
  const add = (of: number | null, depth: number, above: number | null): void => {
    const rank = ({ type, id }: TimelineRow) => `${type === 'task' ? 1 : 0}${soonest.get(id)}`;
    const all = (below.get(of) ?? []).toSorted((a, b) => rank(a).localeCompare(rank(b)) || a.id - b.id);
    for (const row of all) {
      if (!shown(row)) {
        if (row.matched) undated.push(row);
        add(row.id, depth, above);
        continue;
      }
      const place = lines.length;
      lines.push({ row, depth, place, above });
      add(row.id, depth + 1, place);
    }
  };
  add(null, 0, null);
  return { lines, undated };
}

/** The first end, or start, of each row and all below it. */
function soonestOf(below: ReadonlyMap<number | null, TimelineRow[]>): Map<number, string> {
  const soonest = new Map<number, string>();
  const look = (row: TimelineRow): string => {
    const own = endOf(row) ?? row.startDate ?? LAST;
    const least = (below.get(row.id) ?? []).map(look).reduce((a, b) => (a < b ? a : b), LAST);
    // A goal is far away: what contributes to it says when it is looked at.
    const found = own === LAST || (row.type === 'goal' && least !== LAST) ? least : own;
    soonest.set(row.id, found);
    return found;
  };
  for (const row of below.get(null) ?? []) look(row);
  return soonest;
}
