import { addDays, daysBetween } from '../../values/dates.ts';
import type { ComputedForecast, ForecastHead } from './computed.ts';
import type { AwayDates, Explained, Outlook, PersonCapacity, ProjectForecast, Week } from './schema.ts';

/** Required hours of a week (behaviour §6.22). The load tells if the week is past, and only its recorded time counts. */
export function demandOf({ loadPercent, availableHours, allocatedHours, recordedHours, plannedHours }: Week): number {
  const ahead = Math.max(allocatedHours + recordedHours, plannedHours);
  if (loadPercent === null) return ahead;
  const demand = (loadPercent * availableHours) / 100;
  return Math.abs(ahead - demand) <= Math.abs(recordedHours - demand) ? ahead : recordedHours;
}

/** `from`: today if left out or past. */
export interface Span {
  from?: string | undefined;
  until: string;
}

/** Hours in a span of days: `hours` free in the forecast, `of` all working hours. */
export interface Free {
  hours: number;
  of: number;
}

const latest = (...dates: string[]): string => dates.reduce((one, other) => (one > other ? one : other));

/** The count of free hours (behaviour §40.3). Null if the span is past or ends after the forecast's weeks. */
export function freeOf(person: PersonLine, today: string, span: Span): Free | null {
  const counted = minutesLeft(person, today, span);
  return counted && { hours: Math.max(0, Math.round(counted.left)) / 60, of: counted.available / 60 };
}

/** Mondays of weeks from today on with more work than working time (behaviour §7.39). */
export const overloadedWeeks = (person: PersonLine, today: string): string[] =>
  person.weeks
    .map(({ week }) => week)
    .filter((from) => (minutesLeft(person, today, { from, until: addDays(from, SUNDAY) })?.left ?? 0) < 0);

const SUNDAY = 6;

function minutesLeft({ weeks, days = [] }: PersonLine, today: string, { from = today, until }: Span) {
  const begin = latest(today, weeks[0]?.week ?? today);
  const first = latest(begin, from);
  if (until < first || until >= addDays(begin, days.length)) return null;
  const minutesIn = (one: string, other: string) =>
    days.slice(daysBetween(begin, one), daysBetween(begin, other) + 1).reduce((sum, minutes) => sum + minutes, 0);
  let demand = 0;
  for (const week of weeks) {
    const sunday = addDays(week.week, SUNDAY);
    if (sunday < first || week.week > until) continue;
    // Recorded time is over, so it needs no hours from today on.
    const open = (demandOf(week) - week.recordedHours) * 60;
    const rest = minutesIn(latest(begin, week.week), sunday);
    const part = minutesIn(latest(first, week.week), until < sunday ? until : sunday);
    demand += rest === 0 ? open : (open * part) / rest;
  }
  const available = minutesIn(first, until);
  return { available, left: available - demand };
}

export const outlooks: readonly Outlook[] = ['overcommitted', 'at_risk', 'needs_data', 'needs_target', 'within_capacity', 'no_scope'];

type Standing = Pick<ProjectForecast, 'id' | 'outlook' | 'targetDate' | 'forecastDate'>;

/** Worst outlook first. Within an outlook, the latest against its target first. */
export function worstFirst<Project extends Standing>(projects: readonly Project[]): Project[] {
  const late = ({ targetDate, forecastDate }: Standing) =>
    targetDate === null || forecastDate === null ? Number.NEGATIVE_INFINITY : daysBetween(targetDate, forecastDate);
  const ranked = projects.map((project) => ({ project, rank: outlooks.indexOf(project.outlook), late: late(project) }));
  ranked.sort((a, b) => a.rank - b.rank || (a.late === b.late ? 0 : b.late - a.late) || a.project.id - b.project.id);
  return ranked.map(({ project }) => project);
}

export function countsOf(projects: readonly Pick<ProjectForecast, 'outlook'>[]): Partial<Record<Outlook, number>> {
  const counts: Partial<Record<Outlook, number>> = {};
  for (const { outlook } of projects) counts[outlook] = (counts[outlook] ?? 0) + 1;
  return counts;
}

