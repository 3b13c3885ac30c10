/** /capacity/what-if: tries other values and saves all or none (behaviour §24.4). Tried values are only in the URL. */

import { applyWhatIf } from '../../capacity/whatIf/applyWhatIf.ts';
import { MOST_CHANGES } from '../../capacity/whatIf/changes.ts';
import { MOST_OFFERED } from '../../capacity/whatIf/tried.ts';
import { tryForm, type WhatIfResult } from '../../capacity/whatIf/whatIf.ts';
import { placesOf } from '../../items/changedFields.ts';
import { sealPlace } from '../../live/place.ts';
import { Forbidden } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { fullName, leftLabels } from '../frame/components/avatar.ts';
import { fold, notice } from '../frame/components/boxes.ts';
import { button, linkButton } from '../frame/components/button.ts';
import { personChoice, pickOption, pickSelect } from '../frame/components/picker.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Content, Html, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import type { Answer, PageRequest } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { type Refusal, submitted } from '../frame/submitted.ts';
import { option, quantity } from '../frame/widgets.ts';
import { moves, scopeSentence } from './moves.ts';
import { currentValueOf, type Now, paramsOf, whatIfValuesIn } from './tried.ts';
import { outlooksOf } from './words.ts';

const PATH = '/capacity/what-if';
/** People options of all rows together. */
const MOST_OPTIONS = 20_000;

const paramsIn = (request: PageRequest): URLSearchParams =>
  request.form.names.length > 0
    ? new URLSearchParams(request.form.names.map((name): [string, string] => [name, request.form.text(name)]))
    : request.query;

export async function showWhatIf(request: PageRequest, refusal?: Refusal): Promise<Answer> {
  const params = paramsIn(request);
  const workspaceId = Number(params.get('workspaceId') ?? 0);
  const from = params.get('from') || undefined;
  if (workspaceId === 0 && params.has('project')) return inItsWorkspace(request, params);
  const { versions: _, ...values } = whatIfValuesIn(params);
  const project = params.get('project');
  const projectId = project === null ? undefined : idIn(project);
  const tried = await call(request, tryForm, { workspaceId, from, projectId, ...values });
  const count = Object.values(tried.changes).reduce((sum, { length }) => sum + length, 0);
  const capacityHref = `${request.basePath}/capacity?workspaceId=${workspaceId}${from ? `&from=${from}` : ''}`;
  const clock = clockOf(request);
  const outlooks = outlooksOf(tried.outlooks);
  return {
    title: 'What if',
    sheets: ['heat'],
    status: refusal?.status ?? 200,
    crumbs: html`<a href="${capacityHref}">Capacity</a>`,
    meta: 'Nothing is saved until you press Save',
    actions: linkButton(capacityHref, count > 0 ? 'Discard' : 'Back', { icon: count > 0 ? 'x' : 'arrow-left' }),
    scripts: ['capacity'],
    ...(refusal && { notice: notice('error', problemOf(refusal)) }),
    body: form(request, tried, params),
    aside: html`<section id="moves" class="result" aria-live="polite" aria-label="Effects"><h2>Effects</h2>
${count === 0 ? html`<p class="hint">Change a value below to see its effects.${outlooks && ` Projects now: ${outlooks}.`}</p>` : moves(tried, clock)}
${count > 0 && saveForm(request, tried, { workspaceId, from })}</section>`,
  };
}

/** Links of the scope "All my workspaces" do not name the project's workspace. */
async function inItsWorkspace(request: PageRequest, params: URLSearchParams): Promise<Answer> {
  const [place] = await call(request, placesOf, { ids: [Number(params.get('project'))] });
  if (!place) throw new Forbidden();
  const query = new URLSearchParams(params);
  query.set('workspaceId', String(place.workspaceId));
  return { redirect: `${PATH}?${query.toString()}` };
}

const problemOf = ({ error, problem }: Refusal): string =>
  error.code === 'conflict'
    ? 'Another user changed one of these tasks. Your changes below now include theirs. Check them, then save again.'
    : problem;

