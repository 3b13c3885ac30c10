/** Simulates all work as estimated and with 25 % more (behaviour §6.12). Sets days of tasks and projects, and the weeks. Pure. */
import { bufferedMinutes } from './exact.ts';
import { everyRow, gather, groupBy, sortBy } from './order.ts';
import type { People } from './people.ts';
import type { Projects } from './projects.ts';
import { lastDayOfHorizon, type SimulationListener, simulatePerson } from './simulate.ts';
import { Flag, NO_DEADLINE, NONE, type TaskColumns } from './tasks.ts';
import type { Load } from './weeks.ts';
import { type Day, firstWorkdayFrom } from './workdays.ts';

/** A person's tasks in working order: place 0 is the most urgent. */
export interface PersonsQueue {
  person: number;
  ids: Float64Array;
  minutes: Float64Array;
  startDays: Int32Array;
  deadlines: Int32Array;
  projects: Int32Array;
  /** For each place, the row of `forecastStart` and `forecastDay` for its results. */
  rows: Uint32Array;
  forecastStart: Int32Array;
  forecastDay: Int32Array;
}

export function queueOf(tasks: TaskColumns, person: number, [from, to]: [number, number]): PersonsQueue {
  const rows = everyRow(to - from);
  const deadline = tasks.deadline.subarray(from, to);
  const startDay = tasks.startDay.subarray(from, to);
  // Deadline (none last), priority (highest first), start (none first), id. So the reading order has no influence.
  sortBy(rows, tasks.id.subarray(from, to));
  sortBy(rows, startDay);
  sortBy(rows, tasks.patience.subarray(from, to));
  sortBy(rows, deadline);
  return {
    person,
    ids: gather(rows, tasks.id.subarray(from, to)),
    minutes: gather(rows, tasks.minutes.subarray(from, to)),
    startDays: gather(rows, startDay),
    deadlines: gather(rows, deadline),
    projects: gather(rows, tasks.project.subarray(from, to)),
    rows,
    forecastStart: tasks.forecastStart.subarray(from, to),
    forecastDay: tasks.forecastDay.subarray(from, to),
  };
}

export interface Scene {
  today: Day;
  people: People;
  projects: Projects;
  tasks: TaskColumns;
  load: Load;
}

export function schedule(scene: Scene): void {
  const { people, tasks } = scene;
  tasks.seal();
  finishDoneTasks(scene);
  const { places, starts } = groupBy(workers(scene), people.all.length + 1);
  // By person, so that the large columns are read from front to back.
  tasks.move(places);
  for (let person = 0; person < people.all.length; person++) {
    if (starts[person] !== starts[person + 1]) schedulePerson(scene, queueOf(tasks, person, [starts[person]!, starts[person + 1]!]));
  }
  tasks.take(places);
}

/** Open tasks with nothing remaining finish on the first working day from today. */
function finishDoneTasks({ today, projects, tasks }: Scene): void {
  const now = firstWorkdayFrom(today);
  for (let slot = 0; slot < tasks.size; slot++) {
    if (tasks.minutes[slot]! > 0 || !tasks.isOpen(slot)) continue;
    tasks.forecastStart[slot] = now;
    tasks.forecastDay[slot] = now;
    // A task without an estimate gives its project no date (computed.ts).
    if (tasks.flags[slot]! & Flag.noEstimate) continue;
    projects.finish(tasks.project[slot]!, now, -1, now);
    projects.finishBuffered(tasks.project[slot]!, now);
  }
}

/** Index of the person who works on each task. Tasks without work or person get the index after the last. */
function workers({ people, tasks }: Scene): Int32Array {
  const unassigned = people.all.length;
  const workers = new Int32Array(tasks.size);
  for (let slot = 0; slot < tasks.size; slot++) {
    const person = tasks.person[slot]!;
    workers[slot] = tasks.minutes[slot]! > 0 && person >= 0 ? person : unassigned;
  }
  return workers;
}

function schedulePerson(scene: Scene, queue: PersonsQueue): void {
  spread(scene, queue);
  if (scene.people.all[queue.person]!.weeklyMinutes === 0) return;
  simulate(scene, queue);
  simulateBuffered(scene, queue);
}

function spread({ today, load }: Scene, { person, ids, minutes, startDays, deadlines }: PersonsQueue): void {
  for (let place = 0; place < minutes.length; place++) {
    const deadline = deadlines[place]!;
    if (deadline !== NO_DEADLINE) load.addSpread(person, minutes[place]!, Math.max(today, startDays[place]!), deadline, ids[place]!);
  }
}

function simulate(scene: Scene, queue: PersonsQueue): void {
  const { projects, load } = scene;
  const { person, ids, rows, startDays, deadlines, forecastStart, forecastDay } = queue;
  scene.people.all[person]!.freeFrom = run(scene, queue, queue.minutes.slice(), {
    work(place, day, spent) {
      if (forecastStart[rows[place]!] === NONE) forecastStart[rows[place]!] = day;
      if (deadlines[place] === NO_DEADLINE) load.addAllocated(person, day, spent, ids[place]!);
    },
    finish(place, day) {
      forecastDay[rows[place]!] = day;
      projects.finish(queue.projects[place]!, day, person, startDays[place]!);
    },
  });
}

function simulateBuffered(scene: Scene, queue: PersonsQueue): void {
  const minutes = new Float64Array(queue.minutes.length);
  for (let place = 0; place < minutes.length; place++) minutes[place] = bufferedMinutes(queue.minutes[place]!);
  run(scene, queue, minutes, {
    work() {},
    finish: (place, day) => scene.projects.finishBuffered(queue.projects[place]!, day),
  });
}

/** Finishes every task by the day after the horizon at the latest. Changes `minutes`. Returns the first day with time left, or null. */
function run(
  { today, people }: Scene,
  { person, startDays }: PersonsQueue,
  minutes: Float64Array,
  witness: SimulationListener,
): Day | null {
  const freeFrom = simulatePerson({ minutes, startDays }, people.all[person]!.weeklyMinutes, today, witness);
  const notByThen = lastDayOfHorizon(today) + 1;
  for (let place = 0; place < minutes.length; place++) if (minutes[place]! > 0) witness.finish(place, notByThen);
  return freeFrom;
}