/** A person with too much work in the next two weeks, and the hours over in each such week. */
export interface Overload {
  name: string;
  hours: number[];
}

export interface OutlineHead extends ForecastHead {
  counts: Partial<Record<Outlook, number>>;
  projectCount: number;
  peopleCount: number;
  over: { count: number; first: Overload[] };
}

/** `explained` is missing in snapshots of older versions. */
export type ProjectLine = Omit<ProjectForecast, 'work' | 'trend'> & { explained?: Explained | null };

type Dates = Pick<ProjectForecast, 'forecastDate' | 'bufferedDate'>;

/** Dates shown on pages. For a project that needs data: the dates of its other tasks. */
export const displayedDates = ({ forecastDate, bufferedDate, explained }: Dates & { explained?: Explained | null | undefined }): Dates =>
  explained?.rest ?? { forecastDate, bufferedDate };

/** `away`: only if there is any in these weeks. `days`: working minutes of each day from today, at the earliest the first week, to the last
 *  week's end; missing in snapshots of older versions. */
export type PersonLine = PersonCapacity & { away?: AwayDates[]; days?: number[] };

/** Where the JSON of a project with its tasks lies in the pieces of a forecast's text: the first and the last piece, the characters of the
 *  first one before it, and its length. */
export interface TextPlace {
  first: number;
  last: number;
  skipped: number;
  length: number;
}

/** A project's row in Capacity, as it is stored. */
export type StoredLine = Omit<ProjectLine, 'explained'> & { text: TextPlace };

export type Part = 'head' | 'people' | 'projects';
export const PEOPLE_PER_PAGE = 50;
export const PROJECTS_PER_PAGE = 60;
const NAMED = 4;

/** `projects`: worst first. */
export function* outlineOf(
  head: ForecastHead,
  people: readonly PersonLine[],
  projects: readonly ProjectLine[],
): Generator<{ part: Part; n: number; text: string }> {
  yield { part: 'head', n: 0, text: JSON.stringify(headOf(head, people, projects)) };
  yield* pagesOf('people', people, PEOPLE_PER_PAGE);
  // For processes of the version before this one.
  yield* pagesOf('projects', projects, PROJECTS_PER_PAGE);
}

export function personLines(computed: ComputedForecast): PersonLine[] {
  const calendars = new Map([...computed.calendars()].map((row) => [row.id, row]));
  return [...computed.people()].map((person) => {
    const { away = [], days = [] } = calendars.get(person.id) ?? {};
    return { ...person, days, ...(away.length > 0 && { away }) };
  });
}

/** In the order of the forecast. */
export const projectLines = (computed: ComputedForecast): ProjectLine[] =>
  Array.from({ length: computed.projectCount }, (_, n) => lineOf(computed, n));

export function lineOf(computed: ComputedForecast, n: number): ProjectLine {
  return { ...computed.shownFigures(n), explained: computed.explained(n) };
}

function headOf(head: ForecastHead, people: readonly PersonCapacity[], projects: readonly ProjectLine[]): OutlineHead {
  const over = overloadsOf(people, head.today);
  return {
    ...head,
    counts: countsOf(projects),
    projectCount: projects.length,
    peopleCount: people.length,
    over: { count: over.length, first: over.slice(0, NAMED) },
  };
}

const isOver = ({ week }: Week, today: string): boolean => daysBetween(week, today) > 6;

function overloadsOf(people: readonly PersonCapacity[], today: string): Overload[] {
  return people.flatMap(({ name, weeks }) => {
    const next = weeks.filter((week) => !isOver(week, today)).slice(0, 2);
    const hours = next.filter(({ overextended }) => overextended).map(({ overHours }) => overHours);
    return hours.length > 0 ? [{ name, hours }] : [];
  });
}

function* pagesOf(part: Part, rows: readonly object[], perPage: number): Generator<{ part: Part; n: number; text: string }> {
  for (let n = 0; n * perPage < rows.length; n++) yield { part, n, text: JSON.stringify(rows.slice(n * perPage, (n + 1) * perPage)) };
}
