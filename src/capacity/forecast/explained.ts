/** Explains a project on pages: its dates without incomplete tasks, and its bottleneck (behaviour §24.11, §24.12). Pure. */
import { figuresOf } from './outlook.ts';
import type { Person } from './people.ts';
import type { Project } from './projects.ts';
import type { Explained, Missing, Week } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';
import { type Day, dateOf, firstWorkdayFrom, weekStartOf } from './workdays.ts';

export function explain(project: Project, people: readonly Person[], today: Day, weeksOf: (index: number) => readonly Week[]): Explained {
  const { targetDay, totals } = project;
  const { scopeHours, weightedProgress } = figuresOf(project, today);
  const { needsData, forecastDay, bufferedDay, lastPerson, lastStart } = totals;
  const finish = within(forecastDay, today);
  const last = finish === null ? undefined : people[lastPerson];
  const bottleneck = last ? bottleneckOf(last, forecastDay!, lastStart, today) : null;
  const over = last && targetDay !== null && !needsData ? differing(weeksOf(lastPerson), forecastDay!, targetDay, today) : undefined;
  return {
    progress: { scopeHours, weightedProgress },
    rest: needsData && finish !== null ? { forecastDate: finish, bufferedDate: within(bufferedDay, today) } : null,
    missing: needsData ? missingIn(totals, people) : null,
    bottleneck,
    weeks: last && over !== undefined && (over !== null || bottleneck?.freeFrom) ? { name: last.name, over } : null,
  };
}

const within = (day: Day | null, today: Day): string | null => (day === null || day > lastDayOfHorizon(today) ? null : dateOf(day));

function missingIn({ noEstimate, unassigned, noHours, left }: Project['totals'], people: readonly Person[]): Missing {
  const leavers = [...(left ?? [])].map(([index, tasks]) => ({ ...people[index]!, tasks }));
  leavers.sort((a, b) => b.tasks - a.tasks || a.id - b.id);
  return { noEstimate, unassigned, noHours, left: leavers.map(({ name, tasks, active }) => ({ name, tasks, deactivated: !active })) };
}

function bottleneckOf({ name, freeFrom }: Person, finish: Day, start: Day, today: Day): Explained['bottleneck'] {
  const now = firstWorkdayFrom(today);
  if (freeFrom !== null && freeFrom > now && freeFrom >= finish) return { name, freeFrom: dateOf(freeFrom), startsOn: null };
  return start > now ? { name, freeFrom: null, startsOn: dateOf(start) } : null;
}

/** The value of `weeks.over`. Undefined if weeks and date agree, or too few weeks are shown to compare. */
function differing(weeks: readonly Week[], finish: Day, target: Day, today: Day): string | null | undefined {
  const [first, last] = [dateOf(weekStartOf(today)), dateOf(weekStartOf(target))];
  const ahead = weeks.filter(({ week }) => week >= first && week <= last);
  if (ahead[0]?.week !== first) return undefined;
  const over = ahead.find(({ overextended }) => overextended);
  if (finish <= target) return over?.week;
  return over || ahead.at(-1)!.week !== last ? undefined : null;
}
