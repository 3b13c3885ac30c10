/** Progress of a goal as text, bar and chart (behaviour §27.2, §27.3). */
import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { type Measured, pointsOf, progressOf, type RecordedTrend, type TrendPoint } from '../../items/goalTrend.ts';
import type { Clock } from '../frame/clock.ts';
import { progressBar } from '../frame/components/marks.ts';
import { dateIn, dayWords, moment } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
export const figure = (value: number | null | undefined, absent = '–'): string => (value == null ? absent : figures.format(value));

export function measureWords({ current, target, unit }: Measured & { unit?: string | null | undefined }): string {
  return `${figure(current, 'no value yet')}${target == null ? '' : ` of ${figure(target)}`} ${unit ?? ''}`.trim();
}

export function measureBar(measured: Measured, words: string): Content {
  const way = progressOf(measured);
  return way !== null && progressBar({ done: way, inProgress: 0, total: 1 }, words);
}

/** Bar and text. Screen readers get the text once. */
export function measure(measured: Measured & { unit?: string | null | undefined }): Html {
  const words = measureWords(measured);
  const bar = measureBar(measured, words);
  return html`${bar}<span class="of"${bar && html` aria-hidden="true"`}>${words}</span>`;
}

const [WIDTH, HEIGHT, EDGE] = [120, 28, 3] as const;
const round = (value: number) => Math.round(value * 10) / 10;

/** Recorded values as a line, the target dashed. Null with fewer than two points. */
export function sparkline(recorded: RecordedTrend, target: number | null | undefined, clock: Clock): Content {
  const points = pointsOf(recorded);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length < 2) return null;
  const values = [...points.map(({ value }) => value), ...(target == null ? [] : [target])];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [begin, end] = [Date.parse(first.at), Date.parse(last.at)];
  const x = scaleUtc([begin, Math.max(end, begin + 1)], [EDGE, WIDTH - EDGE]);
  const y = scaleLinear(least < most ? [least, most] : [least - 1, most + 1], [HEIGHT - EDGE, EDGE]);
  const at = ({ at: when }: TrendPoint) => round(x(new Date(when)));
  const path = line<TrendPoint>(at, ({ value }) => round(y(value)))(points) ?? '';
  const said = `${dayOf(first, clock)}: ${figure(first.value)}, ${dayOf(last, clock)}: ${figure(last.value)}. Recorded values: ${points.length}${recorded.since === null ? '+' : ''}.`;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}"><title>${said}</title>${
    target != null && html`<line class="goal-line" x1="0" x2="${WIDTH}" y1="${round(y(target))}" y2="${round(y(target))}"/>`
  }<path class="ln" d="${path}"/><circle class="pt" cx="${at(last)}" cy="${round(y(last.value))}" r="2.5"/></svg>`;
}

const dayOf = ({ at }: TrendPoint, clock: Clock): string => dayWords(dateIn(at, clock), clock);

export function trendTable(recorded: RecordedTrend, clock: Clock): Html | null {
  const points = pointsOf(recorded).toReversed();
  if (points.length === 0) return null;
  return html`<table class="trend"><caption class="vh">Recorded values</caption><thead><tr><th scope="col">When</th><th scope="col" class="num">Value</th><th scope="col">By</th></tr></thead><tbody>${points.map(
    ({ at, value, by }) =>
      html`<tr><th scope="row">${moment(at, clock)}</th><td class="num">${figure(value)}</td><td>${by ?? html`<span class="meta">initial value</span>`}</td></tr>`,
  )}</tbody></table>`;
}
