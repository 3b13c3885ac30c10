/** /search. The palette (static/js/palette.ts) shows the same results on any page. */
import { type Everywhere, type FoundItem, type FoundPerson, searchEverywhere } from '../../overviews/searchEverywhere.ts';
import type { RecentItem } from '../../overviews/signedIn.ts';
import { avatar } from '../frame/components/avatar.ts';
import { empty } from '../frame/components/boxes.ts';
import { icon } from '../frame/components/icon.ts';
import { badge, kbd } from '../frame/components/marks.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call, ownPath } from '../frame/session.ts';
import { idIn, quantity, quoted, searchIn } from '../frame/widgets.ts';
import { typeLabel } from '../items/fields.ts';
import { type Command, commandsFor, firstCommands } from './commands.ts';
import { readingsOf, readingsPart } from './readings.ts';

const PALETTE = 8;
const PAGE = 50;
const nothing: Everywhere = { items: [], people: [], more: false };

async function show(request: PageRequest): Promise<Answer> {
  const { query, user, basePath } = request;
  const q = searchIn(query.get('q'));
  const archived = query.has('archived');
  const limit = query.has('palette') ? PALETTE : PAGE;
  const found = q === '' ? nothing : await call(request, searchEverywhere, { q, archived, limit });
  const at = idIn(query.get('in'));
  const back = ownPath(query.get('back') ?? '/', basePath);
  const commands = commandsFor(user, { q, at, back, items: found.items });
  const readings = await readingsOf(request, { q, at, back });
  const leads = readings?.leads === true;
  const shownCommands = commands.filter(({ label }) => !readings || !label.startsWith('New task “'));
  return {
    title: q === '' ? 'Search' : `Search: ${q}`,
    body: html`
<form method="get" action="${basePath}/search" role="search" aria-label="This page" class="search">
<label class="vh" for="q">Search items, people and pages</label>
<input class="input" type="search" id="q" name="q" maxlength="300" value="${q}" autofocus placeholder="Title, # and number, name or command" autocomplete="off">
<button class="btn primary">${icon('search', 's')}Search</button>
<label class="check"><input type="checkbox" name="archived"${archived && html` checked`}> Include archived items</label>
</form>
<div id="found">
<p class="hint" role="status">${q === '' ? 'Search items of all your workspaces, people, pages and commands.' : announcement(found)}</p>
${leads && readingsPart(readings)}
${q === '' && emptyParts(request, { at, back })}
${part('Items', found.items, (one) => work(request, one))}
${part('People', found.people, (one) => person(request, one))}
${q !== '' && part('Commands', shownCommands, (one) => command(request, one))}
${!leads && readings && readingsPart(readings)}
${q !== '' && found.items.length + found.people.length === 0 && empty({ icon: 'search', title: 'No items or people found', text: archived ? 'Try fewer or other words.' : 'Try fewer or other words, or include archived items.' })}
</div>`,
  };
}

function announcement({ items, people, more }: Everywhere): string {
  const work = more ? `First ${quantity(items.length, 'item')}. Add words to narrow the search.` : quantity(items.length, 'item');
  return people.length > 0 ? `${work}, ${quantity(people.length, 'person', 'people')}` : work;
}

const part = <Row>(title: string, all: readonly Row[], row: (one: Row) => Content): Content =>
  all.length > 0 && html`<section><h2>${title}</h2><ul class="found">${all.map((one) => html`<li>${row(one)}</li>`)}</ul></section>`;

/** Before anything is typed: the reader's last opened items, places and actions. */
function emptyParts(request: PageRequest, { at, back }: { at: number | null; back: string }): Content {
  const { places, actions } = firstCommands(request.user, { q: '', at, back, items: [] });
  const recent = ({ id, workspaceId, workspace, title }: RecentItem) =>
    html`<a class="opt" href="${request.basePath}/workspaces/${workspaceId}/items/${id}">${icon('history')}<span class="cut"><span class="num">${id}</span> ${title}</span><span class="up">${workspace}</span></a>`;
  const row = (one: Command) => command(request, one);
  return [part('Recent', request.user.frame?.recent ?? [], recent), part('Go to', places, row), part('Do', actions, row)];
}

const work = ({ basePath }: PageRequest, { id, workspaceId, workspace, type, title, status, statusLabel, archived }: FoundItem): Content =>
  html`<a class="opt" href="${basePath}/workspaces/${workspaceId}/items/${id}">${statusIcon({ status, label: statusLabel })}<span class="cut">${title}</span><span class="up">${typeLabel(type)} ${id} · ${workspace}</span>${archived && badge('plain', 'archive', 'Archived')}</a>`;

function person({ basePath }: PageRequest, { id, name, kind, workspaceId }: FoundPerson): Content {
  const href = workspaceId === null ? `/settings/people/${id}` : `/workspaces/${workspaceId}?type=task&assignee=${id}`;
  return html`<a class="opt" href="${basePath}${href}">${avatar({ id, name, kind })}<span class="cut">${name}</span><span class="up">${workspaceId === null ? 'Account' : 'Open tasks'}</span></a>`;
}

function command(request: PageRequest, { icon: name, label, key, href, post, script }: Command): Content {
  const inside = html`${icon(name)}<span class="cut">${quoted(label)}</span>${key && kbd(key)}`;
  if (post) return postForm(request, { action: post.action, hidden: post.hidden }, html`<button class="opt">${inside}</button>`);
  if (script) return html`<button class="opt" type="button" data-do="${script}" hidden>${inside}</button>`;
  return html`<a class="opt" href="${request.basePath}${href ?? '/'}">${inside}</a>`;
}

export const searchRoutes: PageRoute[] = [{ method: 'GET', path: '/search', handle: show }];
