/** What pages say of a project besides its figures: the date of the rest where data is missing, who is the bottleneck, and whether the
 *  weeks of that person look different from the date (behaviour §24.11, §24.12). The API has none of it. Pure. */
import { figuresOf } from './outlook.ts';
import type { Person } from './people.ts';
import type { Project } from './projects.ts';
import type { Week } from './schema.ts';
import { lastDayOfHorizon } from './simulate.ts';
import { type Day, dateOf, firstWorkdayFrom, mondayOf } from './workdays.ts';

/** Open tasks that have no date, by reason. A task can have several reasons. */
export interface Missing {
  noEstimate: number;
  unassigned: number;
  /** Assigned to people with 0 hours a week. */
  noHours: number;
  /** By person who has left, most tasks first. */
  left: { name: string; tasks: number; deactivated: boolean }[];
}

export interface Explained {
  /** As the answer has them. */
  progress: { scopeHours: number; weightedProgress: number | null };
  /** Of a project that needs data: the dates of its other tasks, if they have any, and what is missing. */
  rest: { forecastDate: string; bufferedDate: string | null } | null;
  missing: Missing | null;
  /** Who finishes the last task. `freeFrom`: their first day with time left, where they are booked until the forecast date; else `startsOn`:
   *  the last task's start date, if it is ahead. */
  bottleneck: { name: string; freeFrom: string | null; startsOn: string | null } | null;
  /** That person's weeks up to the target don't look like the date: `over` is their first overextended week where the project ends in time;
   *  null where none is, although they are booked until it ends, after its target. */
  weeks: { name: string; over: string | null } | null;
}

/** `weeksOf` gives the weeks of the answer of the person with that index. */
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

/** As `weeks.over`; undefined where weeks and date agree, or too few weeks are shown to tell. */
function differing(weeks: readonly Week[], finish: Day, target: Day, today: Day): string | null | undefined {
  const [first, last] = [dateOf(mondayOf(today)), dateOf(mondayOf(target))];
  const ahead = weeks.filter(({ week }) => week >= first && week <= last);
  if (ahead[0]?.week !== first) return undefined;
  const over = ahead.find(({ overextended }) => overextended);
  if (finish <= target) return over?.week;
  return over || ahead.at(-1)!.week !== last ? undefined : null;
}
