/** Work grouped by due date (behaviour §20.1). Pure. */
import type { DayItem } from '../../overviews/myDay.ts';
import { weekRange } from '../../values/dates.ts';
import { keysOf } from '../../values/records.ts';

export const groupNames = { overdue: 'Overdue', today: 'Today', week: 'This week', later: 'Later', none: 'No date' } as const;
type GroupKey = keyof typeof groupNames;

export interface DayGroup {
  key: GroupKey;
  items: DayItem[];
  /** Remaining hours of the estimates; null without estimates. */
  hoursLeft: number | null;
}

/** Non-empty groups in order. `planned`: next planned day of each item, in the user's time zone. */
export function groupsOf(items: readonly DayItem[], planned: ReadonlyMap<number, string>, today: string): DayGroup[] {
  const { to: sunday } = weekRange(today);
  const byDay = [...items].sort(
    (one, other) => Number(other.asked) - Number(one.asked) || compare(dayOf(one, planned), dayOf(other, planned)),
  );
  return keysOf(groupNames).flatMap((key) => {
    const own = byDay.filter((item) => groupOf(item, planned.get(item.id), today, sunday) === key);
    return own.length ? [{ key, items: own, hoursLeft: sumOf(own) }] : [];
  });
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const dayOf = ({ id, due }: DayItem, planned: ReadonlyMap<number, string>): string => earlier(due, planned.get(id)) ?? '9999';

const earlier = (due: string | null, planned: string | undefined): string | null =>
  due !== null && planned !== undefined ? (due < planned ? due : planned) : (due ?? planned ?? null);

function groupOf({ due, asked }: DayItem, planned: string | undefined, today: string, sunday: string): GroupKey {
  if (due !== null && due < today) return 'overdue';
  const day = earlier(due, planned);
  if (asked || (day !== null && day <= today)) return 'today';
  if (day === null) return 'none';
  return day <= sunday ? 'week' : 'later';
}

function sumOf(items: readonly DayItem[]): number | null {
  const known = items.map((item) => item.leftHours).filter((hours) => hours !== null);
  return known.length ? known.reduce((sum, hours) => sum + hours, 0) : null;
}
