/** A project's trend: the last eight Mondays and today (behaviour §6.18). Pure. */

import type { TrendRow } from './rows.ts';
import type { TrendPoint } from './schema.ts';
import { type Day, dateOf, weekStartOf } from './workdays.ts';

const MONDAYS = 8;

/** True for Mondays whose stored point is shown. False for today, which has live figures. */
export function isTrendDay(day: Day, today: Day): boolean {
  const latest = weekStartOf(today);
  return day < today && day === weekStartOf(day) && day > latest - 7 * MONDAYS;
}

export function trendOf(stored: readonly TrendRow[], live: TrendPoint): TrendPoint[] {
  const points = stored.map(({ day, scopeHours, remainingHours, weightedProgress }) => ({
    date: dateOf(day),
    scopeHours,
    remainingHours,
    weightedProgress,
  }));
  return [...points.sort((a, b) => (a.date < b.date ? -1 : 1)), live];
}
