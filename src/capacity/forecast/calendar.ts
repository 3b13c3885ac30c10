/** When a person works: minutes of each day from dated hours, working days, absences and public holidays (behaviour §34). Pure. */

import { elementAt } from '../../values/records.ts';
import { type Day, firstWorkdayFrom, type Weekdays, WORKWEEK, weekdayOf, weekdaysBefore, weekdaysIn } from '../../values/workdays.ts';
import type { Away, CalendarRow } from './rows.ts';

/** When the first hours begin. */
const ALWAYS = Number.NEGATIVE_INFINITY;

/** Presence on a working day in halves: 2 for the whole day, 1 for half. */
const WHOLE = 2;

/** Working hours valid from a day until before another. */
interface Period {
  readonly from: Day;
  readonly until: Day;
  readonly weeklyMinutes: number;
  readonly weekdays: Weekdays;
  /** By weekday, Monday first. */
  readonly minutes: readonly number[];
  /** Share of a working day in spread work (behaviour §6.20). */
  readonly weight: number;
}

/** The n-th of the week's working days gets floor(W(n+1)/N) − floor(W·n/N) minutes, so they sum to the weekly minutes. */
export function minutesByWeekday(weeklyMinutes: number, weekdays: Weekdays): number[] {
  const days = weekdaysIn(weekdays);
  let n = 0;
  return Array.from({ length: 7 }, (_, weekday) => {
    if ((weekdays & (1 << weekday)) === 0) return 0;
    n++;
    return Math.floor((weeklyMinutes * n) / days) - Math.floor((weeklyMinutes * (n - 1)) / days);
  });
}

export class Calendar {
  /** True if the person has hours today or later. */
  readonly hasHours: boolean;
  readonly #first: Period;
  readonly #later: readonly Period[];
  /** Working days lost in whole or in part, ascending; halves left of each; and the weight lost until then. */
  readonly #days: Day[] = [];
  readonly #left = new Map<Day, number>();
  readonly #lost: number[] = [];
  readonly #away: readonly Away[];

  constructor(weeklyMinutes: number, row: CalendarRow | null, today: Day) {
    this.#away = (row?.away ?? []).toSorted((a, b) => a.firstDay - b.firstDay || a.lastDay - b.lastDay);
    [this.#first, ...this.#later] = periodsOf(weeklyMinutes, row);
    this.hasHours = [this.#first, ...this.#later].some((period) => period.weeklyMinutes > 0 && period.until > today);
    this.#addAway();
  }

  weeklyMinutesOn = (day: Day): number => this.#periodOn(day).weeklyMinutes;

  minutesOn(day: Day): number {
    const minutes = elementAt(this.#periodOn(day).minutes, weekdayOf(day));
    return this.#days.length === 0 ? minutes : Math.floor((minutes * (this.#left.get(day) ?? WHOLE)) / WHOLE);
  }

  minutesOfWeek(monday: Day): number {
    let minutes = 0;
    for (let day = monday; day < monday + 7; day++) minutes += this.minutesOn(day);
    return minutes;
  }

  /** Last day of the week with work. Friday, or a later working day. */
  lastDayOfWeek(monday: Day): Day {
    const { weekdays } = this.#periodOn(monday + 6);
    return monday + Math.max(4, 31 - Math.clz32(weekdays));
  }

  /** Weight of all days before `day`. Only differences have a meaning. */
  weightBefore(day: Day): number {
    const lost = this.#lost.length === 0 ? 0 : (this.#lost[placeOf(this.#days, day) - 1] ?? 0);
    let weight = weightIn(this.#first, day) - lost;
    for (const period of this.#later) if (period.from < day) weight += weightIn(period, day);
    return weight;
  }

  /** The first day from `day` on with time for work. Monday to Friday if there is none before `last`. */
  firstDayFrom(day: Day, last: Day): Day {
    if (this.#days.length === 0 && this.#later.length === 0 && this.#first.weekdays === WORKWEEK) return firstWorkdayFrom(day);
    const before = this.weightBefore(day);
    for (let at = day; at <= last; at++) if (this.weightBefore(at + 1) > before) return at;
    return firstWorkdayFrom(day);
  }

  /** Absences and holidays that take working time from `first` to `last`. */
  awayWithin(first: Day, last: Day): Away[] {
    return this.#away.filter(({ firstDay, lastDay }) => {
      const [from, to] = [Math.max(firstDay, first), Math.min(lastDay, last)];
      const lost = this.#days[placeOf(this.#days, from)];
      return from <= to && lost !== undefined && lost <= to;
    });
  }

  #periodOn(day: Day): Period {
    return this.#later.findLast(({ from }) => from <= day) ?? this.#first;
  }

  #addAway(): void {
    for (const { firstDay, lastDay, half } of this.#away)
      for (let day = firstDay; day <= lastDay; day++)
        if (this.#periodOn(day).weekdays & (1 << weekdayOf(day))) this.#left.set(day, Math.min(this.#left.get(day) ?? WHOLE, half ? 1 : 0));
    let lost = 0;
    for (const [day, left] of [...this.#left].sort(([a], [b]) => a - b)) {
      lost += (this.#periodOn(day).weight * (WHOLE - left)) / WHOLE;
      this.#days.push(day);
      this.#lost.push(lost);
    }
  }
}

/** The weight of a period's days before `day`. */
function weightIn({ from, until, weekdays, weight }: Period, day: Day): number {
  return weight * (weekdaysBefore(weekdays, Math.min(until, day)) - (from === ALWAYS ? 0 : weekdaysBefore(weekdays, from)));
}

/** Number of the first of the ascending `days` that is not before `day`. */
function placeOf(days: readonly Day[], day: Day): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elementAt(days, middle) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Divisible by each number of working days. */
const WEEK_PARTS = 420;

function periodsOf(weeklyMinutes: number, row: CalendarRow | null): [Period, ...Period[]] {
  type Hours = CalendarRow['hours'][number];
  const first: Hours = { firstDay: ALWAYS, weeklyMinutes, weekdays: row?.weekdays ?? WORKWEEK };
  const later = row?.hours.toSorted((a, b) => a.firstDay - b.firstDay) ?? [];
  const none = [first, ...later].every((hours) => hours.weeklyMinutes === 0);
  const weightOf = (hours: Hours) => ((none ? 1 : hours.weeklyMinutes) * WEEK_PARTS) / weekdaysIn(hours.weekdays);
  const unit = [first, ...later].map(weightOf).reduce(commonDivisor);
  const periodFrom = (hours: Hours, next: Hours | undefined): Period => ({
    from: hours.firstDay,
    until: next?.firstDay ?? Number.POSITIVE_INFINITY,
    weeklyMinutes: hours.weeklyMinutes,
    weekdays: hours.weekdays,
    minutes: minutesByWeekday(hours.weeklyMinutes, hours.weekdays),
    // Twice the smallest integer, so that the weight of a half day is an integer.
    weight: (WHOLE * weightOf(hours)) / unit,
  });
  return [periodFrom(first, later[0]), ...later.map((hours, n) => periodFrom(hours, later[n + 1]))];
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
