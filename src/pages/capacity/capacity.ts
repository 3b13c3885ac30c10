/** /capacity: who has how much to do in the coming weeks, and whether projects will meet their targets (behaviour §6). */
import { listScopes, type ScopeChoice } from '../../capacity/listScopes.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { parseInput } from '../../operations/input.ts';
import { outputOf } from '../../operations/json.ts';
import { perform } from '../../operations/perform.ts';
import { mondayOf, todayIn } from '../../values/dates.ts';
import { AppError } from '../../values/errors.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { option, weekLinks } from '../frame/widgets.ts';
import { peopleTable } from './people.ts';
import { outlooks, projectCard, worstFirst } from './projects.ts';

const PATH = '/capacity';
const PEOPLE_PER_PAGE = 50;
const PROJECTS_PER_PAGE = 20;
/** A forecast is read whole for a page: beyond this one would hold up everybody else (behaviour §12.17). */
const MOST_CHARACTERS = 8 * 1024 * 1024;

async function show(request: PageRequest): Promise<Answer> {
  const { deps, caller, query } = request;
  const asked = { workspaceId: Number(query.get('workspaceId') ?? 0), from: query.get('from') || undefined };
  const input = parseInput(deps.capacity.input, asked);
  const { workspaces } = outputOf(await perform(deps.db, caller, listScopes, {}));
  if (!workspaces.length && input.workspaceId === 0) return nothingToOversee;
  try {
    const answer = outputOf(await perform(deps.db, caller, deps.capacity, input));
    const capacity = await answer.parse(MOST_CHARACTERS);
    return capacity ? forecastPage(request, workspaces, capacity) : tooLarge(request, workspaces, input.workspaceId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable' || error.cause) throw error;
    request.ctx.set('Retry-After', String(error.details.retryAfter));
    return beingComputed(request, workspaces, input.workspaceId);
  }
}

function forecastPage(request: PageRequest, workspaces: readonly ScopeChoice[], capacity: Capacity): Answer {
  const { deps } = request;
  const { workspaceId, from, projects, people } = capacity;
  const href = workspaceId ? (id: number) => `${deps.config.basePath}/workspaces/${workspaceId}/items/${id}` : null;
  const shownPeople = pageOf(request, people, 'people', PEOPLE_PER_PAGE);
  const shownProjects = pageOf(request, worstFirst(projects), 'projects', PROJECTS_PER_PAGE);
  return {
    title: 'Capacity',
    body: html`${scopeForm(request, workspaces, workspaceId, from)}
<p class="muted">${capacity.scopeNote} Working days are Monday to Friday, days are UTC; today is ${capacity.today}.</p>
<h2>People, eight weeks from ${from}</h2>
${weekLinks(request, PATH, from, 'from', `&workspaceId=${workspaceId}`)}
${people.length ? peopleTable(shownPeople.rows, capacity) : html`<p>Nobody has work here.</p>`}
${shownPeople.links}
<h2>Projects</h2>
${projects.length ? html`<p>${summary(projects)}</p>${shownProjects.rows.map((project) => projectCard(project, href))}` : html`<p>No open release, requirement or milestone is here.</p>`}
${shownProjects.links}`,
  };
}

function scopeForm({ deps }: PageRequest, workspaces: readonly ScopeChoice[], chosen: number, from?: string): Content {
  return html`<form method="get" action="${deps.config.basePath}${PATH}" class="filters">
<label>Scope <select name="workspaceId">${option('0', 'All that I oversee', String(chosen))}${workspaces.map(({ id, name }) => option(String(id), name, String(chosen)))}</select></label>
<label>From the week of <input type="date" name="from" value="${from ?? mondayOf(todayIn('UTC', Date.now()))}"></label>
<button class="secondary">Show</button></form>`;
}

function summary(projects: Capacity['projects']): string {
  const counts = Object.entries(outlooks).map(
    ([outlook, words]) => [projects.filter((one) => one.outlook === outlook).length, words] as const,
  );
  return `${projects.length} in all: ${counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words.toLowerCase()}`)
    .join(', ')}. The worst come first.`;
}

/** One page of a list that is there whole; `name` is its parameter. */
function pageOf<T>({ query, deps }: PageRequest, all: readonly T[], name: string, perPage: number): { rows: readonly T[]; links: Content } {
  const last = Math.max(1, Math.ceil(all.length / perPage));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.get(name)) || 1)));
  const to = (number: number, label: string) => {
    const next = new URLSearchParams(query);
    next.set(name, String(number));
    return html`<a href="${deps.config.basePath}${PATH}?${next.toString()}">${label}</a>`;
  };
  const links =
    last > 1 &&
    html`<nav class="pager" aria-label="Pages of ${name}">${page > 1 && to(page - 1, `Previous ${name}`)} page ${page} of ${last} ${page < last && to(page + 1, `More ${name}`)}</nav>`;
  return { rows: all.slice((page - 1) * perPage, page * perPage), links };
}

/** The navigation leads everybody here: who may see no forecast is told who does. */
const nothingToOversee: Answer = {
  status: 403,
  title: 'Capacity',
  body: html`<p>You oversee no workspace. Its owners and managers see the forecast of a workspace, and so does a member with time oversight: an owner gives it in the settings.</p>`,
};

/** The first look at a scope: a worker is at it. */
function beingComputed(request: PageRequest, workspaces: readonly ScopeChoice[], workspaceId: number): Answer {
  return {
    status: 503,
    title: 'The forecast is being computed',
    body: html`<p role="status">Nobody has looked at this forecast today, so it is being worked out now. That takes a few seconds, longer for many thousand tasks.</p>
<p><a role="button" href="${request.deps.config.basePath}${PATH}?${request.query.toString()}">Look again</a></p>
${scopeForm(request, workspaces, workspaceId)}`,
  };
}

function tooLarge(request: PageRequest, workspaces: readonly ScopeChoice[], workspaceId: number): Answer {
  return {
    title: 'Capacity',
    body: html`<p>This forecast is too large for a page: ${workspaceId === 0 && 'choose a single workspace, or '}read it over the REST API.</p>
${scopeForm(request, workspaces, workspaceId)}`,
  };
}

export const capacityRoutes: PageRoute[] = [{ method: 'GET', path: PATH, handle: show }];
