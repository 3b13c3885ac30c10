import { demandOf, freeOf, type OutlineHead, type PersonLine } from '../../capacity/forecast/outline.ts';
import type { AwayDates, Week } from '../../capacity/forecast/schema.ts';
import type { Capacity } from '../../capacity/schema.ts';
import type { Mark, Outline } from '../../capacity/snapshots/getCapacityPage.ts';
import { addDays } from '../../values/dates.ts';
import { valueAt } from '../../values/records.ts';
import type { Clock } from '../frame/clock.ts';
import { avatar, leftLabels } from '../frame/components/avatar.ts';
import { icon } from '../frame/components/icon.ts';
import { estimate, figure, longDay, monthDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { awayWords } from './words.ts';

const percent = (value: number) => `${Math.round(value)} %`;

const lastFriday = (weeks: readonly Week[]) => addDays(weeks.at(-1)?.week ?? '1970-01-05', 4);
const isNow = ({ week }: Week, today: string) => week <= today && today <= addDays(week, 6);
export function overSentence({ count, first }: OutlineHead['over']): string {
  if (count === 0) return 'no one is overloaded in the next two weeks';
  const named = first.map(({ name, hours }) => `${name} by ${hours.map(estimate).join(' and ')}`);
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return `${count} overloaded in the next two weeks: ${named.join(', ')}${more}`;
}

/** `marks`: services and former members. `cellHref`: link of a cell. */
export function heatMap(
  people: readonly PersonLine[],
  marks: Outline['marks'],
  { today }: Pick<Capacity, 'today'>,
  clock: Clock,
  cellHref: (personId: number, week: string) => string,
): Html {
  // All people have the same eight weeks.
  const weeks = people[0]?.weeks ?? [];
  const days = new Map(weeks.map(({ week }) => [week, longDay(week, clock)]));
  return html`<svg width="0" height="0" aria-hidden="true" class="vh" focusable="false"><defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0v7"/></pattern><pattern id="hatch-off" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch-off" d="M0 0v4"/></pattern></defs></svg>
<div class="scroll heatbox" tabindex="0" role="region" aria-label="Load of people by week"><table class="heat"><colgroup><col class="c1">${weeks.map(() => html`<col>`)}<col class="c3"></colgroup>
<thead><tr><th scope="col">Person</th>${weeks.map((week) => head(week, today, clock))}<th scope="col">${weeks.length > 0 && html`<span class="vh">Free hours </span>until ${monthDay(lastFriday(weeks), clock)}`}</th></tr></thead>
<tbody>${people.map((person) => row(person, marks.get(person.id), { today, clock, days }, cellHref))}</tbody></table></div>`;
}

const head = (week: Week, today: string, clock: Clock): Html =>
  html`<th scope="col"${isNow(week, today) && html` aria-current="date"`}><b>${monthDay(week.week, clock)}</b>${isNow(week, today) ? 'this week' : `week ${isoWeek(week.week)}`}</th>`;

/** ISO 8601: the first week contains the first Thursday of the year. */
function isoWeek(monday: string): number {
  const thursday = addDays(monday, 3);
  const dayOfYear = (Date.parse(thursday) - Date.parse(`${thursday.slice(0, 4)}-01-01`)) / 86_400_000;
  return Math.floor(dayOfYear / 7) + 1;
}

function row(
  person: PersonLine,
  mark: Mark | undefined,
  { today, clock, days }: { today: string; clock: Clock; days: ReadonlyMap<string, string> },
  cellHref: (personId: number, week: string) => string,
): Html {
  const { id, name, weeklyHours, confirmed, weeks } = person;
  const free = freeOf(person, today, { until: lastFriday(weeks) });
  const left = mark?.left;
  const hours = left ? leftLabels[left] : html`${estimate(weeklyHours)} a week${!confirmed && ', not confirmed'}`;
  return html`<tr><th scope="row"><span class="p">${avatar({ id, name, kind: 'person', ...mark }, { beside: true })}<span><b>${name}</b><span>${hours}</span></span></span></th>
${weeks.map((week) => html`<td>${left && demandOf(week) === 0 ? html`<span class="cell none"><small>–</small></span>` : cell(person, week, { day: valueAt(days, week.week), clock }, cellHref(id, week.week))}</td>`)}
<td class="free">${!left && free && html`<b>${estimate(free.hours)} free</b><small>of ${estimate(free.of)}</small>`}</td></tr>`;
}

const WEEKDAYS = 7;

/** A strip of the week's days, hatched where the person is away. */
function offDays(off: readonly AwayDates[], monday: string): Content {
  if (off.length === 0) return null;
  const hatched = Array.from({ length: WEEKDAYS }, (_, n) => n).filter((n) => {
    const date = addDays(monday, n);
    return off.some(({ first, last }) => first <= date && date <= last);
  });
  const width = 100 / WEEKDAYS;
  return html`<svg class="off" aria-hidden="true">${hatched.map((n) => html`<rect x="${(n * width).toFixed(2)}%" width="${width.toFixed(2)}%" height="100%" fill="url(#hatch-off)"/>`)}</svg>`;
}

const level = (load: number): string => (load <= 0 ? 'f0' : load < 50 ? 'f1' : load < 80 ? 'f2' : 'f3');

function cell({ name, away = [] }: PersonLine, week: Week, { day, clock }: { day: string; clock: Clock }, href: string): Html {
  const { loadPercent, overHours, overextended, availableHours } = week;
  const demand = demandOf(week);
  const off = away.filter(({ first, last }) => first <= addDays(week.week, 6) && last >= week.week);
  const exact = `${name}, week of ${day}: ${estimate(demand)} of ${estimate(availableHours)}; ${estimate(week.allocatedHours)} of tasks, ${estimate(week.recordedHours)} recorded, ${estimate(week.plannedHours)} planned${off.map((one) => `; ${awayWords(one, clock)}`).join('')}`;
  const link = (kind: string, content: Content) =>
    html`<a class="cell ${kind}" href="${href}" title="${exact}" data-menu>${content}${offDays(off, week.week)}</a>`;
  if (overextended)
    return link(
      'over',
      html`<svg class="lv" aria-hidden="true"><rect width="100%" height="100%" fill="url(#hatch)"/></svg><b>${icon('triangle-alert', 's')}${loadPercent === null ? 'no hours' : percent(loadPercent)}</b><small>${figure(overHours * 60)} over</small>`,
    );
  if (loadPercent === null) return link('none', html`<small>${off.length > 0 ? 'away' : 'no hours'}</small>`);
  const full = Math.min(100, loadPercent);
  return link(
    level(loadPercent),
    html`${full > 0 && html`<svg class="lv" aria-hidden="true"><rect y="${100 - full}%" width="100%" height="${full}%"/></svg>`}<b>${percent(loadPercent)}</b>${demand > 0 && html`<small>${figure(demand * 60)}</small>`}`,
  );
}

export const legend = html`<div class="legend" aria-hidden="true"><span class="key"><span class="cell sw f1"><svg class="lv"><rect y="65%" width="100%" height="35%"/></svg></span>under 50 %</span><span class="key"><span class="cell sw f2"><svg class="lv"><rect y="35%" width="100%" height="65%"/></svg></span>50 to 80 %</span><span class="key"><span class="cell sw f3"><svg class="lv"><rect y="10%" width="100%" height="90%"/></svg></span>80 to 100 %</span><span class="key"><span class="cell sw over"><svg class="lv"><rect width="100%" height="100%" fill="url(#hatch)"/></svg></span>over 100 %, with overload hours</span><span class="key"><span class="cell sw"><svg class="off"><rect width="100%" height="100%" fill="url(#hatch-off)"/></svg></span>away or public holiday</span><span class="push"></span><span class="key"><svg class="g tl"><rect class="barr" y="4" width="28" height="8" rx="4"/></svg>hours left</span><span class="key"><svg class="g tl"><line class="whisk" x1="0" x2="24" y1="8" y2="8"/><line class="whisk" x1="24" x2="24" y1="2" y2="14"/></svg>if work takes 25 % longer</span><span class="key"><svg class="g tl"><svg x="14" y="8" overflow="visible"><path class="dia" d="M0-6 6 0 0 6-6 0Z"/></svg></svg>target</span></div>`;
