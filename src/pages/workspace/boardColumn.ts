import type { ListRow } from '../../overviews/workList/listWork.ts';
import { type LimitedColumn, MOST_AT_FIRST, MOST_IN_COLUMN, MOST_IN_COUNT, type WorkBoard } from '../../overviews/workList/showBoard.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { cachedRows } from '../frame/cachedRows.ts';
import { collapsedColumn, column, emptyColumn, tile } from '../frame/components/board.ts';
import { iconButton, iconLink } from '../frame/components/button.ts';
import { icon } from '../frame/components/icon.ts';
import { labelChip, progressBar } from '../frame/components/marks.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { assigneeLink, changePath, dueLink, type InPlace, priorityLink } from '../items/inPlace.ts';
import { boardGroup, fieldOf, fullIn, unfoldedIn } from './boardAddress.ts';
import type { BoardColumn } from './boardColumns.ts';
import { isRemembered, layoutForm } from './boardLayout.ts';
import { hrefOf, type ListPage, mayChange } from './list.ts';
import { commonOf, waitsMark } from './listRows.ts';
import { quickAddForm } from './quickAdd.ts';

type BoardPage = ListPage & { found: WorkBoard };

const figures = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const countWords = ({ count, more }: BoardColumn['counted']): string =>
  `${figures.format(more ? Math.min(count, MOST_IN_COUNT) : count)}${more ? '+' : ''}`;

/** Opens or folds a column: a form that is remembered, or in a saved view a link. */
function unfolding(page: BoardPage, key: string, open: boolean, content: (how: { href?: string }) => Html): Html {
  const others = unfoldedIn(page.request.query).filter((one) => one !== key);
  const keys = [...others, ...(open ? [key] : [])];
  return isRemembered(page) ? layoutForm(page, { open: keys }, content({})) : content({ href: boardHref(page, keys) });
}

function boardHref(page: BoardPage, open: readonly string[], full = fullIn(page.request.query)): string {
  const href = hrefOf(page);
  const query = new URLSearchParams();
  for (const one of open) query.append('open', one);
  for (const one of full) query.append('more', one);
  return query.size === 0 ? href : `${href}${href.includes('?') ? '&' : '?'}${query}`;
}

export function boardColumn(page: BoardPage, one: BoardColumn): Content {
  const { key, title, sign, counted, folded, closed, closedTo } = one;
  const count = countWords(counted);
  if (folded) return unfolding(page, key, true, ({ href }) => collapsedColumn({ name: title, icon: sign, count, href }));
  const rows = page.found.rows.filter((row) => row.group === key);
  const card = cards(page, one);
  const rest = counted.count - rows.length;
  return column(
    {
      id: `col-${key || 'none'}`,
      name: title,
      icon: sign,
      count,
      wip: one.limited && wipOf(one.limited),
      sum: !one.limited && counted.estimated > 0 && !counted.more && estimate(counted.estimated),
      ...(closed && {
        action: unfolding(page, key, false, ({ href }) =>
          href === undefined
            ? iconButton('chevron-left', `Collapse ${title}`, { size: 's' })
            : iconLink(href, 'chevron-left', `Collapse ${title}`, { size: 's', attributes: liveGet('#work') }),
        ),
      }),
      add: html`${rest > 0 && more(page, one, rows.length)}${adding(page, one)}`,
      attributes: html` data-column="${key}" data-title="${title}"${closedTo && html` data-closed-to="${closedTo}"`}`,
    },
    rows.length > 0
      ? rows.map((row) => card(row))
      : emptyColumn(`No cards ${nothingIn(page, one)}`, mayChange(page) && !closedTo && 'Drag a card here.'),
  );
}

/** "5 of 4" items, "60 h of 40 h", both in one text. */
function wipOf({ wipItems, wipHours, count, hours }: LimitedColumn): { text: string; over: boolean } {
  const parts = [
    wipItems !== null && `${figures.format(count)} of ${figures.format(wipItems)}`,
    wipHours !== null && `${estimate(hours)} of ${estimate(wipHours)}`,
  ];
  return {
    text: parts.filter((part) => part !== false).join(', '),
    over: (wipItems !== null && count > wipItems) || (wipHours !== null && hours > wipHours),
  };
}

