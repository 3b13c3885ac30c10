/** Minutes of people in the eight weeks of the answer (behaviour §6.20, §6.21, §6.22). Pure. */

import { type Day, dateOf, weekStartOf } from '../../values/workdays.ts';
import type { Calendar } from './calendar.ts';
import { hoursOfMinutes, percentOf, shareOf } from './exact.ts';
import { floatAt } from './order.ts';
import type { Person } from './people.ts';
import type { PersonCapacity, Week } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';

export const WEEKS = 8;

export class Load {
  readonly from: Day;
  readonly today: Day;
  readonly #allocated: Float64Array;
  readonly #recorded: Float64Array;
  readonly #planned: Float64Array;

  constructor(people: number, from: Day, today: Day) {
    this.from = weekStartOf(from);
    this.today = today;
    this.#allocated = new Float64Array(people * WEEKS);
    this.#recorded = new Float64Array(people * WEEKS);
    this.#planned = new Float64Array(people * WEEKS);
  }

  addAllocated(person: number, day: Day, minutes: number, task: number): void {
    const week = Math.floor((day - this.from) / 7);
    if (week >= 0 && week < WEEKS) this.allocate(person, week, minutes, task);
  }

  addRecorded = (person: number, day: Day, minutes: number): void => this.#add(this.#recorded, person, day, minutes);
  addPlanned = (person: number, day: Day, minutes: number): void => this.#add(this.#planned, person, day, minutes);

  /** Spreads `minutes` over the person's working days from `first` to `last`, by their hours, or on the first one from today if there is
   *  none. Equal day j of n gets floor(m(j+1)/n) − floor(m·j/n), so the parts are whole minutes with the sum m. */
  addSpread({ person, task }: { person: number; task: number }, calendar: Calendar, minutes: number, [first, last]: [Day, Day]): void {
    const start = calendar.weightBefore(first);
    const all = calendar.weightBefore(last + 1) - start;
    if (last < first || all === 0) {
      this.addAllocated(person, calendar.firstDayFrom(this.today, lastDayOfHorizon(this.today)), minutes, task);
      return;
    }
    const partBefore = (day: Day) => shareOf(minutes, Math.min(Math.max(calendar.weightBefore(day) - start, 0), all), all);
    let before = partBefore(this.from);
    for (let week = 0; week < WEEKS && before < minutes; week++) {
      const upTo = partBefore(this.from + 7 * (week + 1));
      this.allocate(person, week, upTo - before, task);
      before = upTo;
    }
  }

  protected allocate(person: number, week: number, minutes: number, _task: number): void {
    addTo(this.#allocated, person * WEEKS + week, minutes);
  }

  #add(minutesOfWeeks: Float64Array, person: number, day: Day, minutes: number): void {
    const week = Math.floor((day - this.from) / 7);
    if (week >= 0 && week < WEEKS) addTo(minutesOfWeeks, person * WEEKS + week, minutes);
  }

  of({ id, name, weeklyMinutes, confirmed, calendar }: Person, index: number): PersonCapacity {
    const weeks = Array.from({ length: WEEKS }, (_, week) => this.#week(index * WEEKS + week, this.from + 7 * week, calendar));
    return { id, name, weeklyHours: hoursOfMinutes(weeklyMinutes), confirmed, weeks };
  }

  #week(place: number, monday: Day, calendar: Calendar): Week {
    const available = calendar.minutesOfWeek(monday);
    const allocated = floatAt(this.#allocated, place);
    const recorded = floatAt(this.#recorded, place);
    const planned = floatAt(this.#planned, place);
    // Past weeks count only recorded time: past plans need no more time.
    const demand = calendar.lastDayOfWeek(monday) < this.today ? recorded : Math.max(allocated + recorded, planned);
    const over = Math.max(0, demand - available);
    return {
      week: dateOf(monday),
      availableHours: hoursOfMinutes(available),
      allocatedHours: hoursOfMinutes(allocated),
      plannedHours: hoursOfMinutes(planned),
      recordedHours: hoursOfMinutes(recorded),
      overHours: hoursOfMinutes(over),
      overextended: over > 0,
      loadPercent: percentOf(demand, available),
    };
  }
}

function addTo(minutesOfWeeks: Float64Array, place: number, minutes: number): void {
  minutesOfWeeks[place] = floatAt(minutesOfWeeks, place) + minutes;
}

/** A Load that also records the minutes of each task and person in one week. */
export class ItemizedLoad extends Load {
  readonly #week: number;
  readonly #shares = new Map<number, Map<number, number>>();

  constructor(people: number, from: Day, today: Day, week: Day) {
    super(people, from, today);
    this.#week = Math.floor((week - this.from) / 7);
  }

  sharesOf(person: number): ReadonlyMap<number, number> {
    return this.#shares.get(person) ?? new Map();
  }

  protected override allocate(person: number, week: number, minutes: number, task: number): void {
    super.allocate(person, week, minutes, task);
    if (week !== this.#week || minutes === 0) return;
    const shares = this.#shares.get(person) ?? new Map<number, number>();
    shares.set(task, (shares.get(task) ?? 0) + minutes);
    this.#shares.set(person, shares);
  }
}
