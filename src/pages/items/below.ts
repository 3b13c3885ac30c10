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
import { quantity } from '../frame/widgets.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { quickAddRow } from '../workspace/quickAdd.ts';
import { ownAndBelow } from './estimates.ts';
import { typeLabel } from './fields.ts';
import { assigneeLink, dueLink, estimateLink, ownerLink, priorityLink, progressLink, statusLink } from './inPlace.ts';
import type { ItemPage, OpenedItem } from './pageOf.ts';

function belowRow(page: ItemPage, one: BelowRow): Content {
  const { clock, opened } = page;
  const { person, due: date, dueField: field, estimatedHours, statusLabel: label } = one;
  const closed = closedStatuses.includes(one.status);
  const ctx = page.inPlace(one.type);
  const under = sumUnder(opened, one.id);
  // Estimates of a task and its sub-tasks add up.
  const sum = one.type === 'task' ? null : under;
  const percent = sum ? Math.round((100 * sum.done) / sum.hours) : one.status === 'done' ? 100 : (one.progressPercent ?? 0);
  const hours = sum ? sum.hours : estimatedHours;
  const done = sum ? sum.done : (estimatedHours ?? 0) - (one.leftHours ?? 0);
  const words = (one.type === 'task' && under && ownAndBelow(estimatedHours, under.hours)) || hoursWords(hours, done);
  // A sum is changed at its tasks.
  const ofSum = sum ? { ...ctx, may: false } : ctx;
  const priority = opened.options.priorities.find(({ key }) => key === one.priorityKey) ?? null;
  return row({
    item: one.id,
    status: statusLink({ ...one, label }, ctx),
    number: one.id,
    title: one.title,
    href: `${opened.workspace.at}/items/${one.id}`,
    why: one.blockedReason,
    context: sum ? `${one.type}, sum of ${quantity(sum.tasks, 'task')}` : one.changedSinceApproval && 'changed since approval',
    class: [one.under !== null && 'child', closed && 'done'].filter(Boolean).join(' '),
    cells: [
      { kind: 'ring', content: progressLink({ ...one, percent }, ofSum) },
      {
        kind: 'est',
        content: estimateLink({ ...one, hours, words }, ofSum),
      },
      { kind: 'due', content: dueLink({ ...one, date, closed, field }, { ...ctx, clock }) },
      { kind: 'prio', content: priorityLink({ ...one, priority }, ctx) },
      {
        kind: 'who',
        content: one.type === 'task' ? assigneeLink({ ...one, assignee: person }, ctx) : ownerLink({ ...one, owner: person }, ctx),
      },
    ],
  });
}

function hoursWords(hours: number | null, done: number): string | null {
  if (hours === null) return null;
  return done > 0 && done < hours ? `${estimate(done)} of ${estimate(hours)}` : estimate(hours);
}

export function belowPart(page: ItemPage): Content {
  const { opened } = page;
  const rows = inOrder(opened);
  const add = addLinks(opened);
  if (rows.length === 0 && (opened.item.type === 'task' || !add)) return null;
  const all = page.request.query.get('below') === 'all';
  const shown = rows.slice(0, all ? MOST_BELOW : MOST_AT_FIRST);
  return section(
    { title: 'Subitems', id: 'below', class: 'below', meta: sumWords(opened), action: add },
    html`${bar(opened)}${
      shown.length > 0
        ? html`<ul class="rows">${shown.map((row) => belowRow(page, row))}</ul>`
        : html`<p class="meta">No subitems yet. Add the first one.</p>`
    }${quickAdd(page)}${moreLine(page, rows.length, shown.length)}`,
  );
}

/** Open work by due date and priority, then closed work. Each second-level row follows its parent. */
function inOrder({ below, options }: OpenedItem): BelowRow[] {
  const ranks = new Map<string | null, number>(options.priorities.map(({ key, rank }) => [key, rank]));
  const rank = ({ priorityKey }: BelowRow) => ranks.get(priorityKey) ?? -1_000_000;
  const closed = ({ status }: BelowRow) => Number(closedStatuses.includes(status));
  const sorted = below.toSorted(
    (a, b) => closed(a) - closed(b) || (a.due ?? '9999').localeCompare(b.due ?? '9999') || rank(b) - rank(a) || a.id - b.id,
  );
  const under = Map.groupBy(sorted, (row) => row.under);
  return (under.get(null) ?? []).flatMap((row) => [row, ...(under.get(row.id) ?? [])]);
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
  return `${estimate(sums.doneHours)} of ${estimate(sums.hours)} done · ${percent}`;
}

const bar = (opened: OpenedItem): Content => opened.sums.items > 0 && progressBar(sumsOf(opened));

/** Rows before "Show all". */
const MOST_AT_FIRST = 20;

/** Estimates of the tasks below a row; null if there are none, or if not all of them were read. */
function sumUnder({ below }: OpenedItem, id: number): { hours: number; done: number; tasks: number } | null {
  const tasks = below.filter(({ under, status }) => under === id && status !== 'cancelled');
  const hours = tasks.reduce((sum, one) => sum + (one.estimatedHours ?? 0), 0);
  if (hours === 0 || below.length > MOST_BELOW) return null;
  const left = tasks.reduce((sum, one) => sum + (one.leftHours ?? 0), 0);
  return { hours, done: Math.max(0, hours - left), tasks: tasks.length };
}

function moreLine({ opened, list }: ItemPage, rows: number, shown: number): Content {
  const { sums, at } = opened;
  const count = Math.max(sums.items, rows);
  const all = count >= MOST_SUMMED ? `${MOST_SUMMED.toLocaleString('en')}+` : String(count);
  const hours = sums.hours > 0 && `${estimate(sums.hours - sums.doneHours)} of ${estimate(sums.hours)} left`;
  if (count <= shown) return null;
  const link =
    rows > shown && shown < MOST_BELOW && html`<a class="lnk" href="${at}${list ? `${list}&` : '?'}below=all#below">Show all ${all}</a>`;
  return html`<p class="more meta"><span>${shown} of ${all} shown.</span>${link}<span class="push"></span>${hours}</p>`;
}

function quickAdd(page: ItemPage): Content {
  const { item, workspace } = page.opened;
  const types = childLinks[item.type].map(([type]) => type).filter((one) => mayWork(workspace, one, 'write'));
  const type = types.includes('task') ? 'task' : types[0];
  if (!type) return null;
  const given = { below: item.id };
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
