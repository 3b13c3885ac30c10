/** Remaining hours of a project over time, and the line to its forecast date. */

import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { ProjectForecast, TrendPoint } from '../../capacity/forecast/schema.ts';
import { daysBetween } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { chartNumbers } from '../frame/components/row.ts';
import { dayWords, estimate } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';

const [WIDTH, HEIGHT, BASE, TOP] = [340, 84, 64, 6] as const;

const time = (date: string) => new Date(`${date}T00:00:00Z`);
const round = (value: number) => Math.round(value * 10) / 10;

export function burnDown({ trend, forecastDate }: Pick<ProjectForecast, 'trend' | 'forecastDate'>, clock: Clock): Content {
  const [first, last] = [trend[0], trend.at(-1)];
  if (!first || !last) return null;
  const end = forecastDate !== null && forecastDate > last.date ? forecastDate : null;
  const said = `Hours left: ${estimate(first.remainingHours)} (${dayWords(first.date, clock)}), ${estimate(last.remainingHours)} (today)${end === null ? '' : `, ${estimate(0)} (${dayWords(end, clock)})`}. Scope: ${estimate(first.scopeHours)}, today ${estimate(last.scopeHours)}.`;
  return html`<div class="burn"><div class="cap-t"><b>Hours left</b><p class="meta">Hours left so far, then the forecast. Thin line: scope</p></div>
${chart({ trend, first, last }, end, said, clock)}
<div class="says"><b>${estimate(first.remainingHours)} → ${estimate(last.remainingHours)}</b><br>${since(first, last)}${table(trend, clock)}</div></div>`;
}

interface Trend {
  trend: readonly TrendPoint[];
  first: TrendPoint;
  last: TrendPoint;
}

function chart({ trend, first, last }: Trend, end: string | null, said: string, clock: Clock): Html {
  const most = Math.max(1, ...trend.map(({ scopeHours, remainingHours }) => Math.max(scopeHours, remainingHours)));
  const to = end ?? last.date;
  const x = scaleUtc(
    [time(first.date), time(to > first.date ? to : `${Number(first.date.slice(0, 4)) + 1}${first.date.slice(4)}`)],
    [2, WIDTH - 20],
  );
  const y = scaleLinear([0, most], [BASE, TOP]);
  const at = (hours: (point: TrendPoint) => number) =>
    line<TrendPoint>(
      (point) => round(x(time(point.date))),
      (point) => round(y(hours(point))),
    )(trend) ?? '';
  const filled =
    area<TrendPoint>(
      (point) => round(x(time(point.date))),
      BASE,
      (point) => round(y(point.remainingHours)),
    )(trend) ?? '';
  const [nowX, nowY] = [round(x(time(last.date))), round(y(last.remainingHours))];
  const near = nowX < 60;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}"><path class="area-f" d="${filled}"/><path class="ln scope" d="${at(({ scopeHours }) => scopeHours)}"/><path class="ln" d="${at(({ remainingHours }) => remainingHours)}"/>${
    end !== null && html`<path class="ln dash" d="M${nowX} ${nowY} ${round(x(time(end)))} ${BASE}"/>`
  }<path class="ln thin" d="M0 ${BASE}H${WIDTH}"/><circle class="pt" cx="${nowX}" cy="${nowY}" r="3.5"/>${
    !near && html`<text x="0" y="80">${dayWords(first.date, clock)}</text>`
  }<text x="${near ? 0 : nowX}" y="80"${!near && html` text-anchor="middle"`}>today</text>${end !== null && daysBetween(last.date, end) > 3 && html`<text x="${WIDTH}" y="80" text-anchor="end">${dayWords(end, clock)}</text>`}</svg>`;
}

function since(first: TrendPoint, last: TrendPoint): string {
  const weeks = Math.round(daysBetween(first.date, last.date) / 7);
  if (weeks === 0) return 'There is no data from earlier weeks yet.';
  const span = quantity(weeks, 'week');
  const grown = last.scopeHours - first.scopeHours;
  const done = first.remainingHours - last.remainingHours + grown;
  const scope = Math.abs(grown) < 0.25 ? '' : grown > 0 ? ` ${estimate(grown)} added.` : ` ${estimate(-grown)} removed.`;
  return done < 0 ? `No progress in ${span}.${scope}` : `${estimate(done)} done in ${span}.${scope}`;
}

const table = (trend: readonly TrendPoint[], clock: Clock): Html =>
  chartNumbers(
    'Trend in numbers',
    ['Day', 'Scope', 'Left', 'Done'],
    trend.map(({ date, scopeHours, remainingHours, weightedProgress }) => [
      dayWords(date, clock),
      estimate(scopeHours),
      estimate(remainingHours),
      weightedProgress === null ? '–' : `${weightedProgress} %`,
    ]),
  );
