/** Effects of a what-if: before and after. */

import { displayedDates } from '../../capacity/forecast/outline.ts';
import type { PersonCapacity } from '../../capacity/forecast/schema.ts';
import { busier, type ForecastView } from '../../capacity/whatIf/tried.ts';
import type { WhatIfResult } from '../../capacity/whatIf/whatIf.ts';
import type { Clock } from '../frame/clock.ts';
import { icon } from '../frame/components/icon.ts';
import { outlookBadge } from '../frame/components/marks.ts';
import { dayWords, estimate, monthDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import { apartWords } from './words.ts';

type Project = ForecastView['projects'][number];

const day = (date: string | null, clock: Clock) => (date === null ? 'no date' : dayWords(date, clock));
const arrow = html`${icon('arrow-right', 's')}<span class="vh">becomes</span>`;

/** "Counts only Apollo: 6 days earlier than with all work." Null if the project's date is the one that other pages show. */
export function scopeSentence(project: Project, { workspaceName, datesOnPages }: WhatIfResult): string | null {
  const apart = apartWords(displayedDates(project).forecastDate, datesOnPages.get(project.id) ?? null);
  return apart && `Counts only ${workspaceName ?? 'this workspace'}: ${apart}.`;
}

export function moves(tried: WhatIfResult, clock: Clock): Html {
  const { effects } = tried;
  const { projects, people, tasks, unchangedProjects } = effects;
  if (projects.count + people.count + tasks.count === 0) return html`<p class="hint">These changes do not move any date or load.</p>`;
  return html`${projects.count > 0 && html`<h3>Projects</h3><ul class="moves">${projects.first.map(([one, other]) => projectMove(one, other, scopeSentence(one, tried), clock))}${rest(projects)}</ul>`}
${people.count > 0 && html`<h3>People</h3><ul class="moves">${people.first.map(([one, other]) => personMove(one, other, clock))}${rest(people)}</ul>`}
${tasks.count > 0 && html`<h3>Tasks</h3><ul class="moves">${tasks.first.map(({ title, was, is }) => html`<li><b>${title}</b><span class="to">${day(was, clock)} ${arrow} ${day(is, clock)}</span></li>`)}${rest(tasks)}</ul>`}
${still(unchangedProjects)}`;
}

const rest = ({ first, count }: { first: readonly unknown[]; count: number }): Content =>
  count > first.length && html`<li class="meta">and ${count - first.length} more</li>`;

const still = (count: number): Content => count > 0 && html`<p class="hint">${quantity(count, 'project')} unchanged.</p>`;

function projectMove(one: Project, other: Project, scope: string | null, clock: Clock): Html {
  return html`<li><b>${one.title}</b><span class="to">${day(displayedDates(one).forecastDate, clock)} ${arrow} ${day(displayedDates(other).forecastDate, clock)}</span>
<span class="to">${outlookBadge(one.outlook)}${one.outlook !== other.outlook && html` ${arrow} ${outlookBadge(other.outlook)}`}</span>${
    one.remainingHours !== other.remainingHours &&
    html`<span class="to meta">${estimate(one.remainingHours)} ${arrow} ${estimate(other.remainingHours)} left</span>`
  }${scope && html`<span class="to meta">${scope}</span>`}</li>`;
}

function personMove(one: PersonCapacity, other: PersonCapacity, clock: Clock): Html {
  const weeks = busier(one, other);
  const load = (percent: number | null) => (percent === null ? 'no hours' : `${Math.round(percent)} %`);
  return html`<li><b>${one.name}</b>${one.weeklyHours !== other.weeklyHours && html`<span class="to">${estimate(one.weeklyHours)} ${arrow} ${estimate(other.weeklyHours)} a week</span>`}${weeks
    .slice(0, 4)
    .map(
      ({ week, then }) =>
        html`<span class="to${then.overextended && ' over'}"><span class="meta">${monthDay(week.week, clock)}</span> ${load(week.loadPercent)} ${arrow} ${load(then.loadPercent)}${then.overextended && `, ${estimate(then.overHours)} over`}</span>`,
    )}${weeks.length > 4 && html`<span class="meta">and ${quantity(weeks.length - 4, 'more week')}</span>`}</li>`;
}
