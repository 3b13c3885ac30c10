/** A finished forecast: figures of projects and people, and the days of tasks. Titles of tasks are read in the second pass. Pure. */

import { elementAt } from '../../values/records.ts';
import { scopeNote } from '../../values/scopeNote.ts';
import { type Day, dateOf, firstWorkdayFrom, weekStartOf } from '../../values/workdays.ts';
import { type Graph, MOST_NAMED, type Node } from './dependencies.ts';
import { hoursOfMinutes } from './exact.ts';
import { floatAt, gather, groupBy, intAt, rowsWhere, sortBy } from './order.ts';
import { figuresOf, type ProjectFigures, trendOf, trendPointOf } from './outlook.ts';
import type { Person } from './people.ts';
import { NO_PROJECT, type Project, shownAs } from './projects.ts';
import { reachOf } from './reach.ts';
import type { Away, TrendRow } from './rows.ts';
import type { Scene } from './schedule.ts';
import type { AwayDates, Explained, Forecast, Missing, PersonCapacity, ProjectForecast, TrendPoint, Week } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';
import { issuesOf, NONE, type WorkForecast } from './tasks.ts';
import { WEEKS } from './weeks.ts';

type Seen = Pick<Scene, 'people' | 'graph' | 'today'>;

/** Explains a project on pages: its dates without incomplete tasks, and its bottleneck (behaviour §24.11, §24.12). Pure. */
export function explain(project: Project, { people, graph, today }: Seen, weeksOf: (index: number) => readonly Week[]): Explained {
  const { targetDay, totals } = project;
  const { scopeHours, weightedProgress } = figuresOf(project, today);
  const { needsData, forecastDay: finish, bufferedDay, lastPerson, lastStart } = totals;
  const progress = { scopeHours, weightedProgress };
  const missing = needsData ? missingIn(totals, people.all) : null;
  const horizon = lastDayOfHorizon(today);
  if (finish === null || finish > horizon) return { progress, missing, rest: null, bottleneck: null, weeks: null, away: null, waits: null };
  const bufferedDate = bufferedDay === null || bufferedDay > horizon ? null : dateOf(bufferedDay);
  const last = people.all[lastPerson];
  const bottleneck = last ? bottleneckOf(last, finish, lastStart, today) : null;
  const over = last && targetDay !== null && !needsData ? differing(weeksOf(lastPerson), finish, targetDay, today) : undefined;
  return {
    progress,
    missing,
    rest: needsData ? { forecastDate: dateOf(finish), bufferedDate } : null,
    bottleneck,
    weeks: last && over !== undefined && (over !== null || bottleneck?.freeFrom) ? { name: last.name, over } : null,
    away: awayBefore({ people, graph, today }, totals, [bottleneck?.freeFrom ? today : Math.max(today, lastStart), finish]),
    waits: waitsOf(graph.nodes.get(totals.lastTask), graph, lastStart),
  };
}

const MOST_AWAY = 3;

const datesOf = ({ firstDay, lastDay, half, holiday }: Away): AwayDates => ({
  first: dateOf(firstDay),
  last: dateOf(lastDay),
  half,
  holiday,
});

/** Days off of the person who finishes last, until they finish: from today if they have no time left before, else from the day on which the
 *  last task may start. Then days off of the people whose tasks it waits for. */
function awayBefore({ people, graph, today }: Seen, { lastPerson, lastTask }: Project['totals'], [from, finish]: [Day, Day]) {
  const found = awayOf(people.all[lastPerson], from, finish);
  for (let node = graph.nodes.get(lastTask); node?.heldBy; node = node.heldBy) {
    if (found.length >= MOST_AWAY || node.heldUntil < today) break;
    found.push(...awayOf(people.all[node.heldBy.person], node.heldBy.heldBy ? node.heldBy.heldUntil : today, node.heldFrom));
  }
  return found.slice(0, MOST_AWAY);
}

