/** Saves tried values: tasks with version checks, and people's hours, all or none (behaviour §24.5). */
import { z } from 'zod';
import { inAccount } from '../../access/accountAccessQueries.ts';
import { setWeeklyMinutes } from '../../accounts/queries.ts';
import { weeklyMinutes } from '../../accounts/schema.ts';
import type { Cursor } from '../../changes/cursor.ts';
import { ownTransaction } from '../../changes/readQueries.ts';
import { changeItems, mayWrite } from '../../items/changeItems.ts';
import { idsIn } from '../../items/decide.ts';
import { readFacts, type WriteFacts } from '../../items/queries.ts';
import { Version } from '../../items/schema.ts';
import type { Read, Write } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { atIndex, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import { MOST_CHANGES, TriedPeople, TriedTask } from './changes.ts';
import { scopeComputer } from './scopeComputer.ts';
import { readScope, readWeekParts, type Share, type WeekTask } from './scopeQueries.ts';
import type { PersonWeek } from './weekOf.ts';

const ApplyWhatIfInput = z
  .strictObject({
    workspaceId: Id,
    tasks: z.array(TriedTask.extend({ version: Version })).max(MOST_CHANGES, `apply at most ${MOST_CHANGES} tasks at once`),
    people: TriedPeople,
  })
  .check(({ value: { tasks, people }, issues }) => {
    if (tasks.length + people.length === 0)
      issues.push({ code: 'custom', path: ['tasks'], message: 'change something first', input: tasks });
    if (new Set(tasks.map(({ id }) => id)).size < tasks.length)
      issues.push({ code: 'custom', path: ['tasks'], message: 'give each task once', input: tasks });
  });
type ApplyWhatIfInput = z.infer<typeof ApplyWhatIfInput>;

export interface Applied {
  saved: Cursor;
}

export const applyWhatIf: Write<ApplyWhatIfInput, Applied, WriteFacts> = {
  name: 'applyWhatIf',
  input: ApplyWhatIfInput,
  audit: [{ kind: 'user.changed', about: (_permit, { people }) => people.map(({ id }) => ({ type: 'user', id })) }],

  async authorize(tx, caller, { workspaceId, tasks, people }) {
    if (people.length > 0) await inAccount(tx, caller, ['owner', 'admin']);
    const changes = tasks.map(changeOf);
    const permit = await readFacts(tx, caller, { workspaceId, ids: tasks.map(({ id }) => id), ...idsIn(changes) });
    for (const [index, { id }] of tasks.entries())
      atIndex(index, () => {
        const found = permit.items[id];
        if (!found) throw new Forbidden();
        mayWrite(permit, found.type);
        if (found.type !== 'task') throw new InvalidRequest(['id'], 'give a task.');
      });
    return permit;
  },

  async run(tx, permit, { tasks, people }) {
    if (tasks.length > 0)
      await changeItems(
        tx,
        permit,
        tasks.map((task) => ({ id: task.id, version: task.version, change: changeOf(task) })),
      );
    for (const { id, weeklyHours } of people) await setWeeklyMinutes(tx, permit, id, weeklyMinutes(weeklyHours));
    return { saved: await ownTransaction(tx) };
  },
};

function changeOf({ id: _, version: _version, ...fields }: ApplyWhatIfInput['tasks'][number]) {
  return { fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** Explains a person's week in the forecast: tasks with minutes, recorded and planned time (behaviour §24.2). */
const ExplainWeekInput = z.strictObject({
  workspaceId: z.number().int().min(0),
  personId: Id,
  week: CalendarDate,
});

export interface ExplainedWeek extends Omit<PersonWeek, 'tasks'> {
  tasks: WeekTask[];
  recorded: Share[];
  planned: Share[];
}

export const explainWeek: Read<z.infer<typeof ExplainWeekInput>, ExplainedWeek> = {
  name: 'explainWeek',
  input: ExplainWeekInput,
  async run(tx, caller, { workspaceId, personId, week }) {
    const { userId, rows } = await readScope(tx, caller, { workspaceId, from: week, personId });
    const found = await scopeComputer.weekOf(userId, { workspaceId, rows }, personId, week);
    if (!found) throw new Forbidden();
    const parts = await readWeekParts(tx, caller, { workspaceId, personId, monday: found.week.week, tasks: found.tasks });
    return { ...found, ...parts };
  },
};
