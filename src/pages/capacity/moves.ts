/** Effects of a what-if: before and after. */

import type { PersonCapacity } from '../../capacity/forecast/schema.ts';
import type { ForecastView, WhatIfResult } from '../../capacity/whatIf/whatIf.ts';
import { elementAt } from '../../values/records.ts';
import type { Clock } from '../frame/clock.ts';
import { icon } from '../frame/components/icon.ts';
import { outlookBadge } from '../frame/components/marks.ts';
import { dayWords } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import { displayedDates, halfHours, monthDay } from './words.ts';

type Project = ForecastView['projects'][number];

const day = (date: string | null, clock: Clock) => (date === null ? 'no date' : dayWords(date, clock));
const arrow = html`${icon('arrow-right', 's')}<span class="vh">becomes</span>`;

export function moves({ before, after, tasks }: WhatIfResult, clock: Clock): Html {
  const projects = pairs(before.projects, after.projects).filter(([one, other]) => moved(one, other));
  const people = pairs(before.people, after.people).filter(([one, other]) => busier(one, other).length > 0);
  const ends = tasks.flatMap(({ id, title }) => {
    const [was, is] = [before.tasks.get(id) ?? null, after.tasks.get(id) ?? null];
    return was === is ? [] : [{ id, title, was, is }];
  });
  if (projects.length + people.length + ends.length === 0) return html`<p class="hint">These changes do not move any date or load.</p>`;
  return html`${projects.length > 0 && html`<h3>Projects</h3><ul class="moves">${projects.slice(0, MOST).map(([one, other]) => projectMove(one, other, clock))}${rest(projects)}</ul>`}
${people.length > 0 && html`<h3>People</h3><ul class="moves">${people.slice(0, MOST).map(([one, other]) => personMove(one, other, clock))}${rest(people)}</ul>`}
${ends.length > 0 && html`<h3>Tasks</h3><ul class="moves">${ends.slice(0, MOST).map(({ title, was, is }) => html`<li><b>${title}</b><span class="to">${day(was, clock)} ${arrow} ${day(is, clock)}</span></li>`)}${rest(ends)}</ul>`}
${still(before.projects.length - projects.length)}`;
}

const MOST = 20;

const rest = ({ length }: readonly unknown[]): Content => length > MOST && html`<li class="meta">and ${length - MOST} more</li>`;

const still = (count: number): Content => count > 0 && html`<p class="hint">${quantity(count, 'project')} unchanged.</p>`;

function pairs<T extends { id: number }>(before: readonly T[], after: readonly T[]): [T, T][] {
  const found = new Map(after.map((one) => [one.id, one]));
  return before.flatMap((one): [T, T][] => {
    const other = found.get(one.id);
    return other ? [[one, other]] : [];
  });
}

const moved = (one: Project, other: Project): boolean =>
  one.outlook !== other.outlook ||
  one.remainingHours !== other.remainingHours ||
  displayedDates(one).forecastDate !== displayedDates(other).forecastDate ||
  displayedDates(one).bufferedDate !== displayedDates(other).bufferedDate;

function projectMove(one: Project, other: Project, clock: Clock): Html {
  return html`<li><b>${one.title}</b><span class="to">${day(displayedDates(one).forecastDate, clock)} ${arrow} ${day(displayedDates(other).forecastDate, clock)}</span>
<span class="to">${outlookBadge(one.outlook)}${one.outlook !== other.outlook && html` ${arrow} ${outlookBadge(other.outlook)}`}</span>${
    one.remainingHours !== other.remainingHours &&
    html`<span class="to meta">${halfHours(one.remainingHours)} ${arrow} ${halfHours(other.remainingHours)} left</span>`
  }</li>`;
}

/** Weeks whose load changes, at most four. */
function busier(one: PersonCapacity, other: PersonCapacity) {
  return one.weeks.flatMap((week, n) => {
    const then = elementAt(other.weeks, n);
    return week.loadPercent === then.loadPercent ? [] : [{ week, then }];
  });
}

function personMove(one: PersonCapacity, other: PersonCapacity, clock: Clock): Html {
  const weeks = busier(one, other);
  const load = (percent: number | null) => (percent === null ? 'no hours' : `${Math.round(percent)} %`);
  return html`<li><b>${one.name}</b>${one.weeklyHours !== other.weeklyHours && html`<span class="to">${halfHours(one.weeklyHours)} ${arrow} ${halfHours(other.weeklyHours)} a week</span>`}${weeks
    .slice(0, 4)
    .map(
      ({ week, then }) =>
        html`<span class="to${then.overextended && ' over'}"><span class="meta">${monthDay(week.week, clock)}</span> ${load(week.loadPercent)} ${arrow} ${load(then.loadPercent)}${then.overextended && `, ${halfHours(then.overHours)} over`}</span>`,
    )}${weeks.length > 4 && html`<span class="meta">and ${quantity(weeks.length - 4, 'more week')}</span>`}</li>`;
}
