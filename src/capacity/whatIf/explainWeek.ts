/** Explains a person's week in the forecast: tasks with minutes, recorded and planned time (behaviour §24.2). */
import { z } from 'zod';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { Forbidden } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import type { PersonCapacity, Week } from '../forecast/schema.ts';
import { ItemizedLoad } from '../forecast/weeks.ts';
import { dayOf } from '../forecast/workdays.ts';
import { computeScope } from './computeScope.ts';
import { readScopeRows, type ScopeTask } from './scopeQueries.ts';
import { readWeekTime, type Share } from './weekTimeQueries.ts';

const Input = z.strictObject({
  workspaceId: z.number().int().min(0),
  personId: Id,
  week: CalendarDate,
});

export interface ExplainedWeek {
  person: Pick<PersonCapacity, 'id' | 'name' | 'weeklyHours' | 'confirmed'>;
  week: Week;
  tasks: (Pick<ScopeTask, 'id' | 'workspaceId' | 'title' | 'status' | 'statusLabel'> & { minutes: number })[];
  recorded: Share[];
  planned: Share[];
}

export const explainWeek: Read<z.infer<typeof Input>, ExplainedWeek> = {
  name: 'explainWeek',
  input: Input,
  async run(tx, caller, { workspaceId, personId, week }) {
    const rows = await readScopeRows(tx, caller, { workspaceId, from: week, personId });
    const load = new ItemizedLoad(rows.people.length, rows.from, rows.today, dayOf(week));
    const person = [...computeScope(rows, load).people()].find(({ id }) => id === personId);
    if (!person) throw new Forbidden();
    const shares = load.sharesOf(rows.people.findIndex(({ id }) => id === personId));
    const tasks = rows.tasks
      .filter(({ id }) => shares.has(id))
      .map(({ id, workspaceId, title, status, statusLabel }) => ({ id, workspaceId, title, status, statusLabel, minutes: shares.get(id)! }))
      .sort((one, other) => other.minutes - one.minutes || one.id - other.id);
    const { weeks, id, name, weeklyHours, confirmed } = person;
    const time = await readWeekTime(tx, caller, workspaceId, personId, weeks[0]!.week);
    return { person: { id, name, weeklyHours, confirmed }, week: weeks[0]!, tasks, ...time };
  },
};
