/** /workspaces/:id?type=goal: the tree of goals with progress, contributing work and trend (behaviour §27.1). */
import { type Contribution, type GoalRow, type GoalTree, MOST_GOALS } from '../../overviews/workList/goalTree.ts';
import { inPieces } from '../../values/pieces.ts';
import { valueAt } from '../../values/records.ts';
import { closedStatuses } from '../../workspaces/statuses.ts';
import { cachedRows } from '../frame/cachedRows.ts';
import { avatar } from '../frame/components/avatar.ts';
import { notice } from '../frame/components/boxes.ts';
import { due } from '../frame/components/due.ts';
import { icon } from '../frame/components/icon.ts';
import { progressBar } from '../frame/components/marks.ts';
import { statusIcon } from '../frame/components/status.ts';
import { type Content, type Html, html } from '../frame/html.ts';
import { quantity } from '../frame/widgets.ts';
import { sparkline, trendTable } from '../items/measure.ts';
import { typeSigns } from '../items/values.ts';
import { hrefOf, type ListPage } from './list.ts';
import { allColumnsOf, type ListColumn } from './listColumns.ts';
import { addLine } from './listGroups.ts';
import { commonOf, listRow } from './listRows.ts';

interface GoalPage extends ListPage {
  found: GoalTree & { goals: readonly GoalRow[] };
}

const trend: ListColumn = {
  kind: 'trend',
  label: 'Trend',
  cell: (row, { clock }) => (row.trend ? sparkline(row.trend, row.target, clock) : null),
};

export async function goalsBody(page: GoalPage): Promise<Content> {
  const { goals, next } = page.found;
  const shown = new Set(goals.map(({ id }) => id));
  const below = Map.groupBy(goals, ({ up }) => (up && shown.has(up.id) ? up.id : null));
  const row = listRow(page, allColumnsOf(page).toSpliced(1, 0, trend));
  const inside = cachedRows<GoalRow>(['goal', ...commonOf(page)], (goal) => insideOf(page, goal));
  const parts = await inPieces(goals, (goal) => [goal.id, { row: row(goal), inside: inside(goal) }] as const);
  const made = new Map(parts);
  const listed: Listed = (of, path) => below.get(of)?.map((goal) => goalOf(goal, valueAt(made, goal.id), listed, path)) ?? null;
  return html`${next !== null && notice('info', html`Only the first ${MOST_GOALS} goals are shown. <a href="${hrefOf(page, { view: 'list' })}">The list has all.</a>`)}
<ul class="rows plain rows-goal goals">${listed(null, [])}${addLine(page)}</ul>`;
}

/** `path`: titles of the goals above. */
type Listed = (of: number | null, path: readonly string[]) => Content;

/** Deeper goals are not indented further: they show a path of the goals above them instead. */
const MOST_LEVELS = 6;

interface Made {
  row: Html;
  inside: Html;
}

function goalOf(goal: GoalRow, { row, inside }: Made, listed: Listed, path: readonly string[]): Html {
  const below = listed(goal.id, [...path, goal.title]);
  const isDeep = path.length >= MOST_LEVELS;
  return html`${isDeep && html`<li class="goal-path" dir="auto">${path.slice(MOST_LEVELS - 1).join(' / ')}</li>`}${row}<li class="goal-more">${inside}${below && html`<ul class="rows rows-goal goals${path.length + 1 >= MOST_LEVELS && ' deep'}" aria-label="Part of ${goal.title}">${below}</ul>`}</li>`;
}

function insideOf(page: GoalPage, { id, title, contributing, trend: recorded }: GoalRow): Html {
  const { kinds, more, rows } = contributing;
  const done = kinds.reduce((sum, kind) => sum + kind.done, 0);
  const total = kinds.reduce((sum, kind) => sum + kind.total, 0);
  const numbers = trendTable(recorded, page.clock);
  if (total === 0 && !numbers) return html`<p class="meta">No items contribute to this goal yet.</p>`;
  const words =
    total === 0
      ? 'No items contribute to this goal yet'
      : html`${progressBar({ done, inProgress: 0, total }, `${done} of ${total} done`)}<b aria-hidden="true">${done} of ${total}${more && '+'} done</b> <span class="meta">${kindWords(contributing)}</span>`;
  const all =
    total > rows.length && html`<p><a href="${page.workspace.at}/items/${id}#below">Show all items that contribute to ${title}</a></p>`;
  return html`<details class="contrib" id="goal-${id}"><summary>${icon('chevron-right', 's')}${words}</summary><div>${
    rows.length > 0 && html`<ul aria-label="Items that contribute to ${title}">${rows.map((one) => contribution(page, one))}</ul>`
  }${all}${numbers}</div></details>`;
}

const kindWords = ({ kinds }: GoalRow['contributing']): string =>
  kinds.map(({ type, done, total }) => `${done > 0 ? `${done} of ` : ''}${quantity(total, type)}`).join(', ');

function contribution({ workspace, found, clock }: GoalPage, one: Contribution): Html {
  const { id, type, title, status, statusKey, person } = one;
  const label = found.options.statuses.find(({ key }) => key === statusKey)?.label ?? statusKey;
  return html`<li>${statusIcon({ status, label })}${icon(typeSigns[type], 's')}<span class="num">${id}</span><a href="${workspace.at}/items/${id}">${title}</a>${due(one.due, { closed: closedStatuses.includes(status) }, clock)}${avatar(person)}</li>`;
}
