/** New dates for items that would start before their blockers end (behaviour §33.18). Pure. */
import { dateOf, dayOf, workdayAfter, workdayAt, workdayIndex } from '../values/workdays.ts';

export interface Dates {
  /** YYYY-MM-DD. An item with one date starts and ends on it. */
  start: string | null;
  end: string | null;
}

export interface Scheduled extends Dates {
  id: number;
  /** True for changed items and their dependents. Other items only provide dates. */
  follows: boolean;
  mayMove: boolean;
  /** Another date of the item, which a start may not pass. */
  latestStart: string | null;
  blockedBy: readonly { id: number; lagDays: number }[];
}

export interface DependentMoves<Item> {
  /** Blockers first. */
  moves: { item: Item; after: Dates }[];
  /** Items that start too early and cannot move. */
  held: Item[];
}

const LAST_DATE = '9999-12-31';

/** The field with an item's last day: the target date, unless only a due date is set. Tasks use the due date. */
export const endFieldOf = (item: { type: string; dueDate: string | null; targetDate: string | null }): 'dueDate' | 'targetDate' =>
  item.type === 'task' || (item.targetDate === null && item.dueDate !== null) ? 'dueDate' : 'targetDate';

/** An item moves only if it starts too early after an item that `follows`; then it starts as soon as all its blockers allow. */
export function dependentMoves<Item extends Scheduled>(items: readonly Item[]): DependentMoves<Item> {
  const following = new Map(items.filter(({ follows }) => follows).map((item) => [item.id, item]));
  const ends = new Map(items.map(({ id, end }) => [id, end]));
  const found: DependentMoves<Item> = { moves: [], held: [] };
  for (const item of blockersFirst(following)) {
    const first = item.start ?? item.end;
    const followed = item.blockedBy.filter(({ id }) => following.has(id));
    if (first === null || earliestStart(followed, ends) <= dayOf(first)) continue;
    const after = movedTo(item, first, earliestStart(item.blockedBy, ends));
    if (!after) {
      found.held.push(item);
      continue;
    }
    ends.set(item.id, after.end);
    found.moves.push({ item, after });
  }
  return found;
}

/** First day of an item whose blocker ends then, as in the forecast (behaviour §33.6). */
const startAfter = (end: string, lagDays: number): number => workdayAfter(dayOf(end), lagDays);

export const startsTooEarly = (first: string, blockerEnd: string, lagDays: number): boolean =>
  dayOf(first) < startAfter(blockerEnd, lagDays);

/** The earliest day that all blockers allow. Ignores blockers without an end date. */
function earliestStart(blockedBy: Scheduled['blockedBy'], ends: ReadonlyMap<number, string | null>): number {
  const starts = blockedBy.flatMap(({ id, lagDays }) => {
    const end = ends.get(id);
    return end ? [startAfter(end, lagDays)] : [];
  });
  return Math.max(Number.NEGATIVE_INFINITY, ...starts);
}

/** Keeps the number of working days, or of calendar days if there are no working days. Null if it cannot move there. */
function movedTo({ start, end, mayMove, latestStart }: Scheduled, first: string, day: number): Dates | null {
  const [from, to] = [dayOf(first), dayOf(end ?? first)];
  const workdays = workdayIndex(to + 1) - workdayIndex(from);
  const last = workdays > 0 ? workdayAt(workdayIndex(day) + workdays - 1) : day + to - from;
  const isLate = start !== null && latestStart !== null && day > dayOf(latestStart);
  if (!mayMove || isLate || last > dayOf(LAST_DATE)) return null;
  return { start: start && dateOf(day), end: end && dateOf(last) };
}

/** Every item after all its blockers. Items of a cycle are left out. */
function blockersFirst<Item extends Scheduled>(items: ReadonlyMap<number, Item>): Item[] {
  const waits = new Map<number, number>();
  const blocks = new Map<number, number[]>();
  for (const { id, blockedBy } of items.values()) {
    const blockers = blockedBy.filter((one) => items.has(one.id));
    waits.set(id, blockers.length);
    for (const blocker of blockers) blocks.set(blocker.id, [...(blocks.get(blocker.id) ?? []), id]);
  }
  const ready = ascending([...waits].flatMap(([id, count]) => (count === 0 ? [id] : [])));
  for (const id of ready)
    for (const next of ascending(blocks.get(id) ?? [])) {
      const left = (waits.get(next) ?? 0) - 1;
      waits.set(next, left);
      if (left === 0) ready.push(next);
    }
  return ready.flatMap((id) => items.get(id) ?? []);
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);
