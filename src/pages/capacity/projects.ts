/** Projects on the time axis, worst first. Each unfolds to tasks, problems and history. */

import type { ProjectLine } from '../../capacity/forecast/outline.ts';
import { displayedDates } from '../../capacity/forecast/outline.ts';
import { isClosed } from '../../capacity/forecast/rows.ts';
import type { Issue, ProjectForecast, WorkEntry } from '../../capacity/forecast/schema.ts';
import { listedTasks, type ShownProject } from '../../capacity/snapshots/getCapacityPage.ts';
import { keysOf } from '../../values/records.ts';
import { capital } from '../../values/text.ts';
import { statuses } from '../../workspaces/statuses.ts';
import type { Clock } from '../frame/clock.ts';
import { type AvatarProps, avatar } from '../frame/components/avatar.ts';
import { icon } from '../frame/components/icon.ts';
import { outlookBadge } from '../frame/components/marks.ts';
import { canonicalWords, statusIcon } from '../frame/components/status.ts';
import { dayWords, estimate, within } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import { type Axis, barChart, forecastLabel } from './axis.ts';
import { burnDown } from './burnDown.ts';
import { apartWords, explainedSentences, meaning, readyWords, weeksWords } from './words.ts';

export interface ProjectContext {
  axis: Axis;
  clock: Clock;
  href(id: number): string;
  projectHref(id: number): string;
  whatIfHref(id: number): string;
  /** The chosen workspace, or 0. */
  workspaceId: number;
  people: ReadonlyMap<number, AvatarProps>;
  /** Items that explanations may name. */
  named: readonly number[];
}

const toneOf = ({ outlook }: ProjectLine) => (outlook === 'overcommitted' ? 'red' : outlook === 'at_risk' ? 'amber' : '');

/** `inside`: content of an open row. */
export function projectRow(project: ShownProject, shown: ProjectContext, inside?: Html): Html {
  const { id, title, scopeHours, remainingHours, weightedProgress, targetDate } = project;
  const { forecastDate, bufferedDate } = displayedDates(project);
  const { axis, clock, workspaceId, projectHref, whatIfHref } = shown;
  const facts = [
    workspaceId === 0 && project.workspace,
    project.outlook === 'no_scope' ? null : `${estimate(remainingHours)} left`,
    weightedProgress === null ? null : `${Math.round(weightedProgress)} % of ${estimate(scopeHours)} done`,
  ].filter(Boolean);
  const bar = { from: axis.today, to: forecastDate, buffered: bufferedDate, target: targetDate, tone: toneOf(project) } as const;
  const explained = [...explainedSentences({ ...project, named: shown.named }, clock), ...onlySentence(project, forecastDate, clock)];
  const ended = forecastDate !== null && forecastDate < axis.today;
  const shownBar = { ...bar, empty: project.outlook === 'no_scope' || ended };
  const chart = barChart(axis, shownBar, 60, forecastLabel({ ...project, forecastDate, bufferedDate }, clock), clock);
  return html`<details class="proj" data-src="${projectHref(id)}"${inside && html` open`}><summary class="prow"><div class="name">${icon('chevron-right', 's')}<span><b>${title}</b><span class="meta">${facts.join(' · ')}</span></span></div>${chart}<div class="end">${outlookBadge(project.outlook)}<span class="meta">${readyWords({ ...project, forecastDate }, clock)}</span></div>${explained.length > 0 && html`<span class="meta why">${explained.join(' ')}</span>`}</summary>
${inside ?? html`<div class="inside"><p class="more"><a href="${projectHref(id)}">Tasks, causes and burn-down of ${title}</a></p></div>`}</details>${project.outlook === 'overcommitted' && html`<p class="solve"><a href="${whatIfHref(id)}">What if<span class="vh">: ${title}</span></a></p>`}`;
}

/** For a chosen workspace: the date if only its work counted. */
function onlySentence({ only, workspace }: ShownProject, all: string | null, clock: Clock): string[] {
  const apart = apartWords(only?.forecastDate ?? null, all);
  return only?.forecastDate && apart ? [`With only ${workspace}: ready ${within(dayWords(only.forecastDate, clock))}, ${apart}.`] : [];
}

