/** /capacity: load of people and forecasts of projects on one time axis (behaviour §6, §24). */
import type { OutlineHead } from '../../capacity/forecast/outline.ts';
import type { Capacity } from '../../capacity/schema.ts';
import type { Outline, Rows } from '../../capacity/snapshots/getCapacityPage.ts';
import { openPlace } from '../../live/place.ts';
import { addDays, mondayOf } from '../../values/dates.ts';
import { Unavailable } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, option } from '../frame/components/palette.ts';
import { monthDay } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { fetchPart } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { axisHead, axisOf, capacityCsvRoutes } from './axis.ts';
import { heatMap, legend, overSentence } from './heat.ts';
import { offerRoutes } from './offers.ts';
import { type ProjectContext, projectInside, projectRow } from './projects.ts';
import { capacityQuery, paperClass, scopeMenu, scopeOnPaper, scopeRoutes } from './scope.ts';
import { showWeek } from './week.ts';
import { saveWhatIf, showWhatIf } from './whatIf.ts';
import { summary } from './words.ts';

const PATH = '/capacity';
async function show(request: PageRequest): Promise<Answer> {
  const { deps, query } = request;
  const pages = { people: pageIn(query, 'people'), projects: pageIn(query, 'projects') };
  const saved = openPlace(deps.config, query.get('saved') ?? '');
  const input = { ...capacityQuery(query), ...pages, saved, wait: query.has('wait') };
  const { overseen, name, outline } = await call(request, deps.capacityPage, input);
  if (!overseen) return nothingToOversee;
  if (outline) return forecastPage(request, name, outline);
  request.ctx.set('Retry-After', String(new Unavailable().details.retryAfter));
  return beingComputed(request, name, input.workspaceId);
}

const pageIn = (query: URLSearchParams, name: string): number => Math.min(1e6, Math.max(1, Math.floor(Number(query.get(name)) || 1)));

function forecastPage(
  request: PageRequest,
  name: string | null,
  { head, outdated, people, marks, projects, hidden, named }: Outline,
): Answer {
  const { workspaceId, from, today } = head;
  const clock = clockOf(request);
  const at = `${request.basePath}${PATH}`;
  const shown = displayedBy(request, head, named);
  return {
    title: 'Capacity',
    sheets: ['heat'],
    wide: true,
    scripts: ['capacity'],
    meta: scopeOnPaper({ id: workspaceId, name }, { ...clock, today }),
    actions: html`${workspaceId > 0 && linkButton(`${at}/what-if?workspaceId=${workspaceId}&from=${from}`, 'What if', { icon: 'split' })}${linkButton(`${request.basePath}/reports/time?workspaceId=${workspaceId}`, 'Recorded time', { icon: 'clock', kind: 'quiet' })}${scopeMenu(request, { id: workspaceId, name }, from)}${weekSwitch(at, head, clock)}${filesMenu(at, head)}`,
    body: html`<div class="cap ${paperClass(people.rows.length, projects.rows.length)}" id="figures">${outdated && recomputing(request)}
<p class="hint">${scopeWords(workspaceId, name, hidden)}</p>
<section aria-labelledby="people"><div class="sec"><h2 id="people">People</h2><span class="meta">${overSentence(head.over)}</span></div>
${people.rows.length ? heatMap(people.rows, marks, head, clock, (person, week) => `${at}/people/${person}?workspaceId=${workspaceId}&week=${week}&from=${from}`) : empty({ icon: 'users', title: 'No assigned tasks', text: 'See how busy people are each week. Assign tasks to people to start.' })}
${pager(request, 'people', people)}</section>
${legend}
<section aria-labelledby="projects"><div class="sec"><h2 id="projects">Projects</h2><span class="meta">${summary(head.counts)}</span></div>
${projects.rows.length ? html`<div class="ptime">${axisHead(shown.axis, clock)}${projects.rows.map((project) => projectRow(project, shown))}</div>` : empty({ icon: 'ship', title: 'No open releases, requirements or milestones', text: 'See when each project will be ready. Create a release and link tasks to it to start.' })}
${pager(request, 'projects', projects)}</section>
<p class="hint">Working days are Monday to Friday, unless a person has others. Days are UTC. Today is ${monthDay(today, clock)}.</p></div>`,
  };
}

/** What the figures of the page count. */
function scopeWords(workspaceId: number, name: string | null, hidden: boolean): string {
  const people = workspaceId === 0 ? 'all workspaces that you oversee' : `only ${name ?? 'this workspace'}`;
  const more = hidden ? ', also work that you can’t see' : '';
  return `The people table counts ${people}. Dates of projects count all work of their people${more}.`;
}

/** A long poll for new figures: the server answers when they are ready, or after a while. */
function recomputing({ basePath, query }: PageRequest): Content {
  const next = new URLSearchParams(query);
  next.delete('notice');
  next.set('wait', '1');
  const at = `${basePath}${PATH}?${next.toString()}`;
  const asking = html` hx-get="${at}" hx-trigger="load"${fetchPart('#figures')}`;
  return html`<div${asking}>${notice('info', 'Recomputing… The figures do not include your latest changes yet.', html`<a href="${at}">Refresh</a>`)}</div>`;
}

