/** Sorts rows into a tree: children below parents, the earliest end first. Pure. */
import { endFieldOf } from '../../items/dependentMoves.ts';
import type { TimelineRow } from '../../overviews/timeline/showTimeline.ts';

export interface TimelineNode {
  row: TimelineRow;
  depth: number;
  /** Index of the row. */
  place: number;
  above: TimelineNode | null;
}

export interface TimelineTree {
  /** Rows that have a date or a descendant with a date. */
  lines: TimelineNode[];
  /** Rows without any date; they cannot be drawn. */
  undated: TimelineRow[];
}

export const endOf = (row: TimelineRow): string | null => row[endFieldOf(row)];

const LAST = '9999-99';

export function timelineTree(rows: readonly TimelineRow[], opened: readonly number[]): TimelineTree {
  const known = new Set(rows.map(({ id }) => id));
  const below = Map.groupBy(rows, ({ up }) => (up !== null && known.has(up) ? up : null));
  const soonest = soonestOf(below);
  // Unfolded rows show all tasks, even undated ones.
  const shown = (row: TimelineRow): boolean => soonest.get(row.id) !== LAST || (row.up !== null && opened.includes(row.up));
  const lines: TimelineNode[] = [];
  const undated: TimelineRow[] = [];
  const add = (of: number | null, depth: number, above: TimelineNode | null): void => {
    const rank = ({ type, id }: TimelineRow) => `${type === 'task' ? 1 : 0}${soonest.get(id)}`;
    const all = (below.get(of) ?? []).toSorted((a, b) => rank(a).localeCompare(rank(b)) || a.id - b.id);
    for (const row of all) {
      if (!shown(row)) {
        if (row.matched) undated.push(row);
        add(row.id, depth, above);
        continue;
      }
      const node = { row, depth, place: lines.length, above };
      lines.push(node);
      add(row.id, depth + 1, node);
    }
  };
  add(null, 0, null);
  return { lines, undated };
}

/** The earliest end (or start) of each row and its descendants. */
function soonestOf(below: ReadonlyMap<number | null, TimelineRow[]>): Map<number, string> {
  const soonest = new Map<number, string>();
  const look = (row: TimelineRow): string => {
    const own = endOf(row) ?? row.startDate ?? LAST;
    const least = (below.get(row.id) ?? []).map(look).reduce((a, b) => (a < b ? a : b), LAST);
    // Goals are sorted by their contributing work, because their own dates are far away.
    const found = own === LAST || (row.type === 'goal' && least !== LAST) ? least : own;
    soonest.set(row.id, found);
    return found;
  };
  for (const row of below.get(null) ?? []) look(row);
  return soonest;
}
