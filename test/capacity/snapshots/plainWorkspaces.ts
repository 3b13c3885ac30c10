/** Random workspaces for fast-check with everything that behaviour §6 counts, their rows, and what the plain model makes of them. */
import fc from 'fast-check';
import type { World } from '../../support/timeWorld.ts';
import type { ForecastInput } from '../forecast/forecast.ts';
import type { Container, Task } from '../forecast/inputs.ts';
import { insert, Office } from './anyDay.ts';
import { arbitraryScope } from './scopes.ts';

interface Entry {
  /** Place among the people. */
  person: number;
  date: string;
  minutes: number;
}

/** What a scope lacks: `parent`: place of another task above; the `archived` and all below them are hidden. */
interface More {
  parent: number | null;
  archived: boolean;
  entries: Entry[];
}

export interface Plain {
  scope: ForecastInput;
  more: More[];
  /** Of each person: places of the workspaces, of two, in which they are members; whether they are active. */
  people: { member: number[]; active: boolean }[];
  regions: (string | null)[];
  holidays: { region: string; day: number; half: boolean }[];
}

const day = fc.integer({ min: 0, max: 150 }).map((days) => new Date(Date.UTC(2025, 11, 15 + days)).toISOString().slice(0, 10));

export const arbitraryPlain: fc.Arbitrary<Plain> = arbitraryScope.chain((scope) => {
  const headcount = scope.people.length;
  const entry = fc.record({ person: fc.nat(headcount - 1), date: day, minutes: fc.integer({ min: 1, max: 1440 }) });
  return fc.record({
    scope: fc.constant(scope),
    more: fc.array(
      fc.record({
        parent: fc.option(fc.nat(11), { freq: 2 }),
        archived: fc.integer({ min: 0, max: 11 }).map((n) => n === 0),
        entries: fc.array(entry, { maxLength: 3 }),
      }),
      { minLength: scope.tasks.length, maxLength: scope.tasks.length },
    ),
    people: fc.array(
      fc.record({
        member: fc.constantFrom([0], [1], [0, 1], [0, 1], [0, 1], []),
        active: fc.integer({ min: 0, max: 7 }).map((n) => n > 0),
      }),
      { minLength: headcount, maxLength: headcount },
    ),
    regions: fc.array(fc.constantFrom('PT', 'PL', null), { minLength: headcount, maxLength: headcount }),
    holidays: fc.uniqueArray(
      fc.record({ region: fc.constantFrom('PT', 'PL'), day: fc.integer({ min: 20_437, max: 20_587 }), half: fc.boolean() }),
      { maxLength: 8, selector: ({ region, day: on }) => `${region} ${on}` },
    ),
  });
});