function nothingIn({ found }: BoardPage, { key, title }: BoardColumn): string {
  const { group } = found.order;
  if (group === 'status') return `with status ${title}`;
  if (group === 'label') return key === '' ? 'without label' : `labeled ${title}`;
  return `for ${title}`;
}

function more(page: BoardPage, { key, filter, counted }: BoardColumn, shown: number): Content {
  const { query } = page.request;
  const full = fullIn(query);
  if (shown === MOST_AT_FIRST && !full.includes(key)) {
    const href = boardHref(page, unfoldedIn(query), [...full, key]);
    return html`<p class="more"><a href="${href}"${liveGet('#work')}>Show ${Math.min(counted.count, MOST_IN_COLUMN) - shown} more</a></p>`;
  }
  const href = hrefOf(page, { view: 'list', ...filter });
  return html`<p class="more"><a href="${href}">${counted.more ? 'Show all in the list' : `Show ${figures.format(counted.count - shown)} more in the list`}</a></p>`;
}

function adding(page: BoardPage, { key, title, given }: BoardColumn): Content {
  const { request, workspace, found, change } = page;
  if (!given || !mayChange(page)) return null;
  const props = {
    context: request,
    path: workspace.path,
    type: found.type,
    id: `col-${key || 'none'}`,
    where: title,
    given,
    back: change.back,
  };
  return html`<details class="adding" id="add-${key || 'none'}"><summary class="addt">${icon('plus', 's')}Add a ${found.type}</summary>${quickAddForm(props)}</details>`;
}

/** HTML that all cards of a column share is made once, and cards get only the values they show: a page has hundreds of cards. */
function cards(page: BoardPage, { key }: BoardColumn): (row: ListRow) => Html {
  const { found, workspace, change } = page;
  const ctx = { ...change, may: mayChange(page) };
  const field = fieldOf[boardGroup({ group: found.order.group })];
  const keyed = field === 'status' && html` data-key="s"`;
  return cachedRows<ListRow>(['card', ...commonOf(page), field, key], (row) => {
    const { id, title, up, status, blockedReason, due, targetDate, estimatedHours, assignee = null } = row;
    const date = due ?? targetDate ?? null;
    const closed = closedStatuses.includes(status);
    const held = !ctx.may || (field === 'status' && status === 'pending_approval');
    return tile({
      item: id,
      number: id,
      title,
      href: `${workspace.at}/items/${id}`,
      context: up?.title,
      priority: found.order.group !== 'priority' && priorityOf(page, row, ctx),
      why: status === 'blocked' && blockedReason,
      progress: html`${tileLabels(row)}${begun(row)}`,
      foot: html`${date !== null && dueLink({ id, title, date, closed, field: due === undefined ? 'target' : 'due' }, ctx)}${estimatedHours !== undefined && html`<span>${estimate(estimatedHours)}</span>`}${assigneeLink({ id, title, assignee }, ctx)}`,
      menu:
        !held &&
        html`<a class="chg move icon-btn" href="${field === 'label' ? `${change.at}/items/${id}/labels` : changePath(change.at, id, field)}"${keyed} aria-label="Move ${title}" title="Move">${icon('ellipsis', 's')}</a>`,
      attributes: html` id="card-${id}" data-version="${row.version}" data-in="${key}"${held && html` data-held`}`,
      ...(closed && { class: 'done' }),
    });
  });
}

function tileLabels({ labels = [], waitsFor }: ListRow): Content {
  if (labels.length === 0 && waitsFor === undefined) return null;
  return html`<p class="tags">${waitsFor !== undefined && waitsMark(waitsFor)}${labels.map(labelChip)}</p>`;
}

function priorityOf({ found }: BoardPage, { id, title, priorityKey }: ListRow, ctx: InPlace): Content {
  const priority = found.options.priorities.find(({ key }) => key === priorityKey);
  return priority && !priority.default && priorityLink({ id, title, priority }, ctx);
}

function begun({ progressPercent, status, below }: ListRow): Content {
  if (below && below.total > 0)
    return progressBar(
      { done: below.done, inProgress: 0, total: below.total },
      `${below.done} of ${below.total}${below.more ? '+' : ''} done`,
    );
  const percent = progressPercent ?? 0;
  if (percent <= 0 || closedStatuses.includes(status)) return null;
  return progressBar({ done: percent, inProgress: 0, total: 100 }, `${percent} % done`);
}
