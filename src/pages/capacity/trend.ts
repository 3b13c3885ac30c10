/** How a project has come along, as a small chart drawn here and the same numbers as a table. */
import type { TrendPoint } from '../../capacity/forecast/schema.ts';
import { daysBetween } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';

const WIDTH = 400;
const HEIGHT = 130;
const LEFT = 8;
const TOP = 18;
const BOTTOM = 22;

export function trendOf(trend: readonly TrendPoint[]): Content {
  if (!trend.length) return html`<p>Nothing is kept of earlier weeks yet.</p>`;
  return html`<div class="sides">${trend.length > 1 && chart(trend)}${table(trend)}</div>`;
}

function chart(trend: readonly TrendPoint[]): Content {
  const [first, last] = [trend[0]!, trend.at(-1)!];
  const days = Math.max(1, daysBetween(first.date, last.date));
  const most = Math.max(1, ...trend.map(({ scopeHours, remainingHours }) => Math.max(scopeHours, remainingHours)));
  const x = ({ date }: TrendPoint) => round(LEFT + (daysBetween(first.date, date) / days) * (WIDTH - 2 * LEFT));
  const y = (hours: number) => round(HEIGHT - BOTTOM - (hours / most) * (HEIGHT - BOTTOM - TOP));
  const line = (hours: (point: TrendPoint) => number) => trend.map((point) => `${x(point)},${y(hours(point))}`).join(' ');
  const said = `Remaining hours: ${first.remainingHours} on ${first.date}, ${last.remainingHours} on ${last.date}; scope: ${first.scopeHours}, then ${last.scopeHours} hours.`;
  return html`<svg class="trend" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}">
<line x1="${LEFT}" y1="${HEIGHT - BOTTOM}" x2="${WIDTH - LEFT}" y2="${HEIGHT - BOTTOM}"/>
<polyline class="scope" points="${line(({ scopeHours }) => scopeHours)}"/>
<polyline points="${line(({ remainingHours }) => remainingHours)}"/>
${trend.map((point) => html`<circle cx="${x(point)}" cy="${y(point.remainingHours)}" r="3"/>`)}
<text x="${LEFT}" y="12">dashed: scope, up to ${most} h; line: remaining</text>
<text x="${LEFT}" y="${HEIGHT - 6}">${first.date}</text><text x="${WIDTH - LEFT}" y="${HEIGHT - 6}" text-anchor="end">${last.date}</text>
</svg>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

function table(trend: readonly TrendPoint[]): Content {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Trend in numbers"><table>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Scope h</th><th scope="col" class="number">Remaining h</th><th scope="col" class="number">Done %</th></tr></thead>
<tbody>${trend.map(({ date, scopeHours, remainingHours, weightedProgress }) => html`<tr><th scope="row">${date}</th><td class="number">${scopeHours}</td><td class="number">${remainingHours}</td><td class="number">${weightedProgress ?? '–'}</td></tr>`)}</tbody></table></div>`;
}
