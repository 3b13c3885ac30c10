/** Work grouped by due date (behaviour §20.1). Pure. */
import type { DayItem } from '../../overviews/myDay.ts';
import { weekRange } from '../../values/dates.ts';

const groupKeys = ['overdue', 'today', 'week', 'later', 'none'] as const;
type GroupKey = (typeof groupKeys)[number];

const todaysNames = { overdue: 'Overdue', today: 'Today', week: 'This week', later: 'Later', none: 'No date' };

/** `day`: the words of the day shown; null for today. */
export const groupNames = (day: string | null): Record<GroupKey, string> =>
  day === null ? todaysNames : { overdue: `Before ${day}`, today: day, week: 'Later that week', later: 'After that week', none: 'No date' };

export interface DayGroup {
  key: GroupKey;
  items: DayItem[];
  /** Remaining hours of the estimates; null without estimates. */
  hoursLeft: number | null;
}

interface ShownDay {
  day: string;
  today: string;
}

/** Non-empty groups in order, relative to the day shown. `planned`: a planned day of each item, in the user's time zone. Decisions are
 *  today's. */
export function groupsOf(items: readonly DayItem[], planned: ReadonlyMap<number, string>, { day, today }: ShownDay): DayGroup[] {
  const { to: sunday } = weekRange(day);
  const byDay = [...items].sort(
    (one, other) => Number(other.asked) - Number(one.asked) || compare(dayOf(one, planned), dayOf(other, planned)),
  );
  const groups = Map.groupBy(byDay, ({ id, due, asked }) => groupOf(due, planned.get(id), { day, sunday, asked: asked && day === today }));
  return groupKeys.flatMap((key) => {
    const own = groups.get(key);
    return own ? [{ key, items: own, hoursLeft: sumOf(own) }] : [];
  });
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const dayOf = ({ id, due }: DayItem, planned: ReadonlyMap<number, string>): string => earlier(due, planned.get(id)) ?? '9999';

const earlier = (due: string | null, planned: string | undefined): string | null =>
  due !== null && planned !== undefined ? (due < planned ? due : planned) : (due ?? planned ?? null);

function groupOf(
  due: string | null,
  planned: string | undefined,
  { day, sunday, asked }: { day: string; sunday: string; asked: boolean },
): GroupKey {
  if (due !== null && due < day) return 'overdue';
  const first = earlier(due, planned);
  if (asked || (first !== null && first <= day)) return 'today';
  if (first === null) return 'none';
  return first <= sunday ? 'week' : 'later';
}

function sumOf(items: readonly DayItem[]): number | null {
  const known = items.map((item) => item.leftHours).filter((hours) => hours !== null);
  return known.length ? known.reduce((sum, hours) => sum + hours, 0) : null;
}