/** 0 for a number that is no id. */
const idIn = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

function form(request: PageRequest, tried: WhatIfResult, params: URLSearchParams): Content {
  const { basePath } = request;
  const { changes, projects, projectId, people, taskCount } = tried;
  const tasks = tried.tasks.slice(0, MOST_OFFERED);
  const project = projects.find(({ id }) => id === projectId);
  const scope = project ? scopeSentence(project, tried) : null;
  const day = (field: string, label: string, name: string) =>
    html`<label>${label}<input class="input" type="date" name="${field}" aria-label="Away ${label === 'From' ? 'from' : 'to'}, ${name}"${typed(params, field, '')}></label>`;
  const hidden = ['workspaceId', 'from'].map(
    (name) => params.get(name) && html`<input type="hidden" name="${name}" value="${params.get(name)}">`,
  );
  return html`<form class="what-if" id="what-if" method="get" action="${basePath}${PATH}"${liveGet('#moves')} data-differing>${hidden}
<section aria-labelledby="tasks"><div class="sec"><h2 id="tasks">Tasks</h2><label class="push">Project ${pickSelect({ name: 'project', options: [...projects.map(({ id, title }) => ({ value: String(id), label: title, note: `#${id}` })), { value: '0', label: 'Without a project' }], chosen: String(projectId), attributes: html` class="input"` })}</label>${button('Show', { small: true })}</div>
${scope && html`<p class="hint">${scope}</p>`}${tasks.length > 0 ? taskTable(tasks, tried, params) : html`<p class="hint">This project has no open tasks.</p>`}${taskCount > tasks.length && html`<p class="hint">Only the first ${MOST_OFFERED} tasks are shown.</p>`}</section>
<section aria-labelledby="hours"><div class="sec"><h2 id="hours">People</h2></div>
<ul class="hours">${people.map(({ id, name, weeklyHours }) => html`<li><label>${name}, hours a week<input class="input" type="number" name="h${id}" min="0" max="168" step="any"${typed(params, `h${id}`, weeklyHours)}></label>${fold('Away', html`${day(`f${id}`, 'From', name)}${day(`u${id}`, 'To', name)}`, { open: changes.away.some((one) => one.id === id), attributes: html` aria-label="Away, ${name}"` })}</li>`)}</ul></section>
<p class="do">${button('Preview', { kind: 'primary', icon: 'refresh-cw' })}</p></form>`;
}

/** `was`: the stored value, for capacity.js. */
function typed(params: URLSearchParams, name: string, was: string | number): Html {
  const value = params.get(name) ?? String(was);
  return html` value="${value}" data-was="${was}"${value !== String(was) && html` data-changed`}`;
}

function taskTable(tasks: readonly Now[], { assignable, blockers }: WhatIfResult, params: URLSearchParams): Content {
  const most = Math.floor(MOST_OPTIONS / tasks.length);
  const people = optionsText(assignable.slice(0, most));
  const others = assignable.slice(most);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Tasks that you can change"><table class="table try"><caption class="vh">Tasks with values that you can change</caption>
<thead><tr><th scope="col">Task</th><th scope="col">Estimate, h</th><th scope="col">Done, %</th><th scope="col">Assignee</th><th scope="col">Start</th><th scope="col">Due</th><th scope="col">Blocked by</th></tr></thead>
<tbody>${tasks.map((task) => {
    const control = (letter: 'e' | 'p' | 's' | 'd', type: string, label: string) => {
      const was = currentValueOf(task, letter) ?? '';
      const number = type === 'number' && html` min="0" step="any"${letter === 'p' && html` max="100"`}`;
      return html`<td data-label="${label}"><input class="input" type="${type}" name="${letter}${task.id}" aria-label="${label} of ${task.title}"${typed(params, `${letter}${task.id}`, was)}${number}></td>`;
    };
    const assignee = params.get(`a${task.id}`) ?? String(task.assigneeId ?? '');
    const needed = [...(task.kept ? [task.kept] : []), ...others.filter(({ id }) => id === task.assigneeId || String(id) === assignee)];
    return html`<tr><th scope="row"><span class="named">${statusIcon({ status: task.status, label: task.statusLabel })}${task.title}</span><input type="hidden" name="v${task.id}" value="${task.version}"></th>
${control('e', 'number', 'Estimate, h')}${control('p', 'number', 'Done, %')}
<td data-label="Assignee"><select class="input" data-pick name="a${task.id}" aria-label="Assignee of ${task.title}" data-was="${task.assigneeId ?? ''}"${assignee !== String(task.assigneeId ?? '') && html` data-changed`}>${option('', 'Unassigned', assignee)}${needed.map((person) => pickOption(personChoice(person.id, fullName(person)), assignee))}${withSelected(people, assignee)}</select>${task.kept?.left && html`<small>${leftLabels[task.kept.left]}</small>`}</td>
${control('s', 'date', 'Start')}${control('d', 'date', 'Due')}<td data-label="Blocked by"><input class="input" name="b${task.id}" aria-label="Blocked by, of ${task.title}" placeholder="Numbers" pattern="[0-9#, ]*"${typed(params, `b${task.id}`, [...(blockers.get(task.id) ?? [])].join(', '))}></td></tr>`;
  })}</tbody></table>${others.length > 0 && html`<p class="hint">Only the first ${most} people are listed. To assign others, open the task.</p>`}</div>`;
}

