/** Forecast against target, project by project, with what stands in the way spelt out. */
import type { Issue, Outlook, ProjectForecast, WorkEntry } from '../../capacity/forecast/schema.ts';
import { daysBetween } from '../../values/dates.ts';
import { type Content, html } from '../frame/html.ts';
import { trendOf } from './trend.ts';

/** Worst first. */
export const outlooks: Record<Outlook, string> = {
  overcommitted: 'Overcommitted',
  at_risk: 'At risk',
  needs_data: 'Needs data',
  needs_target: 'Needs a target',
  within_capacity: 'Within capacity',
  no_scope: 'No scope',
};

export function worstFirst(projects: readonly ProjectForecast[]): ProjectForecast[] {
  const order = Object.keys(outlooks);
  return projects.toSorted((a, b) => order.indexOf(a.outlook) - order.indexOf(b.outlook));
}

/** What the outlook means for this project. */
function meaning({ outlook, forecastDate }: ProjectForecast): string {
  switch (outlook) {
    case 'overcommitted':
      return forecastDate === null
        ? 'The work does not end within the ten years that are looked ahead.'
        : 'With the hours that people have, the work ends after its target.';
    case 'at_risk':
      return 'The work ends in time, but not if it takes a quarter longer than estimated.';
    case 'needs_data':
      return 'There is no date, because what follows is missing.';
    case 'needs_target':
      return 'There is a forecast, but no target to hold it against: give the project a target or due date.';
    case 'within_capacity':
      return forecastDate === null
        ? 'All of its work is closed.'
        : 'The work ends in time, even if it takes a quarter longer than estimated.';
    case 'no_scope':
      return 'It has no tasks yet.';
  }
}

/** `href`: the address of an item, where the scope tells its workspace. */
export function projectCard(project: ProjectForecast, href: ((id: number) => string) | null): Content {
  const { id, title, outlook, targetDate, forecastDate, bufferedDate } = project;
  return html`<section class="project" aria-labelledby="project-${id}"><h3 id="project-${id}">${named(id, title, href)}</h3>
<p><strong>${outlooks[outlook]}.</strong> ${meaning(project)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Dates and hours of ${title}"><table>
<thead><tr><th scope="col">Target</th><th scope="col">Forecast</th><th scope="col">With a quarter more work</th><th scope="col">Scope</th><th scope="col">Remaining</th><th scope="col">Done</th></tr></thead>
<tbody><tr><td>${targetDate ?? 'none'}</td><td>${dated(forecastDate, targetDate)}</td><td>${dated(bufferedDate, targetDate)}</td>
<td>${project.scopeHours} h</td><td>${project.remainingHours} h <small class="muted">(${project.bufferedHours} h with the buffer)</small></td><td>${project.weightedProgress === null ? '–' : `${project.weightedProgress} %`}</td></tr></tbody></table></div>
${reasons(project, href)}
<details><summary>Trend of ${title}</summary>${trendOf(project.trend)}</details>
</section>`;
}

function named(id: number, title: string, href: ((id: number) => string) | null): Content {
  return href ? html`<a href="${href(id)}">${title}</a>` : title;
}

function dated(date: string | null, target: string | null): Content {
  if (date === null) return 'no date';
  if (target === null) return date;
  const late = daysBetween(target, date);
  const days = `${Math.abs(late)} ${Math.abs(late) === 1 ? 'day' : 'days'}`;
  return html`${date} <small>${late === 0 ? 'on the target' : late > 0 ? html`<span class="over">${days} late</span>` : `${days} early`}</small>`;
}

const issueWords: Record<Issue, string> = {
  no_estimate: 'without an estimate',
  no_assignee: 'with nobody assigned',
  no_capacity: 'assigned to somebody who has no hours',
  unconfirmed_capacity: 'assigned to somebody whose weekly hours were never confirmed (40 are assumed)',
  overdue: 'past the due date',
  blocked: 'blocked',
};

const SHOWN = 5;

/** The issues of its work in words, each with the tasks it is about. */
function reasons({ work, dataIncomplete }: ProjectForecast, href: ((id: number) => string) | null): Content {
  const found: [string, WorkEntry[]][] = [
    ...(Object.keys(issueWords) as Issue[]).map((issue): [string, WorkEntry[]] => [
      issueWords[issue],
      work.filter(({ issues }) => issues.includes(issue)),
    ]),
    ['forecast to end after the due date, or without one after the target', work.filter(({ late }) => late)],
  ];
  const told = found.filter(([, tasks]) => tasks.length > 0);
  return html`${told.length > 0 && html`<ul>${told.map(([words, tasks]) => html`<li>${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} ${words}: ${some(tasks, href)}</li>`)}</ul>`}
${dataIncomplete && html`<p class="muted">The data is incomplete: take the dates with care.</p>`}`;
}

function some(tasks: readonly WorkEntry[], href: ((id: number) => string) | null): Content {
  const rest = tasks.length - SHOWN;
  return html`${tasks.slice(0, SHOWN).map(({ id, title }, place) => html`${place > 0 && ', '}${named(id, title, href)}`)}${rest > 0 && ` and ${rest} more`}`;
}
