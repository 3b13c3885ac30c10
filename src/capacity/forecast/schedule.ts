/** Simulates all work as estimated and with 25 % more (behaviour §6.12). Sets days of tasks and projects, and the weeks. Pure. */

import { elementAt } from '../../values/records.ts';
import { type Day, firstWorkdayFrom } from '../../values/workdays.ts';
import type { Calendar } from './calendar.ts';
import type { Graph, Node } from './dependencies.ts';
import { bufferedMinutes } from './exact.ts';
import { everyRow, floatAt, gather, groupBy, intAt, sortBy } from './order.ts';
import type { People } from './people.ts';
import type { Project, Projects } from './projects.ts';
import { type Joint, lastDayOfHorizon, simulate } from './simulate.ts';
import { Flag, NO_DEADLINE, NONE, type TaskColumns } from './tasks.ts';
import type { Load } from './weeks.ts';

/** Tasks of people who depend on each other, in working order: place 0 is the most urgent. */
interface WorkQueue {
  persons: Int32Array;
  ids: Float64Array;
  minutes: Float64Array;
  startDays: Int32Array;
  deadlines: Int32Array;
  projects: Int32Array;
  /** For each place, the row of `forecastStart`, `forecastDay` and `bufferedDay` for its results. */
  rows: Int32Array;
  forecastStart: Int32Array;
  forecastDay: Int32Array;
  bufferedDay: Int32Array;
}

export function queueOf(tasks: TaskColumns, [from, to]: [number, number]): WorkQueue {
  const rows = everyRow(to - from);
  const deadline = tasks.deadline.subarray(from, to);
  const startDay = tasks.startDay.subarray(from, to);
  // Deadline (none last), priority (highest first), start (none first), id. The id makes the order deterministic.
  sortBy(rows, tasks.id.subarray(from, to));
  sortBy(rows, startDay);
  sortBy(rows, tasks.patience.subarray(from, to));
  sortBy(rows, deadline);
  return {
    persons: gather(rows, tasks.person.subarray(from, to)),
    ids: gather(rows, tasks.id.subarray(from, to)),
    minutes: gather(rows, tasks.minutes.subarray(from, to)),
    startDays: gather(rows, startDay),
    deadlines: gather(rows, deadline),
    projects: gather(rows, tasks.project.subarray(from, to)),
    rows,
    forecastStart: tasks.forecastStart.subarray(from, to),
    forecastDay: tasks.forecastDay.subarray(from, to),
    bufferedDay: tasks.bufferedDay.subarray(from, to),
  };
}

export interface Scene {
  today: Day;
  people: People;
  projects: Projects;
  tasks: TaskColumns;
  graph: Graph;
  load: Load;
}

export function schedule(scene: Scene): void {
  const { people, tasks, graph } = scene;
  tasks.seal();
  countUndated(scene);
  finishDoneTasks(scene);
  // Nodes without work belong to no queue: they are found by their slot in reading order.
  simulateGroup(scene, queueOf(tasks, [0, 0]), graph.nodesOf(-1), null);
  const { places, starts } = groupBy(workers(scene), people.all.length + 1);
  // By group of people, so that the large columns are read from front to back.
  tasks.move(places);
  for (let lead = 0; lead < people.all.length; lead++) {
    const [from, to] = [intAt(starts, lead), intAt(starts, lead + 1)];
    if (from !== to) scheduleGroup(scene, queueOf(tasks, [from, to]), graph.nodesOf(lead), places);
  }
  tasks.take(places);
  for (const { elsewhere } of scene.projects.all) if (elsewhere) finishElsewhere(tasks, elsewhere);
  // A blocker that takes longer may let another task begin first.
  for (const { totals, elsewhere } of scene.projects.all)
    for (const each of [totals, elsewhere?.totals])
      if (each && each.bufferedDay !== null) each.bufferedDay = Math.max(each.bufferedDay, each.forecastDay ?? 0);
}

/** The dates of tasks that count with other projects. */
function finishElsewhere(tasks: TaskColumns, { totals, slots }: NonNullable<Project['elsewhere']>): void {
  for (const slot of slots) {
    const [flags, day, buffered] = [intAt(tasks.flags, slot), intAt(tasks.forecastDay, slot), intAt(tasks.bufferedDay, slot)];
    if (flags & (Flag.noEstimate | Flag.assigneeLeft)) continue;
    if (day !== NONE) {
      totals.forecastDay = Math.max(totals.forecastDay ?? day, day);
      totals.bufferedDay = Math.max(totals.bufferedDay ?? buffered, buffered);
    } else if (!totals.needsData) totals.waiting++;
  }
}

/** Open tasks that wait for an item without a date. */
function countUndated({ projects, tasks, graph }: Scene): void {
  for (const { slot, undated, lacksDate, lacking } of graph.nodes.values())
    if (slot >= 0 && undated && !lacksDate) projects.all[intAt(tasks.project, slot)]?.totals.addWaiting(lacking);
}

