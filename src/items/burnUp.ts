/** Scope and done work of a release over time, from recorded changes (behaviour §38.7). Pure; days are UTC days. */
import { z } from 'zod';
import { addDays, daysBetween } from '../values/dates.ts';
import { inPieces } from '../values/pieces.ts';
import { elementAt } from '../values/records.ts';

const Id = z.number().nullable();
const links = { parentItemId: Id, requirementId: Id, releaseId: Id, parentId: Id };
/** Old and new value; null if the change did not affect it. */
const Pair = <Value extends z.ZodType>(value: Value) => z.tuple([value, value]).nullable();

/** Present values of an item that is or was below the release. */
const Item = z.object({
  ...links,
  id: z.number(),
  type: z.string(),
  status: z.string(),
  hours: z.number(),
  archived: z.boolean(),
  created: z.string(),
  completed: z.string().nullable(),
  /** The day of its first known change; null if there is none. */
  first: z.string().nullable(),
  /** JSON of Changes: parsed for a few items at a time, because a release may have thousands. */
  changes: z.string(),
});
/** Newest first, without its creation: day, kind, and the changed status, estimate, release, requirement, parent item and parent. */
const Changes = z.array(z.tuple([z.string(), z.string(), Pair(z.string()), Pair(Id), Pair(Id), Pair(Id), Pair(Id), Pair(Id)]));
export type RecordedChange = z.infer<typeof Changes>[number];
type Item = z.infer<typeof Item>;
export const BurnUp = z.object({ releaseId: z.number(), items: z.array(Item), more: z.boolean() });
export type BurnUp = z.infer<typeof BurnUp>;

export interface BurnUpPoint {
  date: string;
  tasks: number;
  doneTasks: number;
  hours: number;
  doneHours: number;
}

type State = Pick<Item, keyof typeof links | 'status' | 'hours' | 'archived'>;
interface History {
  isTask: boolean;
  /** Oldest first, each valid from its day. */
  states: { from: string; state: State }[];
}

const MOST_POINTS = 60;
/** Of items and points computed in one turn: milliseconds, even with the most changes. */
const PIECE = { items: 10, points: 5 };

/** Evenly spaced days from the first task in the release to today, at most 60; none without tasks. */
export async function burnUpPoints({ releaseId, items }: BurnUp, today: string): Promise<BurnUpPoint[]> {
  const all = new Map(await inPieces(items, (item): [number, History] => [item.id, historyOf(item)], PIECE.items));
  const tasks = [...all.values()].filter(({ isTask }) => isTask);
  let first = tasks.flatMap(({ states }) => states[0]?.from ?? []).sort()[0];
  if (first === undefined || first > today) return [];
  for (;;) {
    const apart = Math.max(1, Math.ceil(daysBetween(first, today) / (MOST_POINTS - 1)));
    const dates: string[] = [first];
    for (let date = addDays(first, 1 + ((daysBetween(first, today) - 1) % apart)); date <= today; date = addDays(date, apart))
      dates.push(date);
    const points = await inPieces(dates, (date) => pointAt(all, releaseId, date), PIECE.points);
    const begin = points.findIndex((point) => point.tasks > 0);
    if (begin < 0) return [];
    // Tasks may be older than their link to the release: repeat with shorter steps around the day when it got its first task.
    if (begin < 2 || apart === 1) return points.slice(begin);
    first = elementAt(points, begin - 1).date;
  }
}

/** Number of tasks that existed before their changes were recorded, such as imported ones. */
export const countUnrecorded = ({ items }: BurnUp): number => {
  const counts = ({ type, status, changes }: Item) => type === 'task' && (status !== 'cancelled' || changes !== '[]');
  return items.filter((item) => counts(item) && (item.first === null || item.created < item.first)).length;
};

/** Reverts the changes one by one. Before the first change, uses the days of creation and completion. */
function historyOf(item: Item): History {
  const states: History['states'] = [];
  let state: State = item;
  for (const [day, kind, status, hours, releaseId, requirementId, parentItemId, parentId] of Changes.parse(JSON.parse(item.changes))) {
    states.push({ from: day, state });
    state = {
      status: status ? status[0] : state.status,
      hours: hours ? (hours[0] ?? 0) : state.hours,
      releaseId: releaseId ? releaseId[0] : state.releaseId,
      requirementId: requirementId ? requirementId[0] : state.requirementId,
      parentItemId: parentItemId ? parentItemId[0] : state.parentItemId,
      parentId: parentId ? parentId[0] : state.parentId,
      archived: kind === 'item.archived' ? false : kind === 'item.restored' || state.archived,
    };
  }
  const { first, created, completed, type } = item;
  // Tasks are placed below other items, which may have been imported later.
  if (type !== 'task') return { isTask: false, states: [...states, { from: '', state }].reverse() };
  const known = completed !== null && (first === null || completed <= first);
  if (first !== null) states.push({ from: first, state });
  if (state.status === 'done') {
    if (known) states.push({ from: completed, state });
    state = { ...state, status: 'planned' };
  }
  if (first === null || created < first) states.push({ from: known && completed < created ? completed : created, state });
  return { isTask: true, states: states.reverse() };
}

const stateAt = ({ states }: History, date: string): State | undefined => states.findLast(({ from }) => from <= date)?.state;

function pointAt(all: ReadonlyMap<number, History>, releaseId: number, date: string): BurnUpPoint {
  const found = new Map<number, boolean>();
  const isBelow = (id: number | null): boolean => {
    if (id === null || id === releaseId) return id !== null;
    const known = found.get(id);
    if (known !== undefined) return known;
    found.set(id, false);
    const history = all.get(id);
    const state = history && stateAt(history, date);
    const below =
      state !== undefined && !state.archived && [state.parentItemId, state.requirementId, state.releaseId, state.parentId].some(isBelow);
    found.set(id, below);
    return below;
  };
  const point = { date, tasks: 0, doneTasks: 0, hours: 0, doneHours: 0 };
  for (const [id, history] of all) {
    const state = history.isTask && stateAt(history, date);
    if (!state || state.status === 'cancelled' || !isBelow(id)) continue;
    point.tasks++;
    point.hours += state.hours;
    if (state.status !== 'done') continue;
    point.doneTasks++;
    point.doneHours += state.hours;
  }
  return point;
}
