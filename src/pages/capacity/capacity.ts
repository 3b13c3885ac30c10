/** /capacity: who has how much to do in the coming weeks, and whether projects will meet their targets, on one time axis (behaviour §6, §24). */
import { listScopes, type ScopeChoice } from '../../capacity/listScopes.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { placesOf } from '../../items/placesOf.ts';
import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { addDays, mondayOf, todayIn } from '../../values/dates.ts';
import { AppError, Forbidden } from '../../values/errors.ts';
import { call } from '../frame/call.ts';
import { clockOf } from '../frame/clock.ts';
import { linkButton } from '../frame/components/button.ts';
import { empty } from '../frame/components/empty.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, option } from '../frame/components/menu.ts';
import { segments } from '../frame/components/segments.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { axisHead, axisOf } from './axis.ts';
import { capacityCsvRoutes } from './csv.ts';
import { heatMap, legend, overSentence } from './heat.ts';
import { paperClass } from './paper.ts';
import { projectRow, type Shown, worstFirst } from './projects.ts';
import { asked, readCapacity } from './read.ts';
import { showWeek } from './week.ts';
import { saveWhatIf, showWhatIf } from './whatIf.ts';
import { monthDay, summary } from './words.ts';

const PATH = '/capacity';
const PEOPLE_PER_PAGE = 50;
const PROJECTS_PER_PAGE = 60;
async function show(request: PageRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const input = parseInput(deps.capacity.input, asked(query));
  const { workspaces } = outputOf(await perform(deps.db, caller, listScopes, {}));
  if (!workspaces.length && input.workspaceId === 0) return nothingToOversee;
  try {
    const capacity = await readCapacity(request);
    return capacity ? await forecastPage(request, workspaces, capacity) : tooLarge(request, workspaces, input.workspaceId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable' || error.cause) throw error;
    request.ctx.set('Retry-After', String(error.details.retryAfter));
    return beingComputed(request, workspaces, input.workspaceId);
  }
}

async function forecastPage(request: PageRequest, workspaces: readonly ScopeChoice[], capacity: Capacity): Promise<Answer> {
  const { workspaceId, from, projects, people, today } = capacity;
  const clock = clockOf(request);
  const at = `${request.basePath}${PATH}`;
  const shownPeople = pageOf(request, people, 'people', PEOPLE_PER_PAGE);
  const shownProjects = pageOf(request, worstFirst(projects), 'projects', PROJECTS_PER_PAGE);
  const shown = await shownBy(
    request,
    capacity,
    shownProjects.rows.map(({ id }) => id),
  );
  return {
    title: 'Capacity',
    wide: true,
    scripts: ['capacity'],
    actions: html`${workspaceId > 0 && linkButton(`${at}/what-if?workspaceId=${workspaceId}&from=${from}`, 'What if', { icon: 'split' })}${linkButton(`${request.basePath}/reports/time?workspaceId=${workspaceId}`, 'Recorded', { icon: 'clock', kind: 'quiet', said: 'Recorded time' })}${scopeMenu(request, workspaces, workspaceId, from)}${weekSwitch(at, capacity, clock)}${filesMenu(at, capacity)}`,
    body: html`<div class="cap ${paperClass(shownPeople.rows.length, shownProjects.rows.length)}">
<section aria-labelledby="people"><div class="sec"><h2 id="people">People</h2><span class="meta">${overSentence(people, today)}</span></div>
${people.length ? heatMap(shownPeople.rows, capacity, clock, (person, week) => `${at}/people/${person}?workspaceId=${workspaceId}&week=${week}&from=${from}`) : empty({ icon: 'users', title: 'Nobody has work here', text: 'Assign tasks to somebody: their weeks appear here.' })}
${shownPeople.links}</section>
${legend}
<section aria-labelledby="projects"><div class="sec"><h2 id="projects">Projects</h2><span class="meta">${summary(projects)}</span></div>
${projects.length ? html`<div class="ptime">${axisHead(shown.axis, clock)}${shownProjects.rows.map((project) => projectRow(project, shown))}</div>` : empty({ icon: 'ship', title: 'No open release, requirement or milestone', text: 'Make one and link tasks to it: its forecast appears here.' })}
${shownProjects.links}</section>
<p class="hint">${capacity.scopeNote} Working days are Monday to Friday, days are UTC; today is ${monthDay(today, clock)}.</p></div>`,
  };
}

async function shownBy(request: PageRequest, { workspaceId, from, today, people }: Capacity, ids: readonly number[]): Promise<Shown> {
  const { basePath } = request;
  const places = workspaceId === 0 && ids.length > 0 ? await call(request, placesOf, { ids: ids.slice(0, 100) }) : [];
  const names = new Map(places.map(({ id, workspace }) => [id, workspace]));
  return {
    axis: axisOf(from, today),
    clock: clockOf(request),
    href: (id) => (workspaceId === 0 ? `${basePath}/items/${id}` : `${basePath}/workspaces/${workspaceId}/items/${id}`),
    projectHref: (id) => `${basePath}${PATH}/projects/${id}?workspaceId=${workspaceId}&from=${from}`,
    workspace: (id) => names.get(id),
    people: new Map(people.map(({ id, name }) => [id, name])),
  };
}

/** One project with all that is inside: a page of its own, and the part that is fetched when it is opened in the list. */
async function showProject(request: PageRequest): Promise<Answer> {
  const capacity = await readCapacity(request);
  const project = capacity?.projects.find(({ id }) => id === Number(request.params.projectId));
  if (!capacity || !project) throw new Forbidden();
  const shown = await shownBy(request, capacity, [project.id]);
  return {
    title: project.title,
    wide: true,
    crumbs: html`<a href="${request.basePath}${PATH}?workspaceId=${capacity.workspaceId}&from=${capacity.from}">Capacity</a>`,
    body: html`<div class="cap"><div class="ptime">${axisHead(shown.axis, shown.clock)}${projectRow(project, shown, true)}</div></div>`,
  };
}

function weekSwitch(at: string, { workspaceId, from, today }: Capacity, clock: ReturnType<typeof clockOf>): Content {
  const to = (monday: string) => `${at}?workspaceId=${workspaceId}&from=${monday}`;
  const now = mondayOf(today);
  const words = from === now ? 'From this week' : `From ${monthDay(from, clock)}`;
  return segments('Weeks', [
    { href: to(addDays(from, -7)), label: 'A week earlier', icon: 'chevron-left', iconOnly: true },
    { href: from === now ? to(now) : `${at}?workspaceId=${workspaceId}`, label: words, current: from === now },
    { href: to(addDays(from, 7)), label: 'A week later', icon: 'chevron-right', iconOnly: true },
  ]);
}

const filesMenu = (at: string, { workspaceId, from }: Capacity): Content =>
  menu(
    icon('ellipsis'),
    html`${option('People as CSV', { href: `${at}/people.csv?workspaceId=${workspaceId}&from=${from}`, icon: icon('download') })}${option('Projects as CSV', { href: `${at}/projects.csv?workspaceId=${workspaceId}&from=${from}`, icon: icon('download') })}`,
    { end: true, label: 'More: download people and projects', class: 'icon-pop' },
  );

const MOST_NAMED = 3;

function scopeMenu({ basePath }: PageRequest, workspaces: readonly ScopeChoice[], chosen: number, from?: string): Content {
  const to = (id: number) => `${basePath}${PATH}?workspaceId=${id}&from=${from ?? mondayOf(todayIn('UTC', Date.now()))}`;
  const names = workspaces.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = workspaces.length > names.length ? ` and ${workspaces.length - names.length} more` : '';
  const now = chosen === 0 ? 'All that I oversee' : (workspaces.find(({ id }) => id === chosen)?.name ?? 'This workspace');
  return menu(
    html`<span class="btn">${icon('layers', 's')}${now}${icon('chevron-down', 's')}</span>`,
    html`${option('All that I oversee', { href: to(0), current: chosen === 0, note: `${names.join(', ')}${more}` })}${workspaces.map(({ id, name }) => option(name, { href: to(id), current: id === chosen }))}`,
    { end: true, label: `Scope: ${now}` },
  );
}

/** One page of a list that is there whole; `name` is its parameter. */
function pageOf<T>(
  { query, basePath }: PageRequest,
  all: readonly T[],
  name: string,
  perPage: number,
): { rows: readonly T[]; links: Content } {
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.get(name)) || 1)));
  const to = (number: number, label: string) => {
    const next = new URLSearchParams(query);
    next.set(name, String(number));
    return html`<a href="${basePath}${PATH}?${next.toString()}">${label}</a>`;
  };
  const links =
    last > 1 &&
    html`<nav class="pager" aria-label="Pages of ${name}">${page > 1 && to(page - 1, `Previous ${name}`)} page ${page} of ${last} ${page < last && to(page + 1, `More ${name}`)}</nav>`;
  return { rows: all.slice((page - 1) * perPage, page * perPage), links };
}

