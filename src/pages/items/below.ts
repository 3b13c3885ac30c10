/** Subtasks and linked work on an item's page (behaviour §21.4). */
import type { ItemType } from '../../access/rights.ts';
import type { LinkName } from '../../items/fields.ts';
import { type BelowRow, MOST_BELOW, MOST_SUMMED } from '../../overviews/openItem.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { section } from '../frame/components/boxes.ts';
import { linkButton } from '../frame/components/button.ts';
import { partsOf, progressBar } from '../frame/components/marks.ts';
import { row } from '../frame/components/row.ts';
import { estimate } from '../frame/components/when.ts';
import { type Content, html } from '../frame/html.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { quickAddRow } from '../workspace/quickAdd.ts';
import { typeLabel } from './fields.ts';
import { assigneeLink, dueLink, estimateLink, priorityLink, progressLink, statusLink } from './inPlace.ts';
import type { ItemPage, OpenedItem } from './pageOf.ts';

export function belowRow(page: ItemPage, one: BelowRow): Content {
  const { clock, opened } = page;
  const { assignee, due: date, dueField: field, estimatedHours: hours, statusLabel: label } = one;
  const closed = closedStatuses.includes(one.status);
  const percent = one.status === 'done' ? 100 : (one.progressPercent ?? 0);
  const priority = opened.options.priorities.find(({ key }) => key === one.priorityKey) ?? null;
  const ctx = page.inPlace(one.type);
  return row({
    item: one.id,
    status: statusLink({ ...one, label }, ctx),
    number: one.id,
    title: one.title,
    href: `${opened.workspace.at}/items/${one.id}`,
    why: one.blockedReason,
    class: [one.under !== null && 'child', closed && 'done'].filter(Boolean).join(' '),
    tags: one.changedSinceApproval && html`<span class="meta">changed since approval</span>`,
    cells: [
      { kind: 'ring', content: progressLink({ ...one, percent }, ctx) },
      { kind: 'est', content: estimateLink({ ...one, hours, words: hoursWords(hours, percent) }, ctx) },
      { kind: 'due', content: dueLink({ ...one, date, closed, field }, { ...ctx, clock }) },
      { kind: 'prio', content: priorityLink({ ...one, priority }, ctx) },
      { kind: 'who', content: assigneeLink({ ...one, assignee }, ctx) },
    ],
  });
}

function hoursWords(hours: number | null, percent: number): string | null {
  if (hours === null) return null;
  return percent > 0 && percent < 100 ? `${estimate((hours * percent) / 100).replace(' h', '')} of ${estimate(hours)}` : estimate(hours);
}

export function belowPart(page: ItemPage): Content {
  const { opened } = page;
  const rows = inOrder(opened);
  const add = addLinks(opened);
  if (rows.length === 0 && (opened.item.type === 'task' || !add)) return null;
  const shown = rows.slice(0, MOST_BELOW);
  const left = rows.length > shown.length || opened.sums.items > shown.length;
  return section(
    { title: 'Subitems', id: 'below', class: 'below', meta: sumWords(opened), action: add },
    html`${bar(opened)}${
      shown.length > 0
        ? html`<ul class="rows">${shown.map((row) => belowRow(page, row))}</ul>`
        : html`<p class="meta">No subitems yet. Add the first one.</p>`
    }${quickAdd(page)}${left && html`<p class="meta">${moreWords(opened, shown.length)}</p>`}`,
  );
}

/** Open work by due date and priority, then closed work. Each second-level row follows its parent. */
function inOrder({ below, options }: OpenedItem): BelowRow[] {
  const rank = new Map(options.priorities.map(({ key, rank: of }) => [key, of]));
  const key = (row: BelowRow) =>
    [closedStatuses.includes(row.status) ? 1 : 0, row.due ?? '9999', -(rank.get(row.priorityKey ?? '') ?? -1_000_000), row.id] as const;
  const sorted = below.map((row) => ({ row, key: key(row) })).sort((one, other) => compare(one.key, other.key));
  const under = Map.groupBy(sorted, ({ row }) => row.under);
  return (under.get(null) ?? []).flatMap(({ row }) => [row, ...(under.get(row.id) ?? []).map((child) => child.row)]);
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const at = one.findIndex((value, n) => value !== other[n]);
  return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
}

/** In hours if there are estimates; otherwise in number of items. */
function sumsOf({ sums }: OpenedItem) {
  return sums.hours > 0
    ? { done: sums.doneHours, inProgress: sums.activeHours, total: sums.hours }
    : { done: sums.done, inProgress: 0, total: sums.items };
}

function sumWords(opened: OpenedItem): Content {
  const { sums } = opened;
  if (sums.items === 0) return null;
  const percent = `${partsOf(sumsOf(opened)).done} %`;
  if (sums.hours === 0) return `${sums.done} of ${sums.items} done`;
  return `${estimate(sums.doneHours).replace(' h', '')} of ${estimate(sums.hours)} done · ${percent}`;
}

const bar = (opened: OpenedItem): Content => opened.sums.items > 0 && progressBar(sumsOf(opened));

const moreWords = ({ sums }: OpenedItem, shown: number): string => {
  const all = sums.items >= MOST_SUMMED ? `${MOST_SUMMED.toLocaleString('en')} or more` : String(Math.max(sums.items, shown));
  return sums.items > shown ? `Showing ${shown} of ${all} subitems on all levels.` : `Showing the first ${shown} subitems.`;
};

function quickAdd(page: ItemPage): Content {
  const { item, workspace } = page.opened;
  const types = childLinks[item.type].map(([type]) => type).filter((one) => mayWork(workspace, one, 'write'));
  const type = types.includes('task') ? 'task' : types[0];
  if (!type) return null;
  const given = { below: item.id! };
  return html`<ul class="rows adds">${quickAddRow({ context: page.request, path: workspace.path, type, id: 'below', where: item.title, given, back: page.back })}</ul>`;
}

function addLinks({ item, workspace }: OpenedItem): Content {
  const offered = childLinks[item.type].filter(([type]) => mayWork(workspace, type, 'write'));
  return (
    offered.length > 0 &&
    offered.map(([type, link]) =>
      linkButton(`${workspace.at}/new?type=${type}&${link}=${item.id}`, typeLabel(type), {
        small: true,
        kind: 'quiet',
        icon: 'plus',
        said: `New ${type} under this ${item.type}`,
      }),
    )
  );
}

export const childLinks: Record<ItemType, readonly (readonly [ItemType, LinkName])[]> = {
  task: [['task', 'parentItemId']],
  milestone: [['task', 'parentItemId']],
  requirement: [['task', 'requirementId']],
  release: [
    ['requirement', 'releaseId'],
    ['task', 'releaseId'],
  ],
  goal: [
    ['requirement', 'goalId'],
    ['goal', 'parentId'],
  ],
};
