/** The forecast with other values for tasks or hours (behaviour §24.4), computed during the request and not stored. */
import { z } from 'zod';
import { runPiece } from '../../access/throttle/loopShare.ts';
import { WeeklyHours } from '../../accounts/schema.ts';
import { Hours, Percent } from '../../items/fields.ts';
import { parseInput } from '../../operations/input.ts';
import type { Read } from '../../operations/operation.ts';
import { CalendarDate } from '../../values/dates.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { Id } from '../../values/text.ts';
import type { Left } from '../../workspaces/statuses.ts';
import { ForecastBuilder } from '../forecast/builder.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import { lineOf, type PersonLine, type ProjectLine, personLines } from '../forecast/outline.ts';
import type { PersonRow } from '../forecast/rows.ts';
import type { Load } from '../forecast/weeks.ts';
import { dayOf } from '../forecast/workdays.ts';
import { milestoneAbove } from '../snapshots/computing/computeSnapshot.ts';
import { changedValues, WhatIfValues } from './differing.ts';
import { readScopeRows, type ScopeRows, type ScopeTask } from './scopeQueries.ts';

export function computeScope(rows: ScopeRows, load?: Load): ComputedForecast {
  const builder = new ForecastBuilder(rows, load);
  builder.addContainers(rows.containers);
  builder.addDependencies(rows.dependencies);
  const milestones = new Set(rows.containers.filter(({ type }) => type === 'milestone').map(({ id }) => id));
  builder.addTasks(rows.tasks.map((task) => ({ ...task, milestoneId: milestoneAbove(task.parentItemId, milestones) })));
  builder.addRecorded(rows.recorded);
  builder.addPlanned(rows.planned);
  return builder.finish();
}

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

const Scope = z.strictObject({ workspaceId: Id, from: CalendarDate.optional() });
const Changes = z.strictObject({
  tasks: z.array(TriedTask).max(MOST_CHANGES, `try at most ${MOST_CHANGES} tasks at once`),
  people: TriedPeople,
});
export type Changes = z.infer<typeof Changes>;
const Input = Scope.extend(Changes.shape);
const FormInput = Scope.extend(WhatIfValues);

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
  mayWrite: boolean;
  mayChangeHours: boolean;
}

export const tryWhatIf: Read<z.infer<typeof Input>, WhatIfResult> = {
  name: 'tryWhatIf',
  input: Input,
  async run(tx, caller, input) {
    const rows = await readScopeRows(tx, caller, input);
    const now = await runPiece(rows.userId, () => computeScope(rows));
    return triedOn(rows, now, input);
  },
};

/** Like `tryWhatIf`, for a form with all fields: tries only the changed ones and returns them. */
export const tryForm: Read<z.infer<typeof FormInput>, WhatIfResult & { changes: Changes }> = {
  name: 'tryForm',
  input: FormInput,
  async run(tx, caller, { tasks, people, ...scope }) {
    const rows = await readScopeRows(tx, caller, scope);
    const now = await runPiece(rows.userId, () => computeScope(rows));
    const hours = new Map([...now.people()].map(({ id, weeklyHours }) => [id, weeklyHours]));
    const changes = parseInput(Changes, changedValues({ tasks, people }, openIn(rows), hours));
    return { ...(await triedOn(rows, now, changes)), changes };
  },
};

const openIn = ({ tasks }: ScopeRows): ScopeTask[] => tasks.filter(({ status }) => status !== 'done');

async function triedOn(rows: ScopeRows, now: ComputedForecast, changes: Changes): Promise<WhatIfResult> {
  const isChanged = changes.tasks.length + changes.people.length > 0;
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
    mayWrite: rows.mayWrite,
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
function changed(rows: ScopeRows, { tasks, people }: Changes): ScopeRows {
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
    people: rows.people.map((person) => {
      const given = hours.get(person.id);
      return given === undefined ? person : { ...person, weeklyMinutes: given === null ? null : Math.round(given * 60) };
    }),
  };
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
  for (let slot = from; slot < to; slot++) yield [ids[slot - from]!, slot];
}

function projectsOf(computed: ComputedForecast): Map<number, number> {
  const found = new Map<number, number>();
  for (let n = 0; n < computed.projectCount; n++) {
    const { id } = computed.projectHead(n);
    for (const [task] of slotsOf(computed, n)) found.set(task, id);
  }
  return found;
}
