/** The forecast of a scope before and after tried changes: what pages show of both (behaviour §24.4). Pure. */
import { parseInput } from '../../operations/input.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { elementAt } from '../../values/records.ts';
import { dayOf, WORKWEEK } from '../../values/workdays.ts';
import type { Left } from '../../workspaces/statuses.ts';
import type { ComputedForecast } from '../forecast/computed.ts';
import { countsOf, displayedDates, lineOf, type PersonLine, type ProjectLine, personLines } from '../forecast/outline.ts';
import type { PersonRow } from '../forecast/rows.ts';
import type { Outlook } from '../forecast/schema.ts';
import { Changes, type TriedTask } from './changes.ts';
import { computeScope } from './computeScope.ts';
import { changedValues, type WhatIfValues } from './differing.ts';
import type { ScopeRows, ScopeTask } from './scopeRows.ts';

/** Tasks, projects, people and effects of each kind that pages show. */
export const MOST_OFFERED = 60;
const MOST_PROJECTS = 200;
const MOST_PEOPLE = 50;
const MOST_EFFECTS = 20;

/** `tasks`: forecast dates by id. */
export type ForecastView = {
  projects: ProjectLine[];
  people: PersonLine[];
  tasks: Map<number, string | null>;
};

/** An assignee who may not get new work. They stay until the user chooses another. */
interface IneligibleAssignee {
  id: number;
  name: string;
  left: Left | null;
}

/** The first changed rows, and the number of all changed rows. */
interface Effects<One> {
  first: One[];
  count: number;
}

export type Pair<One> = [before: One, after: One];

export interface Tried {
  changes: Changes;
  /** Only the projects, people and tasks that pages show. */
  before: ForecastView;
  after: ForecastView;
  outlooks: Partial<Record<Outlook, number>>;
  effects: {
    projects: Effects<Pair<ProjectLine>>;
    unchangedProjects: number;
    people: Effects<Pair<PersonLine>>;
    tasks: Effects<{ id: number; title: string; was: string | null; is: string | null }>;
  };
  /** The project whose tasks are offered, 0 for tasks without one. */
  projectId: number;
  /** Projects to choose from. */
  projects: ProjectLine[];
  /** People whose hours can be tried. */
  people: PersonLine[];
  /** Tried tasks, then others of the project. */
  tasks: (ScopeTask & { projectId: number | null; kept: IneligibleAssignee | null })[];
  taskCount: number;
  assignable: { id: number; name: string }[];
  /** Of `tasks`. */
  blockers: ReadonlyMap<number, ReadonlySet<number>>;
}

export interface Wanted {
  /** Valid changes, or all values of a form. */
  given: { changes: Changes } | { form: WhatIfValues };
  /** Default: the one that needs help most. */
  projectId: number | null;
}

/** Throws InvalidRequest. */
export function tryOn(rows: ScopeRows, { given, projectId }: Wanted): Tried {
  const now = computeScope(rows);
  const changes = 'changes' in given ? given.changes : changesOf(rows, now, given.form);
  const isChanged = Object.values(changes).some(({ length }) => length > 0);
  const before = viewOf(now);
  const after = isChanged ? viewOf(computeScope(changed(rows, changes))) : before;
  const open = openIn(rows);
  const unassignable = new Map(rows.people.filter(({ assignable }) => !assignable).map((person) => [person.id, person]));
  const chosen = projectId ?? worstOf(before.projects)?.id ?? 0;
  const offered = offeredOf(open, changes, projectsOf(now), chosen);
  const left = new Set(open.map((task) => ineligibleAssigneeOf(task, unassignable)).map((kept) => kept?.left && kept.id));
  const people = before.people.filter(({ id }) => !left.has(id)).slice(0, MOST_PEOPLE);
  const projects = before.projects.filter(({ id }, n) => n < MOST_PROJECTS || id === chosen);
  const effects = effectsOf(before, after, open);
  const tasks = offered.tasks.map((task) => ({ ...task, kept: ineligibleAssigneeOf(task, unassignable) }));
  const ids = {
    projects: new Set([...projects, ...effects.projects.first.flat()].map(({ id }) => id)),
    people: new Set([...people, ...effects.people.first.flat()].map(({ id }) => id)),
    tasks: new Set([...tasks, ...effects.tasks.first].map(({ id }) => id)),
  };
  const blockers = seenBlockers(rows);
  return {
    ...{ changes, before: within(before, ids), after: within(after, ids), outlooks: countsOf(before.projects), effects, projectId: chosen },
    ...{ projects, people, tasks, taskCount: offered.count },
    assignable: rows.people.filter(({ assignable }) => assignable).map(({ id, name }) => ({ id, name })),
    blockers: new Map(tasks.map(({ id }) => [id, blockers.get(id) ?? new Set()])),
  };
}

