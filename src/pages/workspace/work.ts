/** /workspaces/:id: the work of a workspace as list, board or timeline (behaviour §19, §26). */
import { type GoalTree, goalTree } from '../../overviews/workList/goalTree.ts';
import { listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import type { WorkBoard } from '../../overviews/workList/showBoard.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { menu, option } from '../frame/components/palette.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import { liveGet } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { typeIcons } from '../frame/sidebar.ts';
import { hereOf } from '../frame/submitted.ts';
import { typesLabel } from '../items/fields.ts';
import { boardBody, readBoardOf, unfoldedGroups } from './board.ts';
import { hiddenClasses } from './columnChooser.ts';
import { goalsBody } from './goals.ts';
import { bulkForm, hrefOf, type ListPage, mayChange, selectMode } from './list.ts';
import { isFiltered, type ListAddress, listAddress, listInput } from './listAddress.ts';
import { csvHref, MOST_IN_FILE } from './listCsv.ts';
import { listFilters } from './listFilters.ts';
import { countWords, firstLine, listGroups } from './listGroups.ts';
import { heads } from './listRows.ts';
import { viewsMenu } from './listViews.ts';
import { asOpened, mayWork } from './openWorkspace.ts';
import { rowTools } from './rowTools.ts';
import { readTimelineOf, timelineBody, timelineMeta } from './timeline.ts';
import { listedOf, timelinePage } from './timelinePage.ts';

async function show(request: PageRequest): Promise<Answer> {
  const asked = listAddress(request.query);
  const clock = clockOf(request);
  if (asked.view === 'board') return boardPage(request, await readBoardOf(request, asked, clock), clock);
  if (asked.view === 'timeline') return inTime(request, asked, clock);
  const input = listInput(Number(request.params.id), asked, clock.today);
  if (asked.view === 'tree') return goalsPage(request, await call(request, goalTree, input), clock);
  const found = await call(request, listWork, input);
  return pageOf(listPage(request, found, clock));
}

function listPage(request: PageRequest, found: WorkList, clock: ReturnType<typeof clockOf>): ListPage {
  const workspace = asOpened(request, found.membership);
  const address = { ...listAddress(request.query), type: found.type };
  const may = mayWork(workspace, found.type, 'write');
  return { request, workspace, address, found, clock, change: { at: workspace.at, back: hereOf(request), may, clock } };
}

function boardPage(request: PageRequest, found: WorkBoard, clock: ReturnType<typeof clockOf>): Answer {
  const page = { ...listPage(request, found, clock), found };
  return { ...headOf(page), meta: metaOf(unfoldedGroups(page)), ...boardBody(page) };
}

async function inTime(request: PageRequest, asked: ListAddress, clock: ReturnType<typeof clockOf>): Promise<Answer> {
  const found = await readTimelineOf(request, asked, clock);
  const page = timelinePage(listPage(request, listedOf(found, asked), clock), found);
  return { ...headOf(page), title: 'Timeline', meta: timelineMeta(page), ...(await timelineBody(page)) };
}

/** Readers who may not see goals get the list of another type. */
async function goalsPage(request: PageRequest, found: GoalTree, clock: ReturnType<typeof clockOf>): Promise<Answer> {
  const page = listPage(request, found, clock);
  const { goals } = found;
  if (goals === null) return pageOf({ ...page, address: { ...page.address, view: 'list' } });
  return pageOf(page, goals.length > 0 ? await goalsBody({ ...page, found: { ...found, goals } }) : null);
}

/** `rows` replaces the rows of the list. */
const pageOf = (page: ListPage, rows?: Content): Answer => ({
  ...headOf(page),
  body: html`<div id="work" class="list${hiddenClasses(page)}" data-rows>${selectMode(page)}${page.found.rows.length > 0 ? (rows ?? listed(page)) : nothing(page)}${bulkForm(page)}${rowTools(page)}</div>`,
});

function headOf(page: ListPage): Omit<Page, 'body'> {
  const { found, workspace } = page;
  return {
    title: typesLabel(found.type),
    sheets: found.type === 'goal' ? ['goals'] : [],
    follow: { workspaceId: workspace.id },
    crumbs: html`<a href="${workspace.at}"><span class="ws" aria-hidden="true">${[...workspace.name.trim()][0]?.toLocaleUpperCase('en')}</span><span class="vh-phone">${workspace.name}</span></a>`,
    meta: metaOf(found),
    actions: actionsOf(page),
    filters: listFilters(page),
  };
}

function metaOf({ groups }: Pick<WorkList, 'groups'>): Content {
  const count = groups.reduce((sum, one) => sum + one.count, 0);
  const hours = groups.reduce((sum, one) => sum + one.estimated, 0);
  const more = groups.some((one) => one.more);
  return html`${countWords({ count, more })}${hours > 0 && !more && html`<span class="vh-phone"> · ${estimate(hours)}</span>`}`;
}

function actionsOf(page: ListPage): Content {
  const { workspace, found } = page;
  const type = page.types && !page.types.includes(found.type) ? page.types[0]! : found.type;
  const tree = { href: hrefOf(page, { view: 'tree' }), label: 'Tree', icon: 'list-tree', current: page.address.view === 'tree' } as const;
  return html`${segments('View', [
    ...(type === 'goal' ? [tree] : []),
    { href: hrefOf(page, { view: 'list' }), label: 'List', icon: 'rows-3', current: page.address.view === 'list' },
    { href: hrefOf(page, { view: 'board' }), label: 'Board', icon: 'columns-3', current: page.address.view === 'board' },
    { href: hrefOf(page, { view: 'timeline' }), label: 'Timeline', icon: 'chart-gantt', current: page.address.view === 'timeline' },
  ])}${viewsMenu(page)}${page.address.view !== 'timeline' && moreMenu(page)}${mayWork(workspace, type, 'write') && linkButton(`${workspace.at}/new?type=${type}`, `New ${type}`, { kind: 'primary', icon: 'plus', key: 'N', wideOnly: true })}`;
}

const moreMenu = (page: ListPage): Content =>
  menu(
    icon('ellipsis'),
    option('Download as CSV', { href: csvHref(page), icon: icon('download'), note: `up to ${MOST_IN_FILE.toLocaleString('en')} rows` }),
    {
      label: 'More options',
      end: true,
      class: 'icon-pop',
    },
  );

function listed(page: ListPage): Content {
  const { found, address } = page;
  const { order } = found;
  const otherOrder = order.sort !== address.sort || order.group !== address.group || order.reverse !== address.reverse;
  return html`${otherOrder && notice('info', 'More than 10,000 items match, so they are sorted by due date. Add filters to sort or group them.')}
${heads(page)}
${listGroups(page)}
${pager(page)}`;
}

function pager(page: ListPage): Content {
  const { found, address } = page;
  if (found.next === null && address.after === '') return null;
  const link = (href: string, label: string) => linkButton(href, label, { attributes: liveGet('#work') });
  return html`<nav class="pager" aria-label="Pages">${address.after !== '' && link(hrefOf(page), 'First page')}${
    found.next !== null && link(hrefOf(page, { after: found.next }), 'Next 50')
  }</nav>`;
}

function nothing(page: ListPage): Content {
  const { found, address, workspace } = page;
  const { type } = found;
  if (address.after !== '') return empty({ icon: typeIcons[type], title: 'No more items', action: linkButton(hrefOf(page), 'First page') });
  if (isFiltered(address)) {
    const plain = { status: [], assignee: [], priority: [], due: [], within: [], mine: false, archived: false, search: '' };
    return html`${empty({
      icon: 'list-filter',
      title: `No ${typesLabel(type).toLowerCase()} match these filters`,
      text: 'Remove a filter, or clear all filters.',
      action: linkButton(hrefOf(page, plain), 'Clear filters', { icon: 'x' }),
    })}${firstLine(page)}`;
  }
  const may = mayChange(page);
  return html`${empty({
    icon: typeIcons[type],
    title: `No open ${typesLabel(type).toLowerCase()} yet`,
    text: may ? 'Add the first one below. A title is enough.' : 'Members with write access can add the first one.',
    ...(may && { action: linkButton(`${workspace.at}/new?type=${type}`, `New ${type}`, { icon: 'plus' }) }),
  })}${firstLine(page)}`;
}

export const workspaceRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id', handle: show }];