function awayOf(person: Person | undefined, from: Day, to: Day) {
  return person ? person.calendar.awayWithin(from, to).map((away) => ({ name: person.name, ...datesOf(away) })) : [];
}

/** Null if the task could not have started earlier without its blockers. */
function waitsOf(task: Node | undefined, graph: Graph, start: Day): Explained['waits'] {
  if (!task?.heldBy || task.heldUntil < start) return null;
  return { taskId: task.id, chain: graph.chainOf(task.id), until: dateOf(task.heldUntil) };
}

function missingIn(
  { noEstimate, unassigned, noHours, left, waiting, undatedBlockers }: Project['totals'],
  people: readonly Person[],
): Missing {
  const leavers = [...(left ?? [])].map(([index, tasks]) => ({ ...elementAt(people, index), tasks }));
  leavers.sort((a, b) => b.tasks - a.tasks || a.id - b.id);
  const blockers = [...undatedBlockers].sort((a, b) => a - b).slice(0, MOST_NAMED);
  return {
    noEstimate,
    unassigned,
    noHours,
    left: leavers.map(({ name, tasks, active }) => ({ name, tasks, deactivated: !active })),
    waiting: waiting > 0 ? { tasks: waiting, blockers } : null,
  };
}

function bottleneckOf({ name, freeFrom }: Person, finish: Day, start: Day, today: Day): Explained['bottleneck'] {
  const now = firstWorkdayFrom(today);
  if (freeFrom !== null && freeFrom > now && freeFrom >= finish) return { name, freeFrom: dateOf(freeFrom), startsOn: null };
  return start > now ? { name, freeFrom: null, startsOn: dateOf(start) } : null;
}

/** The value of `weeks.over`. Undefined if weeks and date agree, or too few weeks are shown to compare. */
function differing(weeks: readonly Week[], finish: Day, target: Day, today: Day): string | null | undefined {
  const [first, last] = [dateOf(weekStartOf(today)), dateOf(weekStartOf(target))];
  const ahead = weeks.filter(({ week }) => week >= first && week <= last);
  if (ahead[0]?.week !== first) return undefined;
  const over = ahead.find(({ overextended }) => overextended);
  if (finish <= target) return over?.week;
  return over || ahead.at(-1)?.week !== last ? undefined : null;
}

export type ForecastHead = Omit<Forecast, 'projects' | 'people'>;
export type ProjectHead = Omit<ProjectForecast, 'work'>;

/** `projects`: by id. The n-th project's tasks have the slots from `starts[n]` up to, not including, `starts[n + 1]`. */
export interface Arrangement {
  projects: readonly Project[];
  starts: Int32Array;
}

/** Sorts tasks by project and id, the order of the output. Drops tasks outside projects. */
export function arrange({ projects, tasks }: Scene): Arrangement {
  const sorted = [...projects.all.entries()].sort(([, one], [, other]) => one.id - other.id);
  const turns = new Int32Array(sorted.length);
  for (const [turn, [index]] of sorted.entries()) turns[index] = turn;
  const byId = rowsWhere(tasks.size, (slot) => tasks.project[slot] !== NO_PROJECT);
  sortBy(byId, tasks.id);
  tasks.take(byId);
  const { places, starts } = groupBy(gather(tasks.project, turns), sorted.length);
  tasks.move(places);
  return { projects: sorted.map(([, project]) => project), starts };
}

export class ComputedForecast {
  readonly head: ForecastHead;
  readonly #scene: Scene;
  readonly #arranged: Arrangement;
  readonly #trend: ReadonlyMap<number, TrendRow[]>;

  constructor(workspaceId: number, scene: Scene, arranged: Arrangement, trend: ReadonlyMap<number, TrendRow[]>) {
    const { today, load } = scene;
    const note = workspaceId === 0 ? scopeNote.all : scopeNote.one;
    this.head = { workspaceId, today: dateOf(today), from: dateOf(load.from), weeks: WEEKS, timezone: 'UTC', scopeNote: note };
    this.#scene = scene;
    this.#arranged = arranged;
    this.#trend = trend;
  }

