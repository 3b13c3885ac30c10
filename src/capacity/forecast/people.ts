/** The people of a scope, by index. Pure. */
import type { PersonRow } from './rows.ts';
import type { Day } from './workdays.ts';

/** 40 hours, for someone whose weekly hours were never confirmed. */
const UNCONFIRMED_WEEKLY_MINUTES = 2400;

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly weeklyMinutes: number;
  readonly confirmed: boolean;
  readonly active: boolean;
  /** The first working day with time left in the simulation; null where there is none within the horizon. */
  freeFrom: Day | null;
  /** Belongs in the answer's `people`. */
  listed: boolean;
}

export class People {
  readonly all: Person[] = [];
  readonly #indexes = new Map<number, number>();

  add(row: PersonRow): void {
    const { id, name, weeklyMinutes, assignable, active } = row;
    this.#indexes.set(id, this.all.length);
    this.all.push({
      id,
      name,
      weeklyMinutes: weeklyMinutes ?? UNCONFIRMED_WEEKLY_MINUTES,
      confirmed: weeklyMinutes !== null,
      active,
      freeFrom: null,
      listed: assignable,
    });
  }

  /** The index of someone whom a task, time or a block names: from now on listed. */
  named(id: number): number {
    const index = this.#indexes.get(id);
    if (index === undefined) throw new Error(`Person ${id} is named before being added to the forecast: add the people first.`);
    this.all[index]!.listed = true;
    return index;
  }
}
