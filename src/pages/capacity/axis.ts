/** The shared time axis of eight weeks. Positions are percentages of its width. */
import { scaleUtc } from 'd3-scale';
import type { ProjectLine } from '../../capacity/forecast/outline.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { csvLine, timeCells } from '../../values/csv.ts';
import { addDays, mondayOf, todayIn } from '../../values/dates.ts';
import { AppError } from '../../values/errors.ts';
import type { Clock } from '../frame/clock.ts';
import { diamond, whisker } from '../frame/components/marks.ts';
import { dayWords, monthDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { capacityQuery, readCapacity } from './scope.ts';
import type { Dated } from './words.ts';

const DAYS = 56;

export interface Axis {
  from: string;
  today: string;
  /** `x`: middle of a day, `begin`: its start. 0 to 100; dates outside the axis are beyond. */
  x(date: string): number;
  begin(date: string): number;
}

const noon = (date: string) => new Date(`${date}T12:00:00Z`);
const midnight = (date: string) => new Date(`${date}T00:00:00Z`);

export function axisOf(from: string, today: string, days = DAYS): Axis {
  const scale = scaleUtc([midnight(from), midnight(addDays(from, days))], [0, 100]);
  return { from, today, x: (date) => scale(noon(date)), begin: (date) => scale(midnight(date)) };
}

const round = (value: number) => Math.round(value * 100) / 100;
const at = (x: number) => `${round(x)}%`;
const clamped = (x: number) => Math.min(100, Math.max(0, x));

export interface Bar {
  /** From today or the start date to the forecast date. */
  from: string;
  to: string | null;
  /** Forecast date if work takes 25 % longer. */
  buffered?: string | null;
  target?: string | null;
  tone: 'red' | 'amber' | 'soft' | '';
  /** No work at all. */
  empty?: boolean;
}

/** `said`: the chart in words. CSS draws the week lines. */
export function barChart(axis: Axis, bar: Bar, height: 60 | 32, said: string, clock: Clock): Html {
  const thick = height === 60 ? 12 : 8;
  const middle = height / 2;
  const start = clamped(axis.x(bar.from));
  const now = axis.x(axis.today);
  return html`<svg class="tl${height === 32 && ' low'}" height="${height}" role="img" aria-label="${said}">
${now >= 0 && now <= 100 && html`<line class="today" x1="${at(now)}" x2="${at(now)}" y1="0" y2="${height}"/>`}
${!bar.empty && (bar.to === null ? unknown(axis, bar, start, middle, thick) : work(axis, bar, bar.to, start, middle, thick))}
${bar.target && target(axis, bar.target, middle, clock)}</svg>`;
}

function work(axis: Axis, { buffered, tone }: Bar, to: string, start: number, middle: number, thick: number): Content {
  const end = clamped(axis.x(to));
  const later = buffered ? axis.x(buffered) : 0;
  return html`<rect class="barr${tone && ` ${tone}`}" x="${at(start)}" y="${middle - thick / 2}" width="${at(Math.max(0.8, end - start))}" height="${thick}" rx="4"/>${
    later > end && whisker(round(end), round(clamped(later)), { y: middle, reach: 6, open: later > 100 })
  }`;
}

/** Without a forecast date: a bar up to the target date, or 30 % of the width. */
function unknown(axis: Axis, { target: day }: Bar, start: number, middle: number, thick: number): Content {
  const end = day ? clamped(axis.x(day)) : Math.min(100, start + 30);
  return (
    end > start &&
    html`<rect class="barr ask" x="${at(start)}" y="${middle - thick / 2}" width="${at(end - start)}" height="${thick}" rx="4"/>`
  );
}

function target(axis: Axis, day: string, middle: number, clock: Clock): Content {
  const x = axis.x(day);
  if (x > 100) return html`<text class="t" x="100%" y="${middle - 10}" text-anchor="end">target ${dayWords(day, clock)} →</text>`;
  if (x < 0) return html`<text class="t" x="0" y="${middle - 10}">← target ${dayWords(day, clock)}</text>`;
  return diamond(round(x), middle);
}

export function forecastLabel({ forecastDate, targetDate, bufferedDate }: Dated & { bufferedDate: string | null }, clock: Clock): string {
  const day = (date: string | null, absent: string) => (date === null ? absent : dayWords(date, clock));
  return `Ready: ${day(forecastDate, 'no date')}; if work takes 25 % longer: ${day(bufferedDate, 'no date')}; target: ${day(targetDate, 'none')}`;
}

export function axisHead(axis: Axis, clock: Clock): Html {
  const now = axis.x(axis.today);
  return html`<div class="prow axis" aria-hidden="true"><span></span><svg class="tl" height="22">${Array.from({ length: 8 }, (_, week) => {
    const monday = addDays(axis.from, 7 * week);
    const words = monthDay(monday, clock);
    return html`<text x="${12.5 * week}%" dx="6" y="14">${words}</text>`;
  })}${now >= 0 && now <= 100 && html`<svg x="${at(now)}" y="16" overflow="visible"><rect class="flag" x="-21" y="0" width="42" height="17" rx="4"/><text class="flagt" y="13" text-anchor="middle">today</text></svg>`}</svg><span></span></div>`;
}

/** /capacity/people.csv and /capacity/projects.csv (behaviour §32.3). They contain all pages. */
function* peopleLines({ people }: Capacity): Generator<string> {
  const hours = ['Available hours', 'Task hours', 'Recorded minutes', 'Recorded hours', 'Planned hours', 'Overload hours', 'Load (%)'];
  yield csvLine(['Person', 'Weekly hours', 'Confirmed', 'Week from', ...hours]);
  for (const { name, weeklyHours, confirmed, weeks } of people)
    for (const { week, availableHours, allocatedHours, recordedHours, plannedHours, overHours, loadPercent } of weeks) {
      const told = [availableHours, allocatedHours, ...timeCells(Math.round(recordedHours * 60)), plannedHours, overHours, loadPercent];
      yield csvLine([name, weeklyHours, confirmed ? 'yes' : 'no', week, ...told]);
    }
}

/** Worst first, as on the page. */
function* projectLines(projects: readonly ProjectLine[], today: string, baseUrl: string): Generator<string> {
  const days = ['Target date', 'Forecast', 'Forecast if work takes 25 % longer'];
  const hours = ['Scope (h)', 'Left (h)', 'Left if work takes 25 % longer (h)', 'Done (%)'];
  yield csvLine(['Number', 'Project', 'Outlook', ...days, ...hours, 'Data incomplete', 'As of', 'Link']);
  for (const project of projects) {
    const { id, title, outlook, targetDate, forecastDate, bufferedDate, dataIncomplete } = project;
    const sums = [project.scopeHours, project.remainingHours, project.bufferedHours, project.weightedProgress];
    const address = `${baseUrl}/items/${id}`;
    yield csvLine([id, title, outlook, targetDate, forecastDate, bufferedDate, ...sums, dataIncomplete ? 'yes' : 'no', today, address]);
  }
}

async function peopleFile(request: PageRequest): Promise<Answer> {
  const capacity = await readCapacity(request);
  if (!capacity)
    throw new AppError('invalid_request', 'This forecast is too large for a file. Choose a single workspace, or use the REST API.');
  return file(`capacity-people-${capacity.from}.csv`, peopleLines(capacity));
}

/** The dates that pages show. */
async function projectsFile(request: PageRequest): Promise<Answer> {
  const { deps, query } = request;
  const { workspaceId, from } = capacityQuery(query);
  const projects = await call(request, deps.capacityProjects, { workspaceId });
  const today = todayIn('UTC', Date.now());
  return file(`capacity-projects-${mondayOf(from ?? today)}.csv`, projectLines(projects, today, deps.config.baseUrl));
}

const file = (name: string, lines: Generator<string>): Answer => ({
  lines: (async function* () {
    yield* lines;
  })(),
  type: 'text/csv; charset=utf-8',
  name,
});

export const capacityCsvRoutes: PageRoute[] = [
  { method: 'GET', path: '/capacity/people.csv', bare: true, handle: peopleFile },
  { method: 'GET', path: '/capacity/projects.csv', bare: true, handle: projectsFile },
];
