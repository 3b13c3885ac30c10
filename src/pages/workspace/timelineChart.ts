/** Horizontal positions are percentages, so the chart fits any width. */
import { displayedDates } from '../../capacity/forecast/outline.ts';
import { startsTooEarly } from '../../items/dependentMoves.ts';
import { noon, ofDay } from '../../values/dateForms.ts';
import { addDays, daysBetween, mondayOf } from '../../values/dates.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { type Axis, axisOf } from '../capacity/axis.ts';
import type { Clock } from '../frame/clock.ts';
import { diamond, whisker } from '../frame/components/marks.ts';
import { monthDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { ListAddress, Scale } from './listAddress.ts';
import { endOf, type TimelineNode } from './timelineTree.ts';

/** Row height in px, the same in static/css/timeline.css. */
const ROW = 44;
const MIDDLE = ROW / 2;

type Row = TimelineNode['row'];

const round = (value: number) => Math.round(value * 100) / 100;
const clamped = (x: number) => round(Math.min(100, Math.max(0, x)));

interface Ends {
  start: string | null;
  end: string | null;
}
export const endsOf = (row: Row): Ends => ({ start: row.startDate, end: endOf(row) });

const over = ({ axis, days }: TimelineRange, date: string) => axis.begin(date) + 100 / days;

export const isClosed = ({ status }: Row): boolean => closedStatuses.includes(status);
export const isLate = (row: Row, today: string): boolean => !isClosed(row) && (endOf(row) ?? '9') < today;

function toneOf(row: Row, today: string): string {
  if (isClosed(row)) return ' shut';
  if (row.status === 'blocked' || isLate(row, today)) return ' red';
  if (row.type === 'goal') return ' goal';
  return row.type === 'task' ? ' soft' : '';
}

/** `link`: attributes of the link that changes the dates; null if the user may not. A script makes the bar draggable. */
export function chartOf(row: Row, stretch: TimelineRange, clock: Clock, link: Content): Html {
  const bar = barOf(row, stretch, clock, link !== null);
  const held = bar && (link === null ? bar : html`<a class="tbar"${link}>${bar}</a>`);
  return html`<svg class="tl" height="${ROW}"${link === null && html` aria-hidden="true"`}>${awayOf(row, stretch)}${forecastOf(row, stretch, clock)}${held}</svg>`;
}

function barOf(row: Row, stretch: TimelineRange, clock: Clock, may: boolean): Content {
  const { start, end } = endsOf(row);
  const [first, last] = [start ?? end, end ?? start];
  if (first === null || last === null) return null;
  const [from, to] = [stretch.axis.begin(first), over(stretch, last)];
  if (to <= 0) return beyond('0', 'start', `← ${monthDay(last, clock)}`);
  if (from >= 100) return beyond('100%', 'end', `${monthDay(first, clock)} →`);
  const tone = toneOf(row, clock.today);
  if (start === null || end === null) {
    const at = round(stretch.axis.x(first));
    return html`${may && grip(at)}${end === null ? flag(at) : diamond(at, MIDDLE)}`;
  }
  const [x, width] = [clamped(from), round(clamped(to) - clamped(from))];
  return html`${may && html`<rect class="hit" x="${x}%" width="${width}%" height="${ROW}"/>${grip(round(x + width / 2))}`}<rect class="barr${tone}" x="${x}%" y="${MIDDLE - 5}" width="${width}%" height="10" rx="5"/>`;
}

/** Hatched days; the row says them in words. */
const awayOf = ({ away }: Row, stretch: TimelineRange): Content =>
  away?.map(({ from, to }) => {
    const [x, end] = [clamped(stretch.axis.begin(from)), clamped(over(stretch, to))];
    return html`<rect class="away" fill="url(#away-hatch)" x="${x}%" width="${round(end - x)}%" height="${ROW - 1}"/>`;
  });

export const awayHatch = html`<svg class="vh" width="0" height="0" aria-hidden="true"><defs><pattern id="away-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-line" d="M0 0v6"/></pattern></defs></svg>`;

const beyond = (x: string, anchor: string, words: string): Html =>
  html`<text class="t" x="${x}" dx="${anchor === 'end' ? -4 : 4}" y="${MIDDLE + 4}" text-anchor="${anchor}">${words}</text>`;

/** An invisible area that is wide enough for a finger. */
const grip = (x: number): Html =>
  html`<svg class="at" x="${x}%" overflow="visible"><rect class="hit" x="-12" width="24" height="${ROW}"/></svg>`;

const flag = (x: number): Html =>
  html`<svg class="at" x="${x}%" y="${MIDDLE}" overflow="visible"><path class="dia" d="M-4-7V7M-4-6 6 0-4 6"/></svg>`;

const outlookTones: Record<string, string> = { overcommitted: ' red', at_risk: ' amber' };

/** From today or a later start to the forecast date, and on to the date with 25 % more work. */
function forecastOf({ startDate, forecast }: Row, stretch: TimelineRange, { today }: Clock): Content {
  const { forecastDate: ready, bufferedDate } = forecast ? displayedDates(forecast) : {};
  if (!forecast || !ready || ready < today) return null;
  const from = clamped(stretch.axis.begin(startDate !== null && startDate > today && startDate <= ready ? startDate : today));
  const end = over(stretch, ready);
  const buffered = bufferedDate && bufferedDate > ready ? over(stretch, bufferedDate) : end;
  const to = clamped(end);
  return html`${to > from && html`<rect class="fore${outlookTones[forecast.outlook]}" x="${from}%" y="${MIDDLE - 11}" width="${round(to - from)}%" height="22" rx="5"/>`}${
    buffered > end && end < 100 && buffered > 0 && whisker(to, clamped(buffered), { y: MIDDLE, reach: 8, open: buffered > 100 })
  }`;
}

export function headOf({ ticks, axis }: TimelineRange): Html {
  const now = axis.x(axis.today);
  return html`<svg class="tl" height="40" aria-hidden="true">${ticks.map(({ x, label }) => html`<text x="${round(x)}%" dx="4" y="15">${label}</text>`)}${
    now >= 0 &&
    now <= 100 &&
    html`<svg x="${round(now)}%" y="21" overflow="visible"><rect class="flag" x="-21" width="42" height="17" rx="4"/><text class="flagt" y="13" text-anchor="middle">today</text></svg>`
  }</svg>`;
}

/** By region. */
type Holidays = ReadonlyMap<string, readonly { day: string }[]>;

/** The background of all rows, drawn once. */
export function groundOf(lines: readonly TimelineNode[], { stretch, holidays }: { stretch: TimelineRange; holidays: Holidays }): Html {
  const height = lines.length * ROW;
  const now = stretch.axis.x(stretch.axis.today);
  const line = (kind: string, x: number, y1 = 0, y2 = height) => html`<line class="${kind}" x1="${x}%" x2="${x}%" y1="${y1}" y2="${y2}"/>`;
  return html`<svg class="tl" height="1" aria-hidden="true">${holidaysOf(lines, stretch, holidays)}${stretch.ticks.map(({ x }) => line('grid', round(x)))}${line('grid', 100)}${
    now >= 0 && now <= 100 && line('today', round(now))
  }${linksOf(lines, stretch, line)}${arrowsOf(lines, stretch, line)}</svg>`;
}

/** Hatched holidays of each region, from row to row that has it. */
function holidaysOf(lines: readonly TimelineNode[], stretch: TimelineRange, holidays: Holidays): Content {
  const runs: { region: string | null; place: number; rows: number }[] = [];
  for (const { row, place } of lines) {
    const last = runs.at(-1);
    if (last?.region === row.region) last.rows++;
    else runs.push({ region: row.region, place, rows: 1 });
  }
  return runs.flatMap(({ region, place, rows }) =>
    (holidays.get(region ?? '') ?? []).map(({ day }) => {
      const [x, end] = [clamped(stretch.axis.begin(day)), clamped(over(stretch, day))];
      return html`<rect class="away" fill="url(#away-hatch)" x="${x}%" y="${place * ROW}" width="${round(end - x)}%" height="${rows * ROW - 1}"/>`;
    }),
  );
}

/** Position of an end date: of a bar its right edge, otherwise the middle of the day. */
const lastOf = ({ startDate }: Row, end: string, stretch: TimelineRange): number =>
  startDate === null ? stretch.axis.x(end) : over(stretch, end);

type Upright = (kind: string, x: number, y1: number, y2: number) => Html;

/** Lines from each end date to the end date of the parent. Items with the same parent share the vertical line. */
function linksOf(lines: readonly TimelineNode[], stretch: TimelineRange, upright: Upright): Content {
  const lowest = new Map<TimelineNode, { to: number; place: number }>();
  const along = lines.map(({ row, place, above }) => {
    const [end, until] = [endOf(row), above && endOf(above.row)];
    if (!above || end === null || until === null) return null;
    const [from, to] = [lastOf(row, end, stretch), lastOf(above.row, until, stretch)];
    if (to < 0 || to > 100) return null;
    lowest.set(above, { to, place });
    const y = place * ROW + MIDDLE;
    return html`<line class="dep${end > until && ' late'}" x1="${clamped(from)}%" x2="${round(to)}%" y1="${y}" y2="${y}"/>`;
  });
  const up = [...lowest].map(([above, { to, place }]) => upright('dep', round(to), above.place * ROW + MIDDLE, place * ROW + MIDDLE));
  return [along, up];
}

/** From the end of each blocker down or up to the row that it blocks, and on to its start. Red where the offer to move dependent items
 *  applies (behaviour §33.18). The rows say the same in words. */
function arrowsOf(lines: readonly TimelineNode[], stretch: TimelineRange, upright: Upright): Content {
  const nodes = new Map(lines.map((node) => [node.row.id, node]));
  return lines.flatMap(({ row, place }) =>
    (row.blockedBy ?? []).map(({ id, lagDays }) => {
      const blocker = nodes.get(id);
      const until = blocker && endOf(blocker.row);
      const first = row.startDate ?? endOf(row);
      if (!blocker || !until || first === null) return null;
      const [from, to] = [lastOf(blocker.row, until, stretch), stretch.axis.begin(first)];
      if (from < 0 || from > 100) return null;
      const y = place * ROW + MIDDLE;
      const isEarly = !isClosed(row) && !isClosed(blocker.row) && startsTooEarly(first, until, lagDays);
      const kind = `arrow${isEarly ? ' late' : ''}`;
      const head =
        to >= 0 &&
        to <= 100 &&
        html`<svg x="${round(to)}%" y="${y}" overflow="visible"><path class="${kind}" d="M${to < from ? '5-4 0 0 5 4' : '-5-4 0 0-5 4'}"/></svg>`;
      return html`${upright(kind, round(from), blocker.place * ROW + MIDDLE, y)}<line class="${kind}" x1="${round(from)}%" x2="${clamped(to)}%" y1="${y}" y2="${y}"/>${head}`;
    }),
  );
}

const key = (sign: Html, words: string): Html => html`<span class="key"><svg class="g tl">${sign}</svg>${words}</span>`;

export const legend = html`<div class="legend" aria-hidden="true">${[
  key(html`<rect class="barr" y="4" width="28" height="8" rx="4"/>`, 'start to target'),
  key(html`${diamond(50, 8)}`, 'target date only'),
  key(
    html`<rect class="fore" y="1" width="20" height="14" rx="4"/><line class="whisk" x1="20" x2="27" y1="8" y2="8"/><line class="whisk" x1="27" x2="27" y1="2" y2="14"/>`,
    'forecast, and if work takes 25 % longer',
  ),
  key(html`<line class="dep" x1="0" x2="28" y1="8" y2="8"/>`, 'up to the end of its parent'),
  key(html`<line class="dep late" x1="0" x2="28" y1="8" y2="8"/>`, 'ends after its parent'),
  key(html`<line class="arrow" x1="0" x2="27" y1="8" y2="8"/><path class="arrow" d="M22 4l5 4-5 4"/>`, 'blocks'),
  key(html`<rect class="away" fill="url(#away-hatch)" width="28" height="16"/>`, 'away, public holiday'),
]}</div>`;

/** The period of a timeline: 12 weeks, 6 months or 6 quarters. Starts one unit before today by default. Pure. */
export interface TimelineRange {
  scale: Scale;
  from: string;
  to: string;
  days: number;
  axis: Axis;
  /** Start of each unit, in percent, and its label. */
  ticks: { x: number; label: string }[];
  /** First days of the previous and next period, which overlap this one by half. */
  earlier: string;
  later: string;
  usual: boolean;
}

const units = { weeks: 12, months: 6, quarters: 6 } as const satisfies Record<Scale, number>;
const months = { months: 1, quarters: 3 } as const;

/** First day of the month `count` months later. */
function monthsLater(date: string, count: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

function unitOf(date: string, scale: Scale): string {
  if (scale === 'weeks') return mondayOf(date);
  return monthsLater(date, scale === 'quarters' ? -((Number(date.slice(5, 7)) - 1) % 3) : 0);
}

const unitsLater = (date: string, scale: Scale, count: number): string =>
  scale === 'weeks' ? addDays(date, 7 * count) : monthsLater(date, months[scale] * count);

function nameOf(date: string, scale: Scale, clock: Clock): string {
  const [year, month] = [date.slice(0, 4), Number(date.slice(5, 7))];
  // The year is shown at the first week of the year.
  if (scale === 'weeks') {
    const words = monthDay(date, { ...clock, today: date });
    return date.slice(5) < '01-08' ? `${words} ’${year.slice(2)}` : words;
  }
  const name = scale === 'quarters' ? `Q${(month + 2) / 3}` : ofDay(clock).monthName(noon(date));
  return scale === 'quarters' || year !== clock.today.slice(0, 4) ? `${name} ${year}` : name;
}

/** The label of the second week is left out to make room for the year. */
const isBesideYear = (date: string, scale: Scale): boolean => scale === 'weeks' && date.slice(5) >= '01-08' && date.slice(5) < '01-15';

export function stretchOf({ scale, start }: Pick<ListAddress, 'scale' | 'start'>, clock: Clock): TimelineRange {
  const usual = unitsLater(unitOf(clock.today, scale), scale, -1);
  const from = start ? unitOf(start, scale) : usual;
  const count = units[scale];
  const days = daysBetween(from, unitsLater(from, scale, count));
  const axis = axisOf(from, clock.today, days);
  const begins = Array.from({ length: count }, (_, n) => unitsLater(from, scale, n));
  return {
    ...{ scale, from, to: addDays(from, days - 1), days, axis, usual: from === usual },
    ticks: begins.map((date, n) => ({ x: axis.begin(date), label: n > 0 && isBesideYear(date, scale) ? '' : nameOf(date, scale, clock) })),
    earlier: unitsLater(from, scale, -count / 2),
    later: unitsLater(from, scale, count / 2),
  };
}
