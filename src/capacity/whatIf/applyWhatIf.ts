/** Saves tried values: tasks with version checks, and people's hours, all or none (behaviour §24.5). */
import { z } from 'zod';
import { inAccount } from '../../access/accountAccessQueries.ts';
import type { Permit } from '../../access/caller.ts';
import { setWeeklyMinutes } from '../../accounts/queries.ts';
import { weeklyMinutes } from '../../accounts/schema.ts';
import { ownTransaction } from '../../changes/commitQueries.ts';
import type { Cursor } from '../../changes/cursor.ts';
import { changeItems, mayWrite } from '../../items/changeItems.ts';
import { idsIn } from '../../items/decide.ts';
import { readFacts, type WriteFacts } from '../../items/queries.ts';
import { Version } from '../../items/schema.ts';
import type { Write } from '../../operations/operation.ts';
import { atIndex, Forbidden, InvalidRequest } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import { MOST_CHANGES, MOST_PEOPLE, TriedPeople, TriedTask } from './whatIf.ts';

const Input = z
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
type Input = z.infer<typeof Input>;

export interface Applied {
  saved: Cursor;
}

export const applyWhatIf: Write<Input, Applied, WriteFacts> = {
  name: 'applyWhatIf',
  input: Input,
  audit: Array.from({ length: MOST_PEOPLE }, (_, n) => ({
    kind: 'user.changed',
    when: (_permit: Permit & WriteFacts, { people }: Input) => people.length > n,
    about: (_permit: Permit & WriteFacts, { people }: Input) => ({ type: 'user', id: people[n]!.id }) as const,
  })),

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

function changeOf({ id: _, version: _version, ...fields }: Input['tasks'][number]) {
  return { fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}