/** Open tasks with nothing remaining finish on the first working day from today, unless they wait for others. */
function finishDoneTasks({ today, projects, tasks, graph }: Scene): void {
  const now = firstWorkdayFrom(today);
  for (let slot = 0; slot < tasks.size; slot++) {
    if (floatAt(tasks.minutes, slot) > 0 || !tasks.isOpen(slot) || graph.waits(floatAt(tasks.id, slot))) continue;
    tasks.forecastStart[slot] = now;
    tasks.forecastDay[slot] = now;
    tasks.bufferedDay[slot] = now;
    // A task without an estimate gives its project no date (computed.ts).
    if (intAt(tasks.flags, slot) & Flag.noEstimate) continue;
    projects.finish(intAt(tasks.project, slot), { day: now, person: -1, start: now, task: floatAt(tasks.id, slot) });
    projects.finishBuffered(intAt(tasks.project, slot), now);
  }
}

/** The lead of the group that works on each task. Tasks without work or person get the index after the last. */
function workers({ people, tasks, graph }: Scene): Int32Array {
  const unassigned = people.all.length;
  const workers = new Int32Array(tasks.size);
  for (let slot = 0; slot < tasks.size; slot++) {
    const person = intAt(tasks.person, slot);
    workers[slot] = floatAt(tasks.minutes, slot) > 0 && person >= 0 ? graph.leadOf(person) : unassigned;
  }
  return workers;
}

function scheduleGroup(scene: Scene, queue: WorkQueue, nodes: readonly Node[], places: Int32Array): void {
  spread(scene, queue);
  if (scene.graph.nodes.size > 0) setAside(scene, queue);
  simulateGroup(scene, queue, nodes, places);
}

/** Stores each node's position in the group's queue. Tasks that wait for an item without a date are not simulated. */
function setAside({ graph }: Scene, { ids, minutes }: WorkQueue): void {
  for (let place = 0; place < ids.length; place++) {
    const node = graph.nodes.get(floatAt(ids, place));
    if (!node) continue;
    node.place = place;
    if (node.undated) minutes[place] = 0;
  }
}

function spread({ today, load, people }: Scene, { persons, ids, minutes, startDays, deadlines }: WorkQueue): void {
  for (let place = 0; place < deadlines.length; place++) {
    const deadline = intAt(deadlines, place);
    if (deadline === NO_DEADLINE) continue;
    const person = intAt(persons, place);
    const days: [Day, Day] = [Math.max(today, intAt(startDays, place)), deadline];
    load.addSpread({ person, task: floatAt(ids, place) }, elementAt(people.all, person).calendar, floatAt(minutes, place), days);
  }
}

/** `places`: where rows in reading order have moved to. */
function simulateGroup(scene: Scene, queue: WorkQueue, nodes: readonly Node[], places: Int32Array | null): void {
  const calendars = calendarsOf(scene, queue);
  if (calendars.size + nodes.length === 0) return;
  const { projects, tasks, load, people, today } = scene;
  const { persons, ids, rows, deadlines, forecastStart, forecastDay } = queue;
  const rowOf = ({ slot }: Node) => (slot < 0 || !places ? slot : intAt(places, slot));
  const freeFrom = simulate({ queue: { ...queue, minutes: queue.minutes.slice() }, calendars, nodes }, today, {
    work(place, day, spent) {
      const row = intAt(rows, place);
      if (forecastStart[row] === NONE) forecastStart[row] = day;
      if (deadlines[place] === NO_DEADLINE) load.addAllocated(intAt(persons, place), day, spent, floatAt(ids, place));
    },
    finish(place, day, start) {
      forecastDay[intAt(rows, place)] = day;
      projects.finish(intAt(queue.projects, place), { day, person: intAt(persons, place), start, task: floatAt(ids, place) });
    },
    pass(node, day) {
      const row = rowOf(node);
      if (row < 0) return;
      tasks.forecastStart[row] = day > lastDayOfHorizon(today) ? NONE : day;
      tasks.forecastDay[row] = day;
      projects.finish(intAt(tasks.project, row), { day, person: -1, start: day, task: node.id });
    },
    hold(node, by, until, finish) {
      node.heldBy = by;
      node.heldUntil = until;
      node.heldFrom = finish;
    },
  });
  for (const [person, day] of freeFrom) elementAt(people.all, person).freeFrom = day;
  simulateBuffered(scene, { queue, calendars, nodes }, rowOf);
}

function simulateBuffered({ projects, tasks, today }: Scene, joint: Joint & { queue: WorkQueue }, rowOf: (node: Node) => number): void {
  const { queue } = joint;
  const minutes = queue.minutes.map(bufferedMinutes);
  simulate({ ...joint, queue: { ...queue, minutes } }, today, {
    work() {},
    hold() {},
    finish(place, day) {
      queue.bufferedDay[intAt(queue.rows, place)] = day;
      projects.finishBuffered(intAt(queue.projects, place), day);
    },
    pass(node, day) {
      const row = rowOf(node);
      if (row < 0) return;
      tasks.bufferedDay[row] = day;
      projects.finishBuffered(intAt(tasks.project, row), day);
    },
  });
}

/** People with hours. The work of others is not simulated. */
function calendarsOf({ people }: Scene, { persons, minutes }: WorkQueue): Map<number, Calendar> {
  const calendars = new Map<number, Calendar>();
  for (let place = 0; place < persons.length; place++) {
    const person = intAt(persons, place);
    if (calendars.has(person)) continue;
    const { calendar } = elementAt(people.all, person);
    if (calendar.hasHours) calendars.set(person, calendar);
    else minutes[place] = 0;
  }
  return new Map([...calendars].sort(([a], [b]) => a - b));
}
