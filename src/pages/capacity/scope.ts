/** The menu of scopes, and /capacity/scopes for users with many workspaces (behaviour §24.8). */
import { CAPACITY_RIGHTS, holds } from '../../access/rights.ts';
import type { Capacity } from '../../capacity/schema.ts';
import { listOverseen, type Overseen } from '../../capacity/snapshots/getCapacityPage.ts';
import { mondayOf, todayIn } from '../../values/dates.ts';
import type { Clock } from '../frame/clock.ts';
import { empty } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, menuLine, option } from '../frame/components/palette.ts';
import { longDay } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { quantity, searchIn } from '../frame/widgets.ts';

/** `id`: 0 for all workspaces. */
interface Chosen {
  id: number;
  name: string | null;
}

const MOST_NAMED = 3;
const EVERYTHING = 'All my workspaces';
const thisWeek = () => mondayOf(todayIn('UTC', Date.now()));

const nameOf = ({ id, name }: Chosen): string => (id === 0 ? EVERYTHING : (name ?? 'This workspace'));

/** Scope and day, in print, which has no menu. */
export const scopeOnPaper = (chosen: Chosen, clock: Clock): Content =>
  html`<span class="on-paper">${nameOf(chosen)} · ${longDay(clock.today, clock)}</span>`;

/** Uses only workspaces that the sidebar has read, so its cost is constant. */
export function scopeMenu(request: PageRequest, chosen: Chosen, from = thisWeek()): Html {
  const { basePath, user } = request;
  const { workspaces = [], moreWorkspaces = false } = user.frame ?? {};
  const to = (id: number) => `${basePath}/capacity?workspaceId=${id}&from=${from}`;
  const overseen = workspaces.filter(({ rights }) => holds(rights, CAPACITY_RIGHTS));
  const now = nameOf(chosen);
  const apart = chosen.id > 0 && !overseen.some(({ id }) => id === chosen.id) && [{ id: chosen.id, name: now }];
  return menu(
    html`<span class="btn">${icon('layers', 's')}<span class="cut">${now}</span>${icon('chevron-down', 's')}</span>`,
    html`${option(EVERYTHING, { href: to(0), current: chosen.id === 0, note: summed(overseen, moreWorkspaces) })}${[...(apart || []), ...overseen].map(({ id, name }) => option(name, { href: to(id), current: id === chosen.id }))}${moreWorkspaces && html`${menuLine}${option('Other workspace', { href: `${basePath}/capacity/scopes?from=${from}`, icon: icon('search') })}`}`,
    { end: true, label: `Scope: ${now}` },
  );
}

function summed(overseen: readonly Overseen[], more: boolean): string {
  const names = overseen.slice(0, MOST_NAMED).map(({ name }) => name);
  const rest = overseen.length - names.length;
  return `${names.join(', ')}${more ? ' and more' : rest > 0 ? ` and ${rest} more` : ''}`;
}

async function showScopes(request: PageRequest): Promise<Answer> {
  const { query, basePath } = request;
  const q = searchIn(query.get('q'));
  const day = query.get('from') ?? '';
  const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : thisWeek();
  const { workspaces, more } = await call(request, listOverseen, { q });
  return {
    title: 'Capacity of a workspace',
    crumbs: html`<a href="${basePath}/capacity?from=${from}">Capacity</a>`,
    body: html`<form method="get" action="${basePath}/capacity/scopes" role="search" aria-label="Projects" class="search">
<input type="hidden" name="from" value="${from}">
<label class="vh" for="q">Search workspaces</label>
<input class="input" type="search" id="q" name="q" maxlength="300" value="${q}" placeholder="Part of the name" autocomplete="off">
<button class="btn primary">${icon('search', 's')}Search</button>
</form>
<div id="found"><p class="hint" role="status">${countText(workspaces.length, more)}</p>
${workspaces.length > 0 ? html`<ul class="found">${workspaces.map((one) => choice(one, `${basePath}/capacity?workspaceId=${one.id}&from=${from}`))}</ul>` : none(q)}</div>`,
  };
}

const choice = ({ name }: Overseen, href: string): Content => html`<li>${option(name, { href, icon: icon('layers') })}</li>`;

const countText = (count: number, more: boolean): string =>
  more ? `Only the first ${count} are shown. Search by name to find others.` : quantity(count, 'workspace');

const none = (q: string): Content =>
  empty({
    icon: 'gauge',
    title: q === '' ? 'You cannot see the capacity of any workspace' : 'No matching workspace',
    text: q === '' ? 'Owners and managers see the forecast of a workspace. Ask an owner for access.' : 'Try another part of the name.',
  });

export const scopeRoutes: PageRoute[] = [{ method: 'GET', path: '/capacity/scopes', handle: showScopes }];

// Fits a forecast on one printed sheet: smaller with more rows (print.css).

/** CSS pixels: the height of a landscape sheet, and of the parts on it. */
const SHEET = 690;
const plain = { rest: 300, person: 42, project: 62 };
const dense = { rest: 260, person: 17, project: 19 };

export function paperClass(people: number, projects: number): string {
  const scaleOf = ({ rest, person, project }: typeof plain) => SHEET / (rest + person * people + project * projects);
  const much = scaleOf(plain) < 0.6;
  const percent = Math.min(100, Math.max(30, 5 * Math.floor(20 * scaleOf(much ? dense : plain))));
  return `fit-${percent}${much ? ' dense' : ''}`;
}

/** Parsing a longer forecast would block other requests (behaviour §12.17). */
const MOST_CHARACTERS = 4 * 1024 * 1024;

export const capacityQuery = (query: URLSearchParams) => ({
  workspaceId: Number(query.get('workspaceId') ?? 0),
  from: query.get('from') || undefined,
});

/** Undefined if it is too large for a page. Throws Unavailable while it is computed. */
export async function readCapacity(request: PageRequest): Promise<Capacity | undefined> {
  const answer = await call(request, request.deps.capacity, capacityQuery(request.query));
  return answer.parse(MOST_CHARACTERS);
}
