import { elementAt } from '../../values/records.ts';
import type { Day } from '../../values/workdays.ts';
import { Calendar } from './calendar.ts';
import type { Away, CalendarRow, HolidayRow, PersonRow } from './rows.ts';

const UNCONFIRMED_WEEKLY_MINUTES = 2400;

export interface Person {
  readonly id: number;
  readonly name: string;
  /** Hours of today. */
  readonly weeklyMinutes: number;
  readonly confirmed: boolean;
  readonly calendar: Calendar;
  readonly active: boolean;
  /** First working day with time left in the simulation. Null if there is none within the horizon. */
  freeFrom: Day | null;
  listed: boolean;
}

export class People {
  readonly all: Person[] = [];
  readonly #today: Day;
  readonly #holidays = new Map<string, Away[]>();
  readonly #indexes = new Map<number, number>();

  constructor(today: Day, holidays: readonly HolidayRow[] = []) {
    this.#today = today;
    for (const { region, day, half, name } of holidays) {
      const days = this.#holidays.get(region) ?? [];
      this.#holidays.set(region, days);
      days.push({ firstDay: day, lastDay: day, half, holiday: name });
    }
  }

  add(row: PersonRow): void {
    const { id, name, weeklyMinutes, calendar = null, assignable, active } = row;
    const when = new Calendar(weeklyMinutes ?? UNCONFIRMED_WEEKLY_MINUTES, this.#withHolidays(calendar), this.#today);
    this.#indexes.set(id, this.all.length);
    this.all.push({
      id,
      name,
      weeklyMinutes: when.weeklyMinutesOn(this.#today),
      confirmed: weeklyMinutes !== null || (calendar?.hours.some(({ firstDay }) => firstDay <= this.#today) ?? false),
      calendar: when,
      active,
      freeFrom: null,
      listed: assignable,
    });
  }

  #withHolidays(calendar: CalendarRow | null): CalendarRow | null {
    const days = this.#holidays.get(calendar?.region ?? '');
    return calendar && days ? { ...calendar, away: [...calendar.away, ...days] } : calendar;
  }

  /** Index of a person referred to by a task, time or block. Lists the person. Throws an Error for an unknown id. */
  named(id: number): number {
    const index = this.#indexes.get(id);
    if (index === undefined) throw new Error(`Person ${id} is named before being added to the forecast: add the people first.`);
    elementAt(this.all, index).listed = true;
    return index;
  }
}
