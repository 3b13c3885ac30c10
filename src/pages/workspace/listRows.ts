import type { ItemType } from '../../access/rights.ts';
import type { ListRow, SortColumn } from '../../overviews/workList/listWork.ts';
import { valueAt } from '../../values/records.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { cachedRows } from '../frame/cachedRows.ts';
import { icon } from '../frame/components/icon.ts';
import { badge, labelChip } from '../frame/components/marks.ts';
import { pick, row } from '../frame/components/row.ts';
import type { Approval } from '../frame/components/status.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { liveGet } from '../frame/live.ts';
import { typeLabel } from '../items/fields.ts';
import { statusLink } from '../items/inPlace.ts';
import { inListsOf, lengthOf } from '../items/pageOf.ts';
import { hrefOf, type ListPage, mayChange } from './list.ts';
import { queryOf } from './listAddress.ts';
import { columnsOf, type ListColumn } from './listColumns.ts';

/** Each type has its own columns, also on phones (list.css). */
export const rowsClass = (type: ItemType): string => `rows-${type}`;

/** All data of the page that rows, cards and timeline rows use. */
export function commonOf({ workspace, found, change, clock, address }: ListPage): readonly unknown[] {
  const { statuses, priorities } = found.options;
  const { today, zone, locale } = clock;
  return [workspace.at, workspace.rights, change.may, address.archived, found.type, statuses, priorities, today, zone, locale];
}

/** Values that all rows share are computed once. */
export function listRow(page: ListPage, columns: readonly ListColumn[]): (item: ListRow) => Html {
  // The length is known on the first page only. On other pages it is counted when the reader goes to the next item.
  const length = page.address.after === '' ? lengthOf(page.found.groups) : null;
  const inList = inListsOf(queryOf(page.address).slice(1), length);
  const places = new Map(page.found.rows.map(({ id }, at) => [id, at + 1]));
  const common = [...commonOf(page), columns.map(({ kind }) => kind), queryOf(page.address), length];
  const row = cachedRows<Placed>(['row', ...common], ({ item, place }) => rowOf(page, columns, item, inList(place)));
  return (item) => row({ item, place: valueAt(places, item.id) });
}

interface Placed {
  item: ListRow;
  place: number;
}

function rowOf(page: ListPage, columns: readonly ListColumn[], item: ListRow, inList: string): Html {
  const { workspace, found, change } = page;
  const { id, title, type, status, version, up } = item;
  const label = found.options.statuses.find(({ key }) => key === item.statusKey)?.label ?? item.statusKey;
  return row({
    item: id,
    pick: mayChange(page) && pick({ value: id, version, label: `Select ${type} ${id}` }),
    status: statusLink({ id, title, status, label, approval: approvalOf(item) }, { ...change, may: mayChange(page) }),
    number: id,
    title,
    href: `${workspace.at}/items/${id}${inList}`,
    context: up?.title,
    why: status === 'blocked' && item.blockedReason,
    tags: rowTags(item),
    cells: columns.map(({ kind, cell }) => ({ kind, content: cell(item, page) })),
    ...(closedStatuses.includes(status) && { class: 'done' }),
  });
}

function approvalOf({ status, approval }: ListRow): Approval | null {
  if (status === 'pending_approval') return 'pending';
  if (approval === 'approved') return 'approved';
  return approval === 'rejected' ? 'rejected' : null;
}

/** Its labels, and what keeps it from starting. */
function rowTags(item: ListRow): Content {
  const { labels = [], waitsFor } = item;
  const waits = waitsFor !== undefined && waitsMark(waitsFor);
  const own = tagsOf(item);
  return (own || waits || labels.length > 0) && html`${own}${waits}${labels.map(labelChip)}`;
}

export const waitsMark = (count: number): Content => badge('amber', 'hourglass', `Waits for ${count === 1 ? '1 item' : `${count} items`}`);

function tagsOf({ archived, changedSinceApproval, type, status, approval }: ListRow): Content {
  if (archived) return badge('plain', 'archive', 'Archived');
  if (changedSinceApproval) return badge('amber', 'triangle-alert', 'Changed since approval');
  if (type !== 'requirement' || closedStatuses.includes(status)) return null;
  if (status === 'pending_approval') return badge('amber', 'hourglass', 'Waiting for approval');
  if (approval === 'approved') return badge('accent', 'circle-check', 'Approved');
  return approval === 'rejected' ? badge('red', 'circle-x', 'Rejected') : null;
}

/** Column headings that sort; the current one reverses the order. */
export function heads(page: ListPage): Content {
  const { found } = page;
  const all = [
    { kind: 'num', label: 'No.', sort: 'id' as const },
    { kind: 't', label: typeLabel(found.type), sort: 'title' as const },
    ...columnsOf(page),
  ];
  return html`<ul class="heads ${rowsClass(found.type)}" aria-label="Sort by">${all.map((column) => html`<li class="c-${column.kind}">${head(page, column)}</li>`)}</ul>`;
}

function head(page: ListPage, { kind, label: words, sort }: { kind: string; label: string; sort?: SortColumn }): Content {
  const label = kind === 'who' ? html`${icon('user', 's')}<span class="vh">${words}</span>` : words;
  if (sort === undefined) return html`<span>${label}</span>`;
  const { order } = page.found;
  const here = order.sort === sort;
  const href = hrefOf(page, { sort, reverse: here && !order.reverse });
  const said =
    here && html`${icon(order.reverse ? 'arrow-up' : 'arrow-down', 's')}<span class="vh">, sorted${order.reverse && ' backwards'}</span>`;
  return html`<a href="${href}" title="Sort by ${words.toLowerCase()}"${here && html` aria-current="true"`}${liveGet('#work')}>${label}${said}</a>`;
}