/** The address is known to everybody: who may see no forecast is told who does. */
const nothingToOversee: Answer = {
  status: 403,
  title: 'Capacity',
  body: empty({
    icon: 'gauge',
    title: 'You oversee no workspace',
    text: 'Its owners and managers see the forecast of a workspace, and so does a member with time oversight: an owner gives it in the settings.',
  }),
};

/** The first look at a scope: a worker is at it. */
function beingComputed(request: PageRequest, workspaces: readonly ScopeChoice[], workspaceId: number): Answer {
  return {
    status: 503,
    title: 'The forecast is being computed',
    actions: scopeMenu(request, workspaces, workspaceId),
    body: html`<div role="status">${empty({
      icon: 'hourglass',
      title: 'Nobody has looked at this forecast today, so it is being worked out now',
      text: 'That takes a few seconds, longer for many thousand tasks.',
      action: linkButton(`${request.basePath}${PATH}?${request.query.toString()}`, 'Look again', { kind: 'primary', icon: 'refresh-cw' }),
    })}</div>`,
  };
}

function tooLarge(request: PageRequest, workspaces: readonly ScopeChoice[], workspaceId: number): Answer {
  return {
    title: 'Capacity',
    actions: scopeMenu(request, workspaces, workspaceId),
    body: html`<p>This forecast is too large for a page: ${workspaceId === 0 && 'choose a single workspace, or '}read it over the REST API.</p>`,
  };
}

export const capacityRoutes: PageRoute[] = [
  { method: 'GET', path: PATH, handle: show },
  ...capacityCsvRoutes,
  { method: 'GET', path: `${PATH}/projects/:projectId`, handle: showProject },
  { method: 'GET', path: `${PATH}/people/:personId`, handle: showWeek },
  { method: 'GET', path: `${PATH}/what-if`, handle: (request) => showWhatIf(request) },
  { method: 'POST', path: `${PATH}/what-if`, handle: saveWhatIf },
];
