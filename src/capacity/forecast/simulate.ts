/** Simulates the work of people day by day, together if their tasks wait for each other: method edf-daily/1 (behaviour §6.10, §6.11, §34).
 *  Pure. */

import { valueAt } from '../../values/records.ts';
import { type Day, firstWorkdayFrom, workdayAfter, workdayAt, workdayIndex } from '../../values/workdays.ts';
import type { Calendar } from './calendar.ts';
import { type Node, SAME_DAY } from './dependencies.ts';
import { MinHeap } from './heap.ts';
import { floatAt, intAt, rowsWhere, sortBy } from './order.ts';

/** About ten years. Unfinished work then gets no date (behaviour §6.13). */
const HORIZON_WORKDAYS = 2600;

export const lastDayOfHorizon = (today: Day): Day => workdayAt(workdayIndex(today) + HORIZON_WORKDAYS - 1);

/** Tasks in working order: place 0 is the most urgent. Tasks without minutes are not simulated. */
export interface Queue {
  /** Minutes left. The simulation changes them. */
  minutes: Float64Array;
  startDays: Int32Array;
  /** Index of the person who works on each. */
  persons: Int32Array;
}

/** Receives events in order of days. The last `work` of a task comes before its `finish`. */
interface SimulationListener {
  work(place: number, day: Day, minutes: number): void;
  /** `start`: the first day on which it might have begun. */
  finish(place: number, day: Day, start: Day): void;
  /** A node without work finishes. */
  pass(node: Node, day: Day): void;
  /** A blocker delays a node more than those before it. Ties: the lowest id. `finish`: of the blocker. */
  hold(node: Node, by: Node, until: Day, finish: Day): void;
}

/** A person's ready tasks. */
interface Lane {
  readonly calendar: Calendar;
  readonly ready: MinHeap;
  freeFrom: Day | null;
}

/** `nodes`: tasks of the queue that are blocked or block, and blockers without work. */
export interface Joint {
  queue: Queue;
  calendars: ReadonlyMap<number, Calendar>;
  nodes: readonly Node[];
}

/** Fills each person's days with their most urgent work that may start, up to the horizon. Unfinished tasks then finish on the day
 *  after it. Returns the first day with time left of each person, null without one. */
export function simulate(joint: Joint, today: Day, witness: SimulationListener): Map<number, Day | null> {
  const run = new Run(joint, today, witness);
  const end = lastDayOfHorizon(today);
  for (let day = today; day <= end && !run.isOver; day++) run.workOn(day);
  run.finishRest(end + 1);
  return new Map([...run.lanes].map(([person, { freeFrom }]) => [person, freeFrom]));
}

class Run {
  readonly lanes = new Map<number, Lane>();
  readonly #queue: Queue;
  readonly #witness: SimulationListener;
  /** Tasks that wait only for their start day, earliest first. */
  readonly #waiting: Int32Array;
  #next = 0;
  readonly #holds: Holds | null;
  /** Released places by the day on which they may start. */
  readonly #arrivals = new Map<Day, number[]>();

  constructor({ queue, calendars, nodes }: Joint, today: Day, witness: SimulationListener) {
    this.#queue = queue;
    this.#witness = witness;
    const { minutes, startDays, persons } = queue;
    const counts = new Map<number, number>();
    for (const person of persons) counts.set(person, (counts.get(person) ?? 0) + 1);
    for (const [person, calendar] of calendars)
      this.lanes.set(person, { calendar, ready: new MinHeap(counts.get(person) ?? 0), freeFrom: null });
    this.#holds = nodes.length > 0 ? new Holds(nodes, witness, (place, day) => this.#arrive(place, day)) : null;
    this.#waiting = rowsWhere(minutes.length, (place) => {
      if (minutes[place] === 0 || this.#holds?.isHeld(place)) return false;
      // Places are ascending, so each push needs only one comparison.
      const waits = intAt(startDays, place) > today;
      if (!waits) this.#push(place);
      return waits;
    });
    sortBy(this.#waiting, startDays);
    this.#holds?.begin(firstWorkdayFrom(today));
  }