  get projectCount(): number {
    return this.#arranged.projects.length;
  }

  projectHead(n: number): ProjectHead {
    const figures = figuresOf(elementAt(this.#arranged.projects, n), this.#scene.today);
    return { ...figures, trend: trendOf(this.#trend.get(figures.id) ?? [], trendPointOf(figures, this.#scene.today)) };
  }

  /** Figures for pages. Tasks of other projects may count too (`shownAs`). */
  shownFigures(n: number): ProjectFigures {
    return figuresOf(shownAs(elementAt(this.#arranged.projects, n)), this.#scene.today);
  }

  explained(n: number): Explained {
    const { people, load } = this.#scene;
    const weeksOf = (index: number) => load.of(elementAt(people.all, index), index).weeks;
    const project = elementAt(this.#arranged.projects, n);
    const shown = shownAs(project);
    return { ...explain(shown, this.#scene, weeksOf), elsewhere: shown === project ? null : shown.totals.tasks };
  }

  /** Range of the task slots of the n-th project: first slot and the slot after the last. Slots are numbered across all projects. */
  slotsOf(n: number): [number, number] {
    const { starts } = this.#arranged;
    return [intAt(starts, n), intAt(starts, n + 1)];
  }

  /** For the n-th project: ids of the workspaces whose work its dates include. */
  reach(workspacesOf: ReadonlyMap<number, readonly number[]>): (n: number) => number[] {
    const ofSlots = reachOf({ ...this.#scene, workspacesOf });
    return (n) => {
      const project = elementAt(this.#arranged.projects, n);
      return ofSlots(...this.slotsOf(n), shownAs(project) === project ? [] : project.elsewhere?.people);
    };
  }

  idsFrom(slot: number, count: number): number[] {
    const { tasks } = this.#scene;
    return Array.from(tasks.id.subarray(slot, Math.min(slot + count, tasks.size)));
  }

  workForecast(slot: number): WorkForecast {
    const { people, tasks, today } = this.#scene;
    const minutes = floatAt(tasks.minutes, slot);
    const finish = intAt(tasks.forecastDay, slot);
    return {
      remainingHours: hoursOfMinutes(minutes),
      forecastStart: dateOrNull(intAt(tasks.forecastStart, slot)),
      forecastDate: finish > lastDayOfHorizon(today) ? null : dateOrNull(finish),
      late: finish > intAt(tasks.deadline, slot),
      issues: issuesOf(intAt(tasks.flags, slot), minutes, people.all[intAt(tasks.person, slot)] ?? null),
    };
  }

  *people(): Generator<PersonCapacity> {
    const { people, load } = this.#scene;
    const listed = [...people.all.entries()].filter(([, person]) => person.listed);
    for (const [index, person] of listed.sort(([, one], [, other]) => one.id - other.id)) yield load.of(person, index);
  }

  /** Days of a listed person off in the weeks of the answer, and minutes of each day from today on, for pages. */
  *calendars(): Generator<{ id: number; away: AwayDates[]; days: number[] }> {
    const { people, load, today } = this.#scene;
    const [first, end] = [Math.max(today, load.from), load.from + 7 * WEEKS];
    for (const { id, listed, calendar } of people.all)
      if (listed) {
        const days = Array.from({ length: Math.max(0, end - first) }, (_, n) => calendar.minutesOn(first + n));
        yield { id, away: calendar.awayWithin(load.from, end - 1).map(datesOf), days };
      }
  }

  *trendPoints(): Generator<TrendPoint & { projectId: number }> {
    const { projects, today } = this.#scene;
    for (const project of projects.all) yield { projectId: project.id, ...trendPointOf(figuresOf(project, today), today) };
  }
}

const dateOrNull = (day: Day): string | null => (day === NONE ? null : dateOf(day));
