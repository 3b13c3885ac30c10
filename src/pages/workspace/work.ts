/** /workspaces/:id: the work of a workspace as list, board or timeline (behaviour §19, §26). */
import { type GoalTree, goalTree } from '../../overviews/workList/goalTree.ts';
import { listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import type { WorkBoard } from '../../overviews/workList/showBoard.ts';
import { clockOf } from '../frame/clock.ts';
import { empty, notice, segments } from '../frame/components/boxes.ts';
import { iconButton, linkButton } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import type { IconName } from '../frame/components/icons.ts';
import { menu, menuLine, menuTitle, option } from '../frame/components/palette.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import type { Page } from '../frame/layout.ts';
import { liveGet } from '../frame/live.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { typeIcons } from '../frame/sidebar.ts';
import { typesLabel } from '../items/fields.ts';
import { boardBody, readBoardOf, unfoldedGroups } from './board.ts';
import { withLayout } from './boardAddress.ts';
import { hiddenClasses } from './columnChooser.ts';
import { filterButton } from './filterSheet.ts';
import { goalsBody } from './goals.ts';
import { bulkForm, hrefOf, type ListPage, listPage, mayChange, selectSeveral } from './list.ts';
import { isFiltered, type ListAddress, listAddress, listInput, type View } from './listAddress.ts';
import { csvHref, MOST_IN_FILE } from './listCsv.ts';
import { listFilters, noMatches, timelineMoves } from './listFilters.ts';
import { countWords, firstLine, listGroups, sumOf } from './listGroups.ts';
import { heads } from './listRows.ts';
import { viewOptions, viewsMenu } from './listViews.ts';
import { mayWork } from './openWorkspace.ts';
import { rowTools } from './rowTools.ts';
import { readTimelineOf, timelineBody, timelineMeta } from './timeline.ts';
import { listedOf, timelinePage } from './timelinePage.ts';

async function show(sent: PageRequest): Promise<Answer> {
  const request = withLayout(sent);
  const asked = listAddress(request.query);
  const clock = clockOf(request);
  if (asked.view === 'board') return boardPage(request, await readBoardOf(request, asked, clock), clock);
  if (asked.view === 'timeline') return inTime(request, asked, clock);
  const input = listInput(Number(request.params.id), asked, clock.today);
  if (asked.view === 'tree') return goalsPage(request, await call(request, goalTree, input), clock);
  const found = await call(request, listWork, input);
  return pageOf(listPage(request, found, clock));
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
  body: html`<div id="work" class="list${hiddenClasses(page)}" data-rows>${page.found.rows.length > 0 ? (rows ?? listed(page)) : nothing(page)}${bulkForm(page)}${rowTools(page)}</div>`,
});

function headOf(page: ListPage): Omit<Page, 'body'> {
  const { found, workspace } = page;
  return {
    title: typesLabel(found.type),
    sheets: found.type === 'goal' ? ['measure', 'goals'] : [],
    scripts: ['touch'],
    follow: { workspaceId: workspace.id },
    crumbs: html`<a href="${workspace.at}"><span class="ws" aria-hidden="true">${[...workspace.name.trim()][0]?.toLocaleUpperCase('en')}</span><span class="vh-phone">${workspace.name}</span></a>`,
    meta: metaOf(found),
    view: viewMenu(page),
    actions: actionsOf(page),
    filters: listFilters(page),
  };
}

function metaOf({ groups }: Pick<WorkList, 'groups'>): Content {
  const all = sumOf(groups);
  return html`${countWords(all)}${all.estimated > 0 && !all.more && html`<span class="vh-phone"> · ${estimate(all.estimated)}</span>`}`;
}

const views: readonly { view: View; label: string; icon: IconName }[] = [
  { view: 'tree', label: 'Tree', icon: 'list-tree' },
  { view: 'list', label: 'List', icon: 'rows-3' },
  { view: 'board', label: 'Board', icon: 'columns-3' },
  { view: 'timeline', label: 'Timeline', icon: 'chart-gantt' },
];

const typeToAdd = ({ types = [], found: { type } }: ListPage) => (types.includes(type) ? type : (types[0] ?? type));

const viewsOf = (page: ListPage) =>
  views
    .filter(({ view }) => view !== 'tree' || typeToAdd(page) === 'goal')
    .map(({ view, ...words }) => ({ ...words, href: hrefOf(page, { view }), current: page.address.view === view }));

function actionsOf(page: ListPage): Content {
  const { workspace, address } = page;
  const type = typeToAdd(page);
  const search = iconButton('search', 'Find in this list', { type: 'button', size: 'l', class: 'at-narrow', attributes: html` data-seek` });
  return html`${segments('View', viewsOf(page))}${viewsMenu(page)}${search}${filterButton(page)}${address.view !== 'timeline' && moreMenu(page)}${mayWork(workspace, type, 'write') && linkButton(`${workspace.at}/new?type=${type}`, `New ${type}`, { kind: 'primary', icon: 'plus', key: 'N', wideOnly: true })}`;
}

/** On phones: the view, what the timeline shows, and saved views. */
function viewMenu(page: ListPage): Page['view'] {
  const all = viewsOf(page);
  const now = all.find(({ current }) => current)?.label.toLowerCase() ?? 'list';
  const choices = all.map(({ label, href, icon: sign, current }) => option(label, { href, current, icon: icon(sign, 's') }));
  const saved = viewOptions(page);
  return {
    label: `${typesLabel(page.found.type)} of ${page.workspace.name}, ${now} view. Change view`,
    panel: html`${menuTitle('View')}${choices}${page.address.view === 'timeline' && html`${menuLine}<div class="moves">${timelineMoves(page)}</div>`}${
      saved.length > 0 && html`${menuLine}${menuTitle('Saved views')}${saved}`
    }`,
  };
}

const moreMenu = (page: ListPage): Content =>
  menu(
    icon('ellipsis'),
    html`${selectSeveral(page)}${option('Download as CSV', { href: csvHref(page), icon: icon('download'), note: `up to ${MOST_IN_FILE.toLocaleString('en')} rows` })}`,
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
    return html`${noMatches(page, typesLabel(type).toLowerCase())}${firstLine(page)}`;
  }
  const may = mayChange(page);
  return html`${empty({
    icon: typeIcons[type],
    title: `No open ${typesLabel(type).toLowerCase()} yet`,
    text: may ? 'Add the first one below. A title is enough.' : 'Members with write access can add the first one.',
    ...(may && {
      action: html`${linkButton(`${workspace.at}/new?type=${type}`, `New ${type}`, { icon: 'plus' })}${
        (workspace.role === 'owner' || workspace.role === 'manager') && linkButton(`${workspace.at}/settings/import`, 'Import a file')
      }`,
    }),
  })}${firstLine(page)}`;
}

export const workspaceRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id', handle: show }];
