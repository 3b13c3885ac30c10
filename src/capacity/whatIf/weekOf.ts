/** A person's week in the forecast of a scope, with the minutes of its tasks (behaviour §24.2). Pure. */
import { elementAt } from '../../values/records.ts';
import { dayOf } from '../../values/workdays.ts';
import type { PersonCapacity, Week } from '../forecast/schema.ts';
import { ItemizedLoad } from '../forecast/weeks.ts';
import { computeScope } from './computeScope.ts';
import type { ScopeRows } from './scopeRows.ts';

/** Tasks of a week that are named. */
const MOST_TASKS = 50;

export interface PersonWeek {
  person: Pick<PersonCapacity, 'id' | 'name' | 'weeklyHours' | 'confirmed'>;
  week: Week;
  /** Most minutes first. */
  tasks: { id: number; minutes: number }[];
  /** Also of tasks that are not in `tasks`. */
  taskCount: number;
}

/** Null if the scope does not list the person. `day`: YYYY-MM-DD. */
export function weekOf(rows: ScopeRows, personId: number, day: string): PersonWeek | null {
  const load = new ItemizedLoad(rows.people.length, rows.from, rows.today, dayOf(day));
  const found = [...computeScope(rows, load).people()].find(({ id }) => id === personId);
  if (!found) return null;
  const shares = load.sharesOf(rows.people.findIndex(({ id }) => id === personId));
  const tasks = [...shares].map(([id, minutes]) => ({ id, minutes })).sort((a, b) => b.minutes - a.minutes || a.id - b.id);
  const { weeks, id, name, weeklyHours, confirmed } = found;
  const person = { id, name, weeklyHours, confirmed };
  return { person, week: elementAt(weeks, 0), tasks: tasks.slice(0, MOST_TASKS), taskCount: tasks.length };
}