function changesOf(rows: ScopeRows, now: ComputedForecast, form: WhatIfValues): Changes {
  const hours = new Map([...now.people()].map(({ id, weeklyHours }) => [id, weeklyHours]));
  return parseInput(Changes, changedValues(form, openIn(rows), hours, seenBlockers(rows)));
}

const openIn = ({ tasks }: ScopeRows): ScopeTask[] => tasks.filter(({ status }) => status !== 'done');

const worstOf = (projects: readonly ProjectLine[]) =>
  projects.find(({ outlook }) => outlook === 'overcommitted') ?? projects.find(({ outlook }) => outlook === 'at_risk') ?? projects[0];

function offeredOf(open: readonly ScopeTask[], changes: Changes, projects: ReadonlyMap<number, number>, chosen: number) {
  const touched = new Set([...changes.tasks, ...changes.blockers].map(({ id }) => id));
  const offered = open
    .map((task) => ({ ...task, projectId: projects.get(task.id) ?? null }))
    .filter(({ id, projectId }) => touched.has(id) || (projectId ?? 0) === chosen)
    .toSorted((a, b) => Number(touched.has(b.id)) - Number(touched.has(a.id)) || a.id - b.id);
  return { tasks: offered.slice(0, Math.max(MOST_OFFERED, touched.size)), count: offered.length };
}

function effectsOf(before: ForecastView, after: ForecastView, open: readonly ScopeTask[]): Tried['effects'] {
  const projects = pairs(before.projects, after.projects).filter(([one, other]) => isMoved(one, other));
  const people = pairs(before.people, after.people).filter(([one, other]) => busier(one, other).length > 0);
  const tasks = open.flatMap(({ id, title }) => {
    const [was, is] = [before.tasks.get(id) ?? null, after.tasks.get(id) ?? null];
    return was === is ? [] : [{ id, title, was, is }];
  });
  const unchangedProjects = before.projects.length - projects.length;
  return { projects: firstOf(projects), unchangedProjects, people: firstOf(people), tasks: firstOf(tasks) };
}

const firstOf = <One>(all: readonly One[]): Effects<One> => ({ first: all.slice(0, MOST_EFFECTS), count: all.length });

function pairs<One extends { id: number }>(before: readonly One[], after: readonly One[]): Pair<One>[] {
  const found = new Map(after.map((one) => [one.id, one]));
  return before.flatMap((one): Pair<One>[] => {
    const other = found.get(one.id);
    return other ? [[one, other]] : [];
  });
}

const isMoved = (one: ProjectLine, other: ProjectLine): boolean =>
  one.outlook !== other.outlook ||
  one.remainingHours !== other.remainingHours ||
  displayedDates(one).forecastDate !== displayedDates(other).forecastDate ||
  displayedDates(one).bufferedDate !== displayedDates(other).bufferedDate;

/** Weeks whose load changes. */
export function busier(one: PersonLine, other: PersonLine) {
  return one.weeks.flatMap((week, n) => {
    const then = elementAt(other.weeks, n);
    return week.loadPercent === then.loadPercent ? [] : [{ week, then }];
  });
}

function within({ projects, people, tasks }: ForecastView, ids: Record<keyof ForecastView, ReadonlySet<number>>): ForecastView {
  return {
    projects: projects.filter(({ id }) => ids.projects.has(id)),
    people: people.filter(({ id }) => ids.people.has(id)),
    tasks: new Map([...tasks].filter(([id]) => ids.tasks.has(id))),
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
