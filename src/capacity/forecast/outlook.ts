/** Computes a project's figures, dates and outlook from its sums (behaviour §6.9, §6.14). Pure. */

import { type Day, dateOf, weekStartOf } from '../../values/workdays.ts';
import { bufferedHoursOf, hoursOf, hoursOfMinuteSum, weightedProgress } from './exact.ts';
import type { Project, ProjectTotals } from './projects.ts';
import type { TrendRow } from './rows.ts';
import type { Outlook, ProjectForecast, TrendPoint } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';

export const METHOD = 'edf-daily/1 buffer=0.25';

export type ProjectFigures = Omit<ProjectForecast, 'trend' | 'work'>;

export function figuresOf({ id, title, targetDay, totals }: Project, today: Day): ProjectFigures {
  const horizon = lastDayOfHorizon(today);
  const scope = totals.scope.total();
  const remaining = totals.remaining.total();
  return {
    id,
    title,
    targetDate: targetDay === null ? null : dateOf(targetDay),
    forecastDate: dateWithinHorizon(totals, totals.forecastDay, horizon),
    bufferedDate: dateWithinHorizon(totals, totals.bufferedDay, horizon),
    scopeHours: hoursOf(scope),
    remainingHours: hoursOfMinuteSum(remaining),
    bufferedHours: bufferedHoursOf(remaining),
    weightedProgress: weightedProgress(scope, remaining),
    outlook: outlookOf(totals, targetDay, horizon),
    method: METHOD,
    dataIncomplete: totals.needsData || totals.unconfirmed,
  };
}

export const trendPointOf = (figures: ProjectFigures, today: Day): TrendPoint => ({
  date: dateOf(today),
  scopeHours: figures.scopeHours,
  remainingHours: figures.remainingHours,
  weightedProgress: figures.weightedProgress,
});

/** The first matching outlook. A day after `horizon` means unfinished. */
function outlookOf(totals: ProjectTotals, targetDay: Day | null, horizon: Day): Outlook {
  if (totals.tasks === 0) return 'no_scope';
  if (totals.openTasks === 0) return 'within_capacity';
  if (totals.needsData) return 'needs_data';
  if (targetDay === null) return 'needs_target';
  // A target after the horizon is missed, too, because the simulation ends there.
  const latest = Math.min(targetDay, horizon);
  if ((totals.forecastDay ?? latest) > latest) return 'overcommitted';
  return (totals.bufferedDay ?? latest) > latest ? 'at_risk' : 'within_capacity';
}

function dateWithinHorizon(totals: ProjectTotals, finish: Day | null, horizon: Day): string | null {
  const day = totals.openTasks === 0 ? totals.lastCompleted : finish;
  if (day === null || totals.needsData || (totals.openTasks > 0 && day > horizon)) return null;
  return dateOf(day);
}

/** A project's trend: the last eight Mondays and today (behaviour §6.18). Pure. */
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
