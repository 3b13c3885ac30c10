/** Forecast fields of a task in a project's `work[]` (behaviour §6.16, §6.17). Pure. */

import type { Person } from './people.ts';
import type { Issue, WorkEntry } from './schema.ts';
import { Flag } from './tasks.ts';

export type WorkForecast = Pick<WorkEntry, 'remainingHours' | 'forecastStart' | 'forecastDate' | 'late' | 'issues'>;

export function issuesOf(flags: number, minutes: number, assignee: Person | null): Issue[] {
  const issues: Issue[] = [];
  if (flags & Flag.closed) return issues;
  if (flags & Flag.noEstimate) issues.push('no_estimate');
  if (flags & Flag.assigneeLeft) issues.push('assignee_left');
  else if (minutes > 0) {
    if (assignee === null) issues.push('no_assignee');
    else if (assignee.weeklyMinutes === 0) issues.push('no_capacity');
    else if (!assignee.confirmed) issues.push('unconfirmed_capacity');
  }
  if (flags & Flag.overdue) issues.push('overdue');
  if (flags & Flag.blocked) issues.push('blocked');
  return issues;
}