function displayedBy(
  request: PageRequest,
  { workspaceId, from, today }: Pick<Capacity, 'workspaceId' | 'from' | 'today'>,
  named: Outline['named'],
  people: ProjectContext['people'] = new Map(),
): ProjectContext {
  const { basePath } = request;
  return {
    axis: axisOf(from, today),
    clock: clockOf(request),
    href: (id) => (workspaceId === 0 ? `${basePath}/items/${id}` : `${basePath}/workspaces/${workspaceId}/items/${id}`),
    projectHref: (id) => `${basePath}${PATH}/projects/${id}?workspaceId=${workspaceId}&from=${from}`,
    whatIfHref: (id) => `${basePath}${PATH}/what-if?workspaceId=${workspaceId}&project=${id}&from=${from}`,
    workspaceId,
    named,
    people,
  };
}

/** One project with its tasks, as a page and as the part that is fetched when it is unfolded. */
async function showProject(request: PageRequest): Promise<Answer> {
  const projectId = Number(request.params.projectId);
  const { workspaceId, from } = capacityQuery(request.query);
  const { today, project, named, people } = await call(request, request.deps.capacityProject, { workspaceId, projectId });
  if (!project) return tooLarge(request, projectId);
  const scope = { workspaceId, today, from: mondayOf(from ?? today) };
  const shown = displayedBy(request, scope, named, people);
  const inside = projectInside(project, shown);
  return {
    title: project.title,
    wide: true,
    crumbs: html`<a href="${request.basePath}${PATH}?workspaceId=${workspaceId}&from=${scope.from}">Capacity</a>`,
    body: html`<div class="cap"><div class="ptime">${axisHead(shown.axis, shown.clock)}${projectRow(project, shown, inside)}</div></div>`,
  };
}

function weekSwitch(at: string, { workspaceId, from, today }: OutlineHead, clock: ReturnType<typeof clockOf>): Content {
  const to = (monday: string) => `${at}?workspaceId=${workspaceId}&from=${monday}`;
  const now = mondayOf(today);
  const words = from === now ? 'From this week' : `From ${monthDay(from, clock)}`;
  return segments('Weeks', [
    { href: to(addDays(from, -7)), label: 'Previous week', icon: 'chevron-left', iconOnly: true },
    { href: from === now ? to(now) : `${at}?workspaceId=${workspaceId}`, label: words, current: from === now },
    { href: to(addDays(from, 7)), label: 'Next week', icon: 'chevron-right', iconOnly: true },
  ]);
}

const filesMenu = (at: string, { workspaceId, from }: OutlineHead): Content =>
  menu(
    icon('ellipsis'),
    html`${option('People as CSV', { href: `${at}/people.csv?workspaceId=${workspaceId}&from=${from}`, icon: icon('download') })}${option('Projects as CSV', { href: `${at}/projects.csv?workspaceId=${workspaceId}&from=${from}`, icon: icon('download') })}`,
    { end: true, label: 'More options', class: 'icon-pop' },
  );

/** `name`: query parameter of the page number. */
function pager({ query, basePath }: PageRequest, name: string, { page, pages }: Rows<unknown>): Content {
  const to = (number: number, label: string) => {
    const next = new URLSearchParams(query);
    next.set(name, String(number));
    return html`<a href="${basePath}${PATH}?${next.toString()}">${label}</a>`;
  };
  return (
    pages > 1 &&
    html`<nav class="pager" aria-label="Pages of ${name}">${page > 1 && to(page - 1, `Previous ${name}`)} page ${page} of ${pages} ${page < pages && to(page + 1, `More ${name}`)}</nav>`
  );
}

/** Explains who may see forecasts. */
const nothingToOversee: Answer = {
  status: 403,
  title: 'Capacity',
  body: empty({
    icon: 'gauge',
    title: 'You cannot see the capacity of any workspace',
    text: 'Owners, managers and members with time oversight see the forecast of a workspace. Ask an owner for time oversight.',
  }),
};

/** The first forecast of a scope; a worker computes it. */
function beingComputed(request: PageRequest, name: string | null, workspaceId: number): Answer {
  return {
    status: 503,
    title: 'The forecast is being computed',
    actions: scopeMenu(request, { id: workspaceId, name }),
    body: html`<div role="status">${empty({
      icon: 'hourglass',
      title: 'Computing the forecast',
      text: 'This takes a few seconds, or longer for many thousand tasks.',
      action: linkButton(`${request.basePath}${PATH}?${request.query.toString()}`, 'Refresh', { kind: 'primary', icon: 'refresh-cw' }),
    })}</div>`,
  };
}

function tooLarge({ basePath, query }: PageRequest, projectId: number): Answer {
  return {
    title: 'Capacity',
    crumbs: html`<a href="${basePath}${PATH}?${query.toString()}">Capacity</a>`,
    body: html`<div class="inside" id="inside-${projectId}"><p>It has too many tasks to open it here, or no forecast yet. <a href="${basePath}/items/${projectId}">Open the project’s page</a>, or use the REST API.</p></div>`,
  };
}

export const capacityRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: show },
  ...capacityCsvRoutes,
  ...scopeRoutes,
  { method: 'GET', path: `${PATH}/projects/:projectId`, handle: showProject },
  { method: 'GET', path: `${PATH}/people/:personId`, handle: showWeek },
  ...offerRoutes,
  { method: 'GET', path: `${PATH}/what-if`, handle: (request) => showWhatIf(request) },
  { method: 'POST', path: `${PATH}/what-if`, handle: saveWhatIf },
];
