import { demandOf } from '../../capacity/forecast/outline.ts';
import { type ExplainedWeek, explainWeek } from '../../capacity/whatIf/applyWhatIf.ts';
import { addDays } from '../../values/dates.ts';
import { clockOf } from '../frame/clock.ts';
import { statusIcon } from '../frame/components/status.ts';
import { estimate, hours, monthDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { offerLinks, offerQuery } from './offers.ts';

export async function showWeek(request: PageRequest): Promise<Answer> {
  const { basePath, query, params } = request;
  const workspaceId = Number(query.get('workspaceId') ?? 0);
  const told = await call(request, explainWeek, { workspaceId, personId: Number(params.personId), week: query.get('week') ?? '' });
  const clock = clockOf(request);
  const { person, week } = told;
  const from = query.get('from') ?? week.week;
  const back = `${basePath}/capacity?workspaceId=${workspaceId}&from=${from}`;
  return {
    title: `${person.name}, ${monthDay(week.week, clock)} to ${monthDay(addDays(week.week, 6), clock)}`,
    crumbs: html`<a href="${back}">Capacity</a>`,
    body: html`<section id="change" class="made-of" aria-label="Details of this week"><p class="sum"><b>${estimate(demandOf(week))}</b> of ${estimate(week.availableHours)}${week.overextended && html`, <strong class="over">${estimate(week.overHours)} over</strong>`}</p>
${part(
  'Tasks',
  week.allocatedHours,
  told.tasks.map((task) => taskRow(basePath, task, offerQuery({ workspaceId, from, week: week.week, personId: person.id }))),
  told.taskCount - told.tasks.length,
)}
${part('Recorded', week.recordedHours, shares(basePath, told.recorded))}
${part('Planned', week.plannedHours, shares(basePath, told.planned))}
<p class="hint">The week counts tasks plus recorded time, or planned time if that is more. Days are UTC.</p></section>`,
  };
}

function part(title: string, inHours: number, rows: readonly Content[], more = 0): Content {
  return html`<h2>${title} <span class="meta">${estimate(inHours)}</span></h2>${
    rows.length > 0 ? html`<ul>${rows}${more > 0 && html`<li class="meta">and ${more} more</li>`}</ul>` : html`<p class="hint">None.</p>`
  }`;
}

const row = (basePath: string, { id, title }: { id: number; title: string }, minutes: number, sign?: Content, offers?: Content): Content =>
  html`<li>${sign}<a href="${basePath}/items/${id}">${title}</a><span class="push">${hours(minutes)}</span>${offers}</li>`;

function taskRow(basePath: string, task: ExplainedWeek['tasks'][number], query: string): Content {
  const sign = statusIcon({ status: task.status, label: task.statusLabel });
  return row(basePath, task, task.minutes, sign, task.mayWrite && offerLinks(basePath, task, query));
}

const shares = (basePath: string, all: ExplainedWeek['recorded']): Content[] =>
  all.map(({ item, minutes }) =>
    item ? row(basePath, item, minutes) : html`<li>Items that you cannot see<span class="push">${hours(minutes)}</span></li>`,
  );
