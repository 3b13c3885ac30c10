import { daysBetween } from '../../values/dates.ts';
import type { ComputedForecast, ForecastHead } from './computed.ts';
import type { AwayDates, Explained, Outlook, PersonCapacity, ProjectForecast, Week } from './schema.ts';

/** Required hours of a week: the greater of allocated + recorded and planned (behaviour §6.22). */
export const demandOf = ({ loadPercent, availableHours, allocatedHours, recordedHours, plannedHours }: Week): number =>
  loadPercent === null ? Math.max(allocatedHours + recordedHours, plannedHours) : (loadPercent * availableHours) / 100;

/** Hours of a week that are still free, at least 0. */
export const freeHoursOf = (week: Week): number => Math.max(0, week.availableHours - demandOf(week));

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

/** `away`: only if there is any in these weeks. */
export type PersonLine = PersonCapacity & { away?: AwayDates[] };

export type Part = 'head' | 'people' | 'projects';
export const PEOPLE_PER_PAGE = 50;
export const PROJECTS_PER_PAGE = 60;
const NAMED = 4;

export function* outlineOf(computed: ComputedForecast): Generator<{ part: Part; n: number; text: string }> {
  const people = personLines(computed);
  const projects = worstFirst(Array.from({ length: computed.projectCount }, (_, n) => lineOf(computed, n)));
  yield { part: 'head', n: 0, text: JSON.stringify(headOf(computed.head, people, projects)) };
  yield* pagesOf('people', people, PEOPLE_PER_PAGE);
  yield* pagesOf('projects', projects, PROJECTS_PER_PAGE);
}

export function personLines(computed: ComputedForecast): PersonLine[] {
  const away = new Map([...computed.away()].map((row) => [row.id, row.away]));
  return [...computed.people()].map((person) => {
    const days = away.get(person.id);
    return days?.length ? { ...person, away: days } : person;
  });
}

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

export const isOver = ({ week }: Week, today: string): boolean => daysBetween(week, today) > 6;

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