const weekday = (date: string): number => (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7;

/** Items with an even id are in the first workspace, those with an odd id in the second. Links stay within a workspace. */
const placeOf = (id: number) => id % 2;
const near = (id: number | null, of: number) => (id !== null && placeOf(id) === placeOf(of) ? id : null);

interface Rows {
  containers: Container[];
  /** In an order in which a task follows the one above it. `milestoneId` or `parent`, not both. */
  tasks: (Task & { parent: number | null; archived: boolean; entries: Entry[] })[];
  dependencies: ForecastInput['dependencies'];
}

/** The scope, as far as the service allows it: no links between workspaces, no loops, no start after the due date, one parent. */
function allowed({ scope, more }: Plain): Rows {
  const containers = scope.containers.map((one) => ({
    ...one,
    status: one.status === 'approved' && one.type === 'milestone' ? 'planned' : one.status,
    // A release has no due date.
    dueDate: one.type === 'release' ? null : one.dueDate,
    releaseId: near(one.releaseId, one.id),
    parentId: near(one.parentId, one.id),
  }));
  const ids = scope.tasks.map(({ id }) => id);
  const tasks = scope.tasks.map((task, at) => {
    const { parent, archived, entries } = more[at]!;
    // Only earlier tasks are above.
    const above = parent !== null && parent < at ? near(ids[parent]!, task.id) : null;
    return {
      ...task,
      startDate: task.startDate !== null && task.dueDate !== null && task.startDate > task.dueDate ? task.dueDate : task.startDate,
      completedDate: task.status === 'done' ? task.completedDate : null,
      releaseId: near(task.releaseId, task.id),
      requirementId: near(task.requirementId, task.id),
      milestoneId: above === null ? near(task.milestoneId, task.id) : null,
      parent: above,
      archived,
      entries,
    };
  });
  const dependencies = scope.dependencies.filter(
    ({ itemId, blockerId }) =>
      ids.includes(itemId) &&
      itemId !== blockerId &&
      placeOf(itemId) === placeOf(blockerId) &&
      (ids.includes(blockerId) || containers.some(({ id }) => id === blockerId)),
  );
  return { containers, tasks, dependencies };
}

/** Writes the rows. Returns the office, and the ids of items and people by those of the scope. */
export async function written(world: World, plain: Plain) {
  const office = await Office.open(world, 2);
  const { scope } = plain;
  const { containers, tasks, dependencies } = allowed(plain);
  const ids = new Map<number, number>();
  const people = new Map<number, number>();
  const of = (id: number | null) => (id === null ? null : ids.get(id));
  const { accountId: account_id } = office;
  const { holidays } = plain;
  await world.rows('delete from holidays where region in ($1, $2)', ['PT', 'PL']);
  for (const { region, day: on, half } of holidays)
    await world.rows(`insert into holidays (region, day, half, name) values ($1, date '1970-01-01' + $2::integer, $3, 'Feast')`, [
      region,
      on,
      half,
    ]);
  for (const [at, { id, name, weeklyMinutes, calendar }] of scope.people.entries()) {
    const { member, active } = plain.people[at]!;
    const row = { weekly_minutes: weeklyMinutes, active, weekdays: calendar?.weekdays ?? 31, holiday_region: plain.regions[at] };
    const userId = await office.person(name, row, member);
    people.set(id, userId);
    for (const { firstDay, weeklyMinutes: minutes, weekdays } of calendar?.hours ?? [])
      await world.rows(
        `insert into working_hours (account_id, user_id, starts_on, weekly_minutes, weekdays) values ($1, $2, date '1970-01-01' + $3::integer, $4, $5)`,
        [account_id, userId, firstDay, minutes, weekdays],
      );
    for (const { firstDay, lastDay, half } of calendar?.away ?? [])
      await world.rows(
        `insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
         values ($1, $2, date '1970-01-01' + $3::integer, date '1970-01-01' + $4::integer, $5, '', false)`,
        [account_id, userId, firstDay, lastDay, half],
      );
  }
  const typed = ['release', 'milestone', 'requirement'].flatMap((type) => containers.filter((one) => one.type === type));
  for (const one of typed) {
    const row = {
      status: one.status,
      target_date: one.targetDate,
      due_date: one.dueDate,
      release_id: of(one.releaseId),
      parent_id: of(one.parentId),
    };
    ids.set(one.id, await office.item(one.type, one.title, row, placeOf(one.id)));
  }
  for (const rank of new Set(tasks.map(({ priorityRank }) => priorityRank)))
    if (rank !== null)
      for (const workspace_id of office.workspaceIds)
        await insert(world, 'priorities', { account_id, workspace_id, key: `rank-${rank}`, label: `Rank ${rank}`, rank }, 'key');
  for (const task of tasks) {
    const row = {
      ...{ status: task.status, assignee_id: task.assigneeId && people.get(task.assigneeId), estimated_hours: task.estimatedHours },
      ...{ progress_percent: task.progressPercent, start_date: task.startDate, due_date: task.dueDate },
      priority_key: task.priorityRank === null ? null : `rank-${task.priorityRank}`,
      ...{ release_id: of(task.releaseId), requirement_id: of(task.requirementId) },
      parent_item_id: of(task.parent ?? task.milestoneId),
      completed_at: task.completedDate && `${task.completedDate}T12:00:00Z`,
    };
    ids.set(task.id, await office.item('task', task.title, row, placeOf(task.id)));
    for (const { person, date, minutes } of task.entries)
      await office.record(ids.get(task.id)!, people.get(scope.people[person]!.id)!, date, minutes, placeOf(task.id));
  }
  for (const { itemId, blockerId, lagDays } of dependencies) await office.block(of(itemId)!, of(blockerId)!, lagDays, placeOf(itemId));
  for (const task of tasks) if (task.archived) await world.rows('update items set archived_at = now() where id = $1', [of(task.id)]);
  return { office, ids, people };
}

/** What the model gets: the same work as plain values, with the ids of the rows. */
export function forModel(plain: Plain, ids: ReadonlyMap<number, number>, people: ReadonlyMap<number, number>): ForecastInput {
  const { scope } = plain;
  const { containers, tasks, dependencies } = allowed(plain);
  const of = (id: number | null) => (id === null ? null : ids.get(id)!);
  const taskOf = new Map(tasks.map((task) => [task.id, task]));
  const isHidden = ({ archived, parent }: Rows['tasks'][number]): boolean => archived || (parent !== null && isHidden(taskOf.get(parent)!));
  /** The task whose links decide: itself, or the nearest one above with links of its own. */
  const leader = (task: Rows['tasks'][number]): Rows['tasks'][number] =>
    task.releaseId === null && task.requirementId === null && task.parent !== null ? leader(taskOf.get(task.parent)!) : task;
  const shown = tasks.filter((task) => !isHidden(task));
  const shownIds = new Set([...shown.map(({ id }) => id), ...containers.map(({ id }) => id)]);
  const isOpen = (id: number) => {
    const { status } = taskOf.get(id) ?? containers.find((one) => one.id === id)!;
    return status !== 'done' && status !== 'cancelled';
  };
  const standing = scope.people.map(({ id }, at) => ({ id, ...plain.people[at]! }));
  const onPeople = (id: number) => standing.find((one) => one.id === id)!;
  const entries = tasks.flatMap((task) => task.entries.map((entry) => ({ ...entry, task })));
  return {
    ...{ workspaceId: 0, today: scope.today, from: scope.from, planned: [], trend: [] },
    people: scope.people.map((person, at) => {
      const { member, active } = plain.people[at]!;
      const days = plain.holidays.filter(({ region }) => region === plain.regions[at]);
      const away = [
        ...(person.calendar?.away ?? []).map((one) => ({ ...one, holiday: null })),
        ...days.map(({ day: on, half }) => ({ firstDay: on, lastDay: on, half, holiday: 'Feast' })),
      ];
      const calendar = { weekdays: person.calendar?.weekdays ?? 31, hours: person.calendar?.hours ?? [], away };
      return { ...person, id: people.get(person.id)!, active, assignable: active && member.length > 0, calendar };
    }),
    containers: containers.map((one) => ({ ...one, id: of(one.id)!, releaseId: of(one.releaseId), parentId: of(one.parentId) })),
    tasks: shown.map((task) => {
      const { releaseId, requirementId, milestoneId } = leader(task);
      const person = task.assigneeId === null ? null : onPeople(task.assigneeId);
      const { parent: _parent, archived: _archived, entries: own, ...values } = task;
      return {
        ...values,
        id: of(task.id)!,
        assigneeId: person && people.get(person.id)!,
        assigneeLeft: person !== null && !(person.active && person.member.includes(placeOf(task.id))),
        recordedMinutes: own.reduce((sum, { minutes }) => sum + minutes, 0),
        ...{ releaseId: of(releaseId), requirementId: of(requirementId), milestoneId: of(milestoneId) },
      };
    }),
    dependencies: dependencies
      .filter(({ itemId, blockerId }) => shownIds.has(itemId) && shownIds.has(blockerId) && isOpen(itemId) && isOpen(blockerId))
      .map(({ itemId, blockerId, lagDays }) => ({ itemId: of(itemId)!, blockerId: of(blockerId)!, lagDays })),
    // Only people with time in the weeks of the answer are listed for it.
    recorded: entries
      .filter(({ date }) => {
        const ahead = (Date.parse(date) - Date.parse(scope.from ?? scope.today)) / 86_400_000 + weekday(scope.from ?? scope.today);
        return ahead >= 0 && ahead < 56;
      })
      .map(({ person, date, minutes }) => ({ personId: people.get(scope.people[person]!.id)!, date, minutes })),
  };
}
