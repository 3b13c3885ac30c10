/** The forecast with other values for tasks or hours (behaviour §24.4), computed during the request and not stored. */
import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { runPiece } from '../../access/throttle/loopShare.ts';
import { WeeklyHours } from '../../accounts/schema.ts';
import type { Tx } from '../../database/db.ts';
import { Hours, Percent } from '../../items/fields.ts';
import { parseInput } from '../../operations/input.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate, daysBetween } from '../../values/dates.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import { dayOf, WORKWEEK } from '../../values/workdays.ts';
import type { Left } from '../../workspaces/statuses.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import { lineOf, type PersonLine, type ProjectLine, personLines } from '../forecast/outline.ts';
import type { PersonRow } from '../forecast/rows.ts';
import { computeScope } from './computeScope.ts';
import { changedValues, WhatIfValues } from './differing.ts';
import { readScope, type Scope, type ScopeQuestion } from './scopeQueries.ts';
import { parseScope, type ScopeRows, type ScopeTask } from './scopeRows.ts';

export const MOST_CHANGES = 100;

export const TriedTask = z.strictObject({
  id: Id,
  assigneeId: Id.nullable().optional(),
  estimatedHours: Hours.optional(),
  progressPercent: Percent.optional(),
  startDate: CalendarDate.nullable().optional(),
  dueDate: CalendarDate.nullable().optional(),
});
export type TriedTask = z.infer<typeof TriedTask>;

export const MOST_PEOPLE = 20;

/** Null: not confirmed, so 40 hours. */
export const TriedPeople = z
  .array(z.strictObject({ id: Id, weeklyHours: WeeklyHours }))
  .max(MOST_PEOPLE, `try the hours of at most ${MOST_PEOPLE} people at once`);

const MOST_DAYS_AWAY = 366;
/** Absences are only tried: the person or an administrator enters them. */
const TriedAway = z
  .array(
    z
      .strictObject({ id: Id, from: CalendarDate, to: CalendarDate })
      .refine(({ from, to }) => from <= to && daysBetween(from, to) < MOST_DAYS_AWAY, {
        path: ['to'],
        error: 'give a last day within a year after the first',
      }),
  )
  .max(MOST_PEOPLE, `try the absences of at most ${MOST_PEOPLE} people at once`);

/** All blockers of a task, instead of those that are stored. Blockers that the caller does not see stay. */
const TriedBlockers = z
  .array(z.strictObject({ id: Id, blockedBy: z.array(Id).max(50, 'give at most 50 blockers') }))
  .max(MOST_CHANGES, `try the blockers of at most ${MOST_CHANGES} tasks at once`);

const ScopeInput = z.strictObject({ workspaceId: Id, from: CalendarDate.optional() });
const Changes = z.strictObject({
  tasks: z.array(TriedTask).max(MOST_CHANGES, `try at most ${MOST_CHANGES} tasks at once`),
  people: TriedPeople,
  away: TriedAway.default([]),
  blockers: TriedBlockers.default([]),
});
export type Changes = z.infer<typeof Changes>;
const Input = ScopeInput.extend(Changes.shape);
const FormInput = ScopeInput.extend(WhatIfValues);

export type ForecastView = {
  projects: ProjectLine[];
  people: PersonLine[];
  tasks: Map<number, string | null>;
};

/** An assignee who may not get new work. They stay until the user chooses another. */
export interface IneligibleAssignee {
  id: number;
  name: string;
  left: Left | null;
}

export interface WhatIfResult {
  before: ForecastView;
  after: ForecastView;
  tasks: (ScopeTask & { projectId: number | null; kept: IneligibleAssignee | null })[];
  assignable: { id: number; name: string }[];
  blockers: ReadonlyMap<number, ReadonlySet<number>>;
  mayWrite: boolean;
  mayChangeHours: boolean;
}

export const tryWhatIf: Read<z.infer<typeof Input>, WhatIfResult> = {
  name: 'tryWhatIf',
  input: Input,
  async run(tx, caller, input) {
    const rows = await readRows(tx, caller, input, input);
    const now = await runPiece(rows.userId, () => computeScope(rows));
    return triedOn(rows, now, input);
  },
};

