import type { ItemType } from '../../access/rights.ts';
import type { Work } from '../../items/schema.ts';
import { type ListRow, listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import { currentSeries } from '../../recurring/schema.ts';
import { clockOf } from '../frame/clock.ts';
import { iconLink, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, menuLine, option } from '../frame/components/palette.ts';
import { type Content, html } from '../frame/html.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { postForm } from '../frame/postForm.ts';
import { call } from '../frame/session.ts';
import { starButton } from '../frame/star.ts';
import { listAddress, listInput } from '../workspace/listAddress.ts';
import { hasOtherWorkspace, keepsTemplates, mayWork, type OpenWorkspace } from '../workspace/openWorkspace.ts';
import { typeLabel, typesLabel } from './fields.ts';
import { type ItemPage, inListOf, lengthOf, placeOf } from './pageOf.ts';

export function crumbsTo(workspace: OpenWorkspace, type: ItemType, query?: string | null): Content {
  const list = query || `type=${type}`;
  return html`<a href="${workspace.at}"><span class="ws" aria-hidden="true">${[...workspace.name][0]}</span><span class="vh-phone">${workspace.name}</span></a><span class="at-wide" aria-hidden="true">/</span><a class="at-wide" href="${workspace.at}?${list}">${typesLabel(type)}</a>`;
}

export const crumbsToItem = (workspace: OpenWorkspace, { type, id }: Pick<Work, 'type' | 'id'>): Content =>
  html`${crumbsTo(workspace, type)}<span aria-hidden="true">/</span><a href="${workspace.at}/items/${id}">${typeLabel(type)} ${id}</a>`;

export function placePart({ request, list }: ItemPage): Content {
  const place = list ? placeOf(request) : null;
  return place && html`<span class="at-wide">${place.n} of ${place.of}</span>`;
}

export function actionsOf(page: ItemPage): Content {
  const { opened, request, list } = page;
  const { item, workspace, at } = opened;
  const place = placeOf(request);
  const type = item.type;
  const beside = (go: string, sign: 'chevron-up' | 'chevron-down', label: string, key: string) =>
    list && iconLink(`${at}/beside${list}&go=${go}`, sign, label, { key, class: 'at-wide' });
  return html`${starButton(request, { workspaceId: workspace.id, kind: 'item', id: item.id }, `this ${type}`)}${place?.n !== 1 && beside('previous', 'chevron-up', `Previous ${type}`, 'K')}${beside('next', 'chevron-down', `Next ${type}`, 'J')}${
    mayWork(workspace, type, 'write') &&
    linkButton(`${at}/edit`, 'Edit', { icon: 'pencil', key: 'E', iconOnPhone: true, attributes: html` data-edit-all` })
  }${moreMenu(page)}`;
}

function moreMenu(page: ItemPage): Content {
  const { opened, request } = page;
  const { item, workspace } = opened;
  const address = `${new URL(request.ctx.href).origin}${opened.at}`;
  const below = item.type === 'task' && mayWork(workspace, 'task', 'write');
  const panel = html`<button class="opt" type="button" data-copy="item-address" hidden>${icon('link')}<span class="cut">Copy link</span></button><span id="item-address" hidden>${address}</span>
${mayWork(workspace, item.type, 'write') && option('Edit all fields', { icon: icon('pencil'), href: `${opened.at}/edit` })}${watchForm(page)}${mayWork(workspace, item.type, 'write') && copyOptions(page)}${below && option('New subtask', { icon: icon('plus'), href: `${workspace.at}/new?type=task&parentItemId=${item.id}` })}${mayWork(workspace, item.type, 'delete') && html`${menuLine}${hasOtherWorkspace(request.user) && option('Move to workspace…', { icon: icon('arrow-right'), href: `${workspace.at}/move?ids=${item.id}` })}${archiveForm(page)}`}`;
  return menu(icon('ellipsis'), panel, { label: 'More actions', end: true, class: 'icon-pop' });
}

const copyOptions = ({ opened: { item, at, series, workspace } }: ItemPage): Content =>
  html`${option('Duplicate…', { icon: icon('copy'), href: `${at}/duplicate` })}${
    item.type === 'task' && option(currentSeries(series) ? 'Change repeat…' : 'Repeat…', { icon: icon('repeat'), href: `${at}/repeat` })
  }${keepsTemplates(workspace) && option('Save as template…', { icon: icon('layout-template'), href: `${at}/template` })}`;

function watchForm({ request, opened: { item, workspace, watching }, listFields }: ItemPage): Content {
  const action = `${workspace.path}/items/${item.id}/watch`;
  const hidden = { watching: watching ? 'no' : 'yes', ...listFields };
  const [sign, words] = watching ? (['bell-off', 'Unwatch'] as const) : (['bell', 'Watch'] as const);
  return postForm(request, { action, hidden, live: '#work', class: 'plain' }, option(words, { icon: icon(sign) }));
}

/** Asks first: archiving can be undone, but the item disappears from the page. */
function archiveForm({ request, opened: { item, workspace } }: ItemPage): Content {
  const confirm = `Archive this ${item.type}? It and its subitems are hidden from lists until you restore it.`;
  const action = `${workspace.path}/items/${item.id}/archive`;
  const form = { action, once: true, hidden: { version: item.version }, confirm, class: 'plain' };
  return postForm(request, form, option('Archive', { icon: icon('archive') }));
}

// /workspaces/:id/items/:itemId/beside: redirects to the item before or after it in the list (behaviour §21.3).

/** Rows per read, and maximum number of reads. */
const PAGE = 200;
const MOST_PAGES = 5;

interface Place {
  row: ListRow;
  n: number;
  of: string;
}

async function goBeside(request: PageRequest): Promise<Answer> {
  const { params, query } = request;
  const list = query.get('in') ?? '';
  const found = await besideIn(request, list, query.get('go') === 'previous' ? -1 : 1);
  if (!found) return { redirect: `/workspaces/${params.id}?${new URLSearchParams(list).toString()}` };
  return { redirect: `/workspaces/${params.id}/items/${found.row.id}${inListOf(list, found)}` };
}

/** Null at the end of the list, or if the list no longer contains the item. */
async function besideIn(request: PageRequest, list: string, step: 1 | -1): Promise<Place | null> {
  const id = Number(request.params.itemId);
  const address = { ...listAddress(new URLSearchParams(list)), after: '' };
  const rows: ListRow[] = [];
  let after: string | null = '';
  for (let page = 0; page < MOST_PAGES && after !== null; page++) {
    const input: object = { ...listInput(Number(request.params.id), { ...address, after }, clockOf(request).today), limit: PAGE };
    const found: WorkList = await call(request, listWork, input);
    rows.push(...found.rows);
    const at = rows.findIndex((row) => row.id === id);
    const beside = at < 0 ? undefined : rows[at + step];
    if (beside) return { row: beside, n: at + step + 1, of: lengthOf(found.groups) };
    if (at >= 0 && at + step < 0) return null;
    after = found.next;
  }
  return null;
}

export const besideRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/items/:itemId/beside', bare: true, handle: goBeside }];
