/** Forecast figures as text. */

import { outlooks } from '../../capacity/forecast/outline.ts';
import type { AwayDates, Explained, Missing, Outlook, ProjectForecast } from '../../capacity/forecast/schema.ts';
import { daysBetween } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { outlookCountWords } from '../frame/components/marks.ts';
import { dayWords, earlyOrLate, estimate, monthDay, shortDay, within } from '../frame/components/when.ts';
import { quantity } from '../frame/widgets.ts';

/** "11 h free until Fri 11 Dec" (behaviour §40.3) */
export const freeWords = (hours: number, until: string, clock: Clock): string => `${estimate(hours)} free until ${shortDay(until, clock)}`;

interface Explainable {
  explained?: Explained | null | undefined;
  /** Ids of the items that the reader sees, of those that the explanation names. */
  named?: readonly number[];
  /** The dates include work that the reader can't see. */
  includesHidden?: boolean;
}

const tasksAre = (count: number): string => quantity(count, 'task is', 'tasks are');
const MOST_LEFT = 3;

/** "The date does not include 7 tasks assigned to Bo, who is deactivated.", "1 task has no estimate.", "Ana has no free time until 28 Jan." */
export function explainedSentences(about: Explainable, clock: Clock): string[] {
  return [...causes(about, clock), ...(about.includesHidden ? ['Includes work that you can’t see.'] : [])];
}

function causes({ explained, named = [] }: Explainable, clock: Clock): string[] {
  if (!explained) return [];
  const { rest, missing, bottleneck } = explained;
  const last = [
    ...chainSentences(explained, named, clock),
    ...(bottleneck ? [bottleneckWords(bottleneck, clock)] : []),
    ...(explained.away ?? []).map((away) => awaySentence(away, clock)),
  ];
  if (explained.elsewhere) last.unshift(`Its ${explained.elsewhere === 1 ? 'task counts' : 'tasks count'} with other projects.`);
  return missing ? [...missingSentences(missing, rest !== null), ...waitingSentences(missing, named), ...last] : last;
}

/** "Task 35 waits for 34, which waits for 33, until Mon 9 Mar." Says nothing of items that the reader does not see. */
function chainSentences({ waits }: Explained, named: readonly number[], clock: Clock): string[] {
  const chain = waits?.chain.filter((id) => named.includes(id)) ?? [];
  if (!waits || chain.length === 0 || !named.includes(waits.taskId)) return [];
  return [`Task ${waits.taskId} waits for ${chain.join(', which waits for ')}, until ${within(dayWords(waits.until, clock))}.`];
}

function waitingSentences({ waiting }: Missing, named: readonly number[]): string[] {
  if (!waiting) return [];
  const seen = waiting.blockers.filter((id) => named.includes(id));
  const whatFor = seen.length > 0 ? `${seen.join(' and ')}, which ${seen.length > 1 ? 'have' : 'has'} no date` : 'work without a date';
  return [`${quantity(waiting.tasks, 'task waits', 'tasks wait')} for ${whatFor}.`];
}

/** "from 9 Mar to 10 Mar" */
export const spanWords = (first: string, last: string, clock: Clock): string =>
  first === last ? `on ${monthDay(first, clock)}` : `from ${monthDay(first, clock)} to ${monthDay(last, clock)}`;

/** "away from 9 Mar to 10 Mar" */
export function awayWords({ first, last, half, holiday }: AwayDates, clock: Clock): string {
  const days = spanWords(first, last, clock);
  return holiday === null ? `${half ? 'half days' : 'away'} ${days}` : `${holiday} ${days}`;
}

type NamedAway = NonNullable<Explained['away']>[number];

function awaySentence({ name, first, last, half, holiday }: NamedAway, clock: Clock): string {
  const days = spanWords(first, last, clock);
  if (holiday !== null) return `${name} has a public holiday ${days}: ${holiday}.`;
  return half ? `${name} works half days ${days}.` : `${name} is away ${days}.`;
}