/** Like `tryWhatIf`, for a form with all fields: tries only the changed ones and returns them. */
export const tryForm: Read<z.infer<typeof FormInput>, WhatIfResult & { changes: Changes }> = {
  name: 'tryForm',
  input: FormInput,
  async run(tx, caller, { tasks, people, away, blockers, ...scope }) {
    const rows = await readRows(tx, caller, scope, { blockers });
    const now = await runPiece(rows.userId, () => computeScope(rows));
    const hours = new Map([...now.people()].map(({ id, weeklyHours }) => [id, weeklyHours]));
    const changes = parseInput(Changes, changedValues({ tasks, people, away, blockers }, openIn(rows), hours, seenBlockers(rows)));
    return { ...(await triedOn(rows, now, changes)), changes };
  },
};

/** Containers may be tried as blockers even if they have no tasks. */
async function readRows(tx: Tx, caller: Caller, scope: ScopeQuestion, { blockers }: Pick<WhatIfValues, 'blockers'>): Promise<ReadRows> {
  const containerIds = [...new Set(blockers.flatMap(({ blockedBy }) => blockedBy.filter(isId)))].slice(0, MOST_BLOCKERS);
  const read = await readScope(tx, caller, { ...scope, containerIds });
  return { ...read, ...parseScope(scope.workspaceId, read.rows) };
}

const MOST_BLOCKERS = 5_000;
const isId = (id: number | null): id is number => Id.safeParse(id).success;

type ReadRows = ScopeRows & Omit<Scope, 'rows'>;

const openIn = ({ tasks }: ScopeRows): ScopeTask[] => tasks.filter(({ status }) => status !== 'done');

async function triedOn(rows: ReadRows, now: ComputedForecast, changes: Changes): Promise<WhatIfResult> {
  const isChanged = Object.values(changes).some(({ length }) => length > 0);
  const then = isChanged ? await runPiece(rows.userId, () => computeScope(changed(rows, changes))) : now;
  const [before, after] = await runPiece(rows.userId, () => [viewOf(now), viewOf(then)] as const);
  const projects = projectsOf(now);
  const unassignable = new Map(rows.people.filter(({ assignable }) => !assignable).map((person) => [person.id, person]));
  return {
    before,
    after,
    tasks: openIn(rows).map((task) => ({
      ...task,
      projectId: projects.get(task.id) ?? null,
      kept: ineligibleAssigneeOf(task, unassignable),
    })),
    assignable: rows.people.filter(({ assignable }) => assignable).map(({ id, name }) => ({ id, name })),
    blockers: seenBlockers(rows),
    mayWrite: rows.writableIds.includes(rows.workspaceId),
    mayChangeHours: rows.mayChangeHours,
  };
}

function ineligibleAssigneeOf(
  { assigneeId, assigneeLeft }: ScopeTask,
  unassignable: ReadonlyMap<number, PersonRow>,
): IneligibleAssignee | null {
  const person = assigneeId === null ? undefined : unassignable.get(assigneeId);
  if (!person) return null;
  return { id: person.id, name: person.name, left: !person.active ? 'deactivated' : assigneeLeft ? 'left' : null };
}

/** The rows with the tried changes. Throws InvalidRequest for tasks or people outside the scope. */
function changed(rows: ScopeRows, { tasks, people, away, blockers }: Changes): ScopeRows {
  const assignable = new Set(rows.people.filter((one) => one.assignable).map(({ id }) => id));
  const known = new Map(rows.tasks.map((task) => [task.id, task]));
  const tried = new Map(
    tasks.map((change, index) => {
      const task = known.get(change.id);
      if (!task || task.status === 'done') throw atPath(['tasks', index, 'id'], 'give an open task of this workspace.');
      if (change.assigneeId && change.assigneeId !== task.assigneeId && !assignable.has(change.assigneeId))
        throw atPath(['tasks', index, 'assigneeId'], 'give a user who can be assigned here.');
      return [change.id, change];
    }),
  );
  const hours = new Map(people.map(({ id, weeklyHours }) => [id, weeklyHours]));
  return {
    ...rows,
    tasks: rows.tasks.map((task) => asTried(task, tried.get(task.id))),
    people: rows.people.map((person) => withAway(withHours(person, hours.get(person.id)), away)),
    dependencies: withBlockers(rows, blockers),
  };
}