/** Built once without a selected option: each of up to 60 rows lists hundreds of people. */
const optionsText = (people: WhatIfResult['assignable']): string =>
  html`${people.map((person) => pickOption(personChoice(person.id, fullName(person)), null))}`.text;

const withSelected = (options: string, id: string): Html =>
  new Html(/^\d+$/.test(id) ? options.replace(`value="${id}"`, (value) => `${value} selected`) : options);

function saveForm(
  request: PageRequest,
  { tasks, changes, mayWrite, mayChangeHours }: WhatIfResult,
  { workspaceId, from }: { workspaceId: number; from: string | undefined },
): Content {
  if (changes.tasks.length > 0 && !mayWrite)
    return html`<p class="hint">You cannot change tasks here. Send the link to this page to a member who can.</p>`;
  const onlyTried = changes.away.length + changes.blockers.length > 0;
  const hint =
    onlyTried &&
    html`<p class="hint">Absences and blockers are not saved here. To keep them, enter absences on the person's page, and blockers on the task's page.</p>`;
  if (changes.tasks.length + changes.people.length === 0) return hint;
  if (changes.people.length > 0 && !mayChangeHours)
    return html`<p class="hint">Only an owner or administrator can change weekly hours. Reset them to save the other changes.</p>`;
  const count = changes.tasks.length + changes.people.length;
  const versions = new Map(tasks.map(({ id, version }) => [id, version]));
  const hidden = { workspaceId, from: from ?? null, ...paramsOf(changes, versions) };
  return html`${hint}${postForm(
    request,
    { action: PATH, hidden, once: true, class: 'apply' },
    button(`Save ${quantity(count, 'change')}`, { kind: 'primary', block: true, icon: 'check' }),
  )}`;
}

export function saveWhatIf(request: PageRequest): Promise<Answer> {
  const params = paramsIn(request);
  const { tasks, people, versions } = whatIfValuesIn(params);
  const workspaceId = Number(params.get('workspaceId') ?? 0);
  const from = params.get('from');
  const input = () => ({
    workspaceId,
    tasks: tasks.slice(0, MOST_CHANGES + 1).map((task) => ({ ...task, version: versions.get(task.id) ?? 0 })),
    people,
  });
  return submitted(request, applyWhatIf, input, {
    done: ({ saved }) => ({
      redirect: `/capacity?workspaceId=${workspaceId}${from ? `&from=${from}` : ''}&saved=${sealPlace(request.deps.config.secretKey, saved)}`,
      notice: 'saved',
    }),
    again: (refusal) => showWhatIf(request, refusal),
  });
}