function missingSentences({ left, noEstimate, unassigned, noHours }: Missing, dated: boolean): string[] {
  const assigned = (count: number, to: string) =>
    `${dated ? `The date does not include ${quantity(count, 'task')}` : tasksAre(count)} assigned to ${to}`;
  const others = left.slice(MOST_LEFT);
  const count = others.reduce((sum, one) => sum + one.tasks, 0);
  return [
    ...left
      .slice(0, MOST_LEFT)
      .map((one) => `${assigned(one.tasks, one.name)}, who ${one.deactivated ? 'is deactivated' : 'left the workspace'}.`),
    others.length > 0 && `${assigned(count, quantity(others.length, 'other person', 'other people'))} who left.`,
    noEstimate > 0 && `${quantity(noEstimate, 'task has', 'tasks have')} no estimate.`,
    unassigned > 0 && `${tasksAre(unassigned)} unassigned.`,
    noHours > 0 && `${tasksAre(noHours)} assigned to someone with 0 hours a week.`,
  ].filter((sentence) => sentence !== false);
}

const bottleneckWords = ({ name, freeFrom, startsOn }: NonNullable<Explained['bottleneck']>, clock: Clock): string =>
  freeFrom !== null
    ? `${name} has no free time until ${within(dayWords(freeFrom, clock))}.`
    : `The last task, assigned to ${name}, starts on ${startsOn === null ? 'no date' : dayWords(startsOn, clock)}.`;

/** Why the load of the weeks and the forecast date seem to disagree; null if they agree. */
export function weeksWords({ explained }: Explainable, clock: Clock): string | null {
  if (!explained?.weeks) return null;
  const { name, over } = explained.weeks;
  return over === null
    ? `No week of ${name} is over 100 %, but the tasks finish late. The date assumes one task after another from today.`
    : `The tasks finish on time, although ${name} is overloaded in the week of ${monthDay(over, clock)}. The date counts only the hours left.`;
}

export type Dated = Pick<ProjectForecast, 'forecastDate' | 'targetDate' | 'outlook'>;

/** "Ready 7 Dec, 10 days early", "No date yet". Pass the result of shownDates. */
export function readyWords({ forecastDate, targetDate, outlook }: Dated, clock: Clock): string {
  if (outlook === 'no_scope') return 'No tasks yet';
  if (forecastDate === null)
    return outlook === 'overcommitted' ? 'Not within ten years' : outlook === 'within_capacity' ? 'All done' : 'No date yet';
  const ready = `Ready ${within(dayWords(forecastDate, clock))}`;
  if (targetDate === null) return ready;
  return `${ready}, ${earlyOrLate(forecastDate, targetDate) ?? 'on the target date'}`;
}

/** "6 days earlier than with all work": how the date of a smaller scope differs from the date that pages show. Null if it does not. */
export function apartWords(only: string | null, all: string | null): string | null {
  if (only === null || all === null || only === all) return null;
  const days = daysBetween(only, all);
  return `${quantity(Math.abs(days), 'day')} ${days > 0 ? 'earlier' : 'later'} than with all work`;
}

type Counts = Partial<Record<Outlook, number>>;

export const outlooksOf = (counts: Counts): string =>
  outlooks
    .filter((outlook) => counts[outlook])
    .map((outlook) => `${counts[outlook]} ${outlookCountWords(outlook)}`)
    .join(', ');

export function summary(counts: Counts): string {
  const all = outlooks.reduce((sum, outlook) => sum + (counts[outlook] ?? 0), 0);
  return all > 0 ? `${all}: ${outlooksOf(counts)}` : 'none';
}

export function meaning({ outlook, forecastDate, explained }: Dated & Explainable): string {
  switch (outlook) {
    case 'overcommitted':
      return forecastDate === null
        ? 'The available hours are not enough to finish this within ten years.'
        : 'With the available hours, the tasks finish after the target date.';
    case 'at_risk':
      return 'The tasks finish on time, but not if work takes 25 % longer.';
    case 'needs_data':
      return explained?.rest
        ? 'The date covers only the tasks that have all data.'
        : 'There is no date because data is missing. Add estimates and assignees.';
    case 'needs_target':
      return 'The project has no target date. Add one to compare the forecast with it.';
    case 'within_capacity':
      return forecastDate === null ? 'All tasks are closed.' : 'The tasks finish on time, even if work takes 25 % longer.';
    case 'no_scope':
      return 'This project has no tasks yet.';
  }
}