/** The tried hours apply from today, in place of dated hours. */
function withHours(person: PersonRow, hours: number | null | undefined): PersonRow {
  if (hours === undefined) return person;
  const { calendar } = person;
  return {
    ...person,
    weeklyMinutes: hours === null ? null : Math.round(hours * 60),
    ...(calendar && { calendar: { ...calendar, hours: [] } }),
  };
}

function withAway(person: PersonRow, tried: Changes['away']): PersonRow {
  const mine = tried.filter(({ id }) => id === person.id);
  if (mine.length === 0) return person;
  const calendar = person.calendar ?? { weekdays: WORKWEEK, hours: [], away: [] };
  const more = mine.map(({ from, to }) => ({ firstDay: dayOf(from), lastDay: dayOf(to), half: false, holiday: null }));
  return { ...person, calendar: { ...calendar, away: [...calendar.away, ...more] } };
}

/** Kept blockers keep their lag. Throws InvalidRequest for items outside the scope. */
function withBlockers(rows: ScopeRows, tried: Changes['blockers']): ScopeRows['dependencies'] {
  const open = new Set([...openIn(rows).map(({ id }) => id), ...rows.containers.map(({ id }) => id)]);
  const seen = seenBlockers(rows);
  const given = new Map(
    tried.map(({ id, blockedBy }, index) => {
      if (!open.has(id)) throw atPath(['blockers', index, 'id'], 'give an open task of this workspace.');
      const wrong = blockedBy.find((blocker) => blocker === id || !(open.has(blocker) || seen.get(id)?.has(blocker)));
      if (wrong !== undefined)
        throw atPath(['blockers', index, 'blockedBy'], `choose other items: ${wrong} is not an open task of this workspace.`);
      return [id, blockedBy];
    }),
  );
  const kept = rows.dependencies.filter(({ itemId, blockerId }) => {
    const blockedBy = given.get(itemId);
    return !blockedBy || !seen.get(itemId)?.has(blockerId) || blockedBy.includes(blockerId);
  });
  const known = new Set(kept.map(({ itemId, blockerId }) => `${itemId} ${blockerId}`));
  const added = [...given].flatMap(([itemId, blockedBy]) =>
    blockedBy.map((blockerId) => ({ itemId, blockerId, lagDays: 0, visible: true })),
  );
  return [...kept, ...added.filter(({ itemId, blockerId }) => !known.has(`${itemId} ${blockerId}`))];
}

/** Open blockers by task that the caller sees. */
function seenBlockers({ dependencies }: ScopeRows): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const { itemId, blockerId, visible } of dependencies) {
    if (!visible) continue;
    const ids = found.get(itemId) ?? new Set();
    found.set(itemId, ids.add(blockerId));
  }
  return found;
}

const atPath = (path: (string | number)[], message: string) => new InvalidRequest(path, message);

function asTried(task: ScopeTask, change: TriedTask | undefined): ScopeTask {
  if (!change) return task;
  const { id: _, startDate, dueDate, ...numbers } = change;
  const given = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
  return {
    ...task,
    ...given,
    assigneeLeft: task.assigneeLeft && (change.assigneeId === undefined || change.assigneeId === task.assigneeId),
    ...(startDate !== undefined && { startDay: startDate === null ? null : dayOf(startDate) }),
    ...(dueDate !== undefined && { dueDay: dueDate === null ? null : dayOf(dueDate) }),
  };
}

function viewOf(computed: ComputedForecast): ForecastView {
  const projects: ForecastView['projects'] = [];
  const tasks: ForecastView['tasks'] = new Map();
  for (let n = 0; n < computed.projectCount; n++) {
    projects.push(lineOf(computed, n));
    for (const [id, slot] of slotsOf(computed, n)) tasks.set(id, computed.workForecast(slot).forecastDate);
  }
  return { projects, people: personLines(computed), tasks };
}

function* slotsOf(computed: ComputedForecast, n: number): Generator<[id: number, slot: number]> {
  const [from, to] = computed.slotsOf(n);
  const ids = computed.idsFrom(from, to - from);
  for (const [n, id] of ids.entries()) yield [id, from + n];
}

function projectsOf(computed: ComputedForecast): Map<number, number> {
  const found = new Map<number, number>();
  for (let n = 0; n < computed.projectCount; n++) {
    const { id } = computed.projectHead(n);
    for (const [task] of slotsOf(computed, n)) found.set(task, id);
  }
  return found;
}