  get isOver(): boolean {
    if (this.#next < this.#waiting.length || this.#arrivals.size > 0) return false;
    for (const { ready, freeFrom } of this.lanes.values()) if (ready.size > 0 || freeFrom === null) return false;
    return true;
  }

  workOn(day: Day): void {
    for (; this.#next < this.#waiting.length; this.#next++) {
      const place = intAt(this.#waiting, this.#next);
      if (intAt(this.#queue.startDays, place) > day) break;
      this.#push(place);
    }
    for (const place of this.#arrivals.get(day) ?? []) this.#push(place);
    this.#arrivals.delete(day);
    for (const lane of this.lanes.values()) if (lane.ready.size > 0 || lane.freeFrom === null) this.#fill(lane, day);
  }

  finishRest(day: Day): void {
    const { minutes } = this.#queue;
    for (let place = 0; place < minutes.length; place++) if (floatAt(minutes, place) > 0) this.#finish(place, day);
    this.#holds?.passRest(day);
  }

  #fill(lane: Lane, day: Day): void {
    let free = lane.calendar.minutesOn(day);
    while (free > 0 && lane.ready.size > 0) free -= this.#work(lane.ready, day, free);
    if (free > 0) lane.freeFrom ??= day;
  }

  #work(ready: MinHeap, day: Day, free: number): number {
    const { minutes } = this.#queue;
    const place = ready.top;
    const left = floatAt(minutes, place);
    const spent = Math.min(free, left);
    minutes[place] = left - spent;
    this.#witness.work(place, day, spent);
    if (spent === left) {
      ready.pop();
      this.#finish(place, day);
      this.#holds?.finish(place, day);
    }
    return spent;
  }

  #finish(place: number, day: Day): void {
    const start = intAt(this.#queue.startDays, place);
    this.#witness.finish(place, day, Math.max(start, this.#holds?.heldUntil(place) ?? start));
  }

  #push(place: number): void {
    valueAt(this.lanes, intAt(this.#queue.persons, place)).ready.push(place);
  }

  #arrive(place: number, earliest: Day): void {
    const day = Math.max(earliest, intAt(this.#queue.startDays, place));
    const places = this.#arrivals.get(day);
    if (places) places.push(place);
    else this.#arrivals.set(day, [place]);
  }
}

/** The nodes of one run that still wait for blockers. */
class Holds {
  readonly #nodes: readonly Node[];
  readonly #witness: SimulationListener;
  readonly #arrive: (place: number, day: Day) => void;
  readonly #left = new Map<Node, number>();
  readonly #held = new Map<Node, { by: Node; until: Day }>();
  readonly #byPlace = new Map<number, Node>();
  readonly #passed = new Set<Node>();

  constructor(nodes: readonly Node[], witness: SimulationListener, arrive: (place: number, day: Day) => void) {
    this.#nodes = nodes;
    this.#witness = witness;
    this.#arrive = arrive;
    for (const node of nodes) {
      if (node.blockers > 0) this.#left.set(node, node.blockers);
      if (node.place >= 0) this.#byPlace.set(node.place, node);
    }
  }

  isHeld(place: number): boolean {
    const node = this.#byPlace.get(place);
    return node !== undefined && this.#left.has(node);
  }

  heldUntil(place: number): Day | undefined {
    const node = this.#byPlace.get(place);
    return node && this.#held.get(node)?.until;
  }

  /** `now`: when nodes with nothing left to do and no blockers finish. */
  begin(now: Day): void {
    for (const node of this.#nodes) if (node.place < 0 && node.blockers === 0) this.#pass(node, now);
  }

  finish(place: number, day: Day): void {
    const node = this.#byPlace.get(place);
    if (node) this.#follow(node, day);
  }

  passRest(day: Day): void {
    for (const node of this.#nodes) if (node.place < 0 && !this.#passed.has(node)) this.#witness.pass(node, day);
  }

  #pass(node: Node, day: Day): void {
    this.#passed.add(node);
    this.#witness.pass(node, day);
    this.#follow(node, day);
  }

  /** A loop instead of a recursion: chains may be long. */
  #follow(first: Node, day: Day): void {
    const finished = [{ blocker: first, day }];
    for (const { blocker, day: on } of finished)
      for (const { node, lagDays } of blocker.next) {
        if (node.undated) continue;
        const start = this.#hold(node, { by: blocker, finish: on, until: lagDays === SAME_DAY ? on : workdayAfter(on, lagDays) });
        const left = valueAt(this.#left, node) - 1;
        this.#left.set(node, left);
        if (left > 0) continue;
        this.#left.delete(node);
        if (node.place >= 0) this.#arrive(node.place, start);
        else {
          this.#passed.add(node);
          this.#witness.pass(node, start);
          finished.push({ blocker: node, day: start });
        }
      }
  }

  #hold(node: Node, { by, finish, until }: { by: Node; finish: Day; until: Day }): Day {
    const held = this.#held.get(node);
    if (held && (until < held.until || (until === held.until && by.id > held.by.id))) return held.until;
    this.#held.set(node, { by, until });
    this.#witness.hold(node, by, until, finish);
    return until;
  }
}