const isOpen = ({ status }: WorkEntry): boolean => !isClosed(status);

/** Fetched when a project is unfolded. */
export function projectInside(project: ProjectForecast & ProjectLine, shown: ProjectContext): Html {
  const open = project.work.filter(isOpen).length;
  const closed = project.work.length - open;
  const first = listedTasks(project);
  return html`<div class="inside" id="inside-${project.id}">
<p class="means">${[meaning(project), weeksWords(project, shown.clock)].filter(Boolean).join(' ')} <a href="${shown.href(project.id)}">Open project</a></p>
${causes(project, shown)}
${first.map((task) => taskRow(task, project, shown))}
${(open > first.length || closed > 0) && html`<p class="more">${open > first.length && `${quantity(open - first.length, 'more open task')}. `}${closed > 0 && `Closed: ${quantity(closed, 'task')}.`}</p>`}
${burnDown(project, shown.clock)}</div>`;
}

function taskRow(task: WorkEntry, { targetDate }: ProjectForecast, { axis, clock, href, people }: ProjectContext): Html {
  const { id, title, status, assigneeId, forecastStart, forecastDate, dueDate, remainingHours, issues, late } = task;
  const tone = status === 'blocked' ? 'red' : late || issues.includes('overdue') ? 'amber' : 'soft';
  const bar = { from: forecastStart ?? axis.today, to: forecastDate, target: dueDate, tone } as const;
  const said = forecastLabel({ forecastDate, targetDate: dueDate ?? targetDate, bufferedDate: null, outlook: 'within_capacity' }, clock);
  const who = assigneeId === null ? null : (people.get(assigneeId) ?? { id: assigneeId, name: 'Unknown user', kind: 'person' });
  const told = status === 'blocked' ? 'blocked' : issues.map((issue) => stateWords[issue]).find(Boolean);
  return html`<div class="prow"><div class="name">${statusIcon({ status: statuses.find((one) => one === status) ?? 'planned', label: capital(canonicalWords(status)) })}<a href="${href(id)}" title="${title}">${title}</a></div>${barChart(axis, bar, 32, said, clock)}<div class="end">${avatar(who)}<span>${told ?? estimate(remainingHours)}</span></div></div>`;
}

/** Instead of the hours left. */
const stateWords: Partial<Record<Issue, string>> = { no_estimate: 'no estimate', over_estimate: 'time used up' };

const causeWords: Record<Issue | 'late', string> = {
  no_estimate: 'without an estimate',
  over_estimate: 'whose time is used up: estimate again',
  no_assignee: 'unassigned',
  assignee_left: 'assigned to people who are deactivated or left the workspace',
  no_capacity: 'assigned to people with 0 hours a week',
  unconfirmed_capacity: 'assigned to people with unconfirmed weekly hours (counted as 40)',
  overdue: 'past the due date',
  blocked: 'blocked',
  late: 'forecast to finish late',
};

const SHOWN = 5;

/** Problems with the tasks that cause them. */
function causes({ work }: ProjectForecast, { href }: ProjectContext): Content {
  const found = keysOf(causeWords).map(
    (cause) => [cause, work.filter(({ issues, late }) => (cause === 'late' ? late : issues.includes(cause)))] as const,
  );
  const told = found.filter(([, tasks]) => tasks.length > 0);
  return (
    told.length > 0 &&
    html`<ul class="causes">${told.map(
      ([cause, tasks]) => html`<li>${quantity(tasks.length, 'task')} ${causeWords[cause]}: ${some(tasks, href)}</li>`,
    )}</ul>`
  );
}

function some(tasks: readonly WorkEntry[], href: (id: number) => string): Content {
  const rest = tasks.length - SHOWN;
  return html`${tasks.slice(0, SHOWN).map(({ id, title }, place) => html`${place > 0 && ', '}<a href="${href(id)}">${title}</a>`)}${rest > 0 && ` and ${rest} more`}`;
}
