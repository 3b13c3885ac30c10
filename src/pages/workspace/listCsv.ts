/** /workspaces/:id/list.csv: a list with the filters and order of its URL (behaviour §32.1). */
import type { ItemType } from '../../access/rights.ts';
import { runPiece, turnOf } from '../../access/throttle/loopShare.ts';
import { fields, listedIn } from '../../items/fields.ts';
import { type ListRow, listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import { csvLine } from '../../values/csv.ts';
import { Forbidden } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { labelOf } from '../items/fields.ts';
import { boardGroup } from './boardAddress.ts';
import type { ListPage } from './list.ts';
import { type ListAddress, listAddress, listInput, queryOf } from './listAddress.ts';

export const MOST_IN_FILE = 10_000;
/** Rows per statement. */
const AT_ONCE = 500;

/** Link of the CSV file. Boards show all statuses if none is chosen, so the file does too. */
export function csvHref({ workspace, address }: Pick<ListPage, 'workspace' | 'address'>): string {
  const all = address.view === 'board' && address.status.length === 0 && boardGroup(address) === 'status';
  const shown: Partial<ListAddress> = { view: 'list', saved: '', ...(all && { status: ['all'] }) };
  return `${workspace.at}/list.csv${queryOf(address, shown)}`;
}

type Value = string | number | null | undefined;
type Column = [head: string, value: (row: ListRow, list: WorkList) => Value];

const priority: Column = [
  labelOf('priorityKey'),
  (row, { options }) => options.priorities.find(({ key }) => key === row.priorityKey)?.label ?? row.priorityKey,
];
const below: Column[] = [
  ['Subitems done', (row) => row.below?.done],
  ['Subitems', (row) => row.below && (row.below.more ? `more than ${row.below.total}` : row.below.total)],
];
const forecast: Column[] = [
  ['Forecast', (row) => row.forecast?.forecastDate],
  ['Forecast if work takes 25 % longer', (row) => row.forecast?.bufferedDate],
  ['Outlook', (row) => row.forecast?.outlook],
];

const ofType: Record<ItemType, Column[]> = {
  task: [],
  requirement: [
    ['Score', (row) => (row.score === undefined ? null : Math.round(row.score * 100) / 100)],
    ['Rank', (row) => row.rank],
    ['Approval', (row) => row.approval],
    ['Changed since approval', (row) => row.changedSinceApproval && 'yes'],
    ...below,
  ],
  goal: below,
  release: [...below, ...forecast],
  milestone: [...below, ...forecast],
};

/** A column for each listed field of the type. */
function fieldColumn(name: ReturnType<typeof listedIn>[number]): Column {
  const { label, unit } = fields[name];
  const head = unit ? `${label} (${unit})` : label;
  if (name === 'dueDate') return [head, (row) => row.due];
  if (name === 'progressPercent') return [head, (row) => (row.status === 'done' ? 100 : row.progressPercent)];
  return [head, (row) => row[name]];
}

function columnsOf(type: ItemType, at: string): Column[] {
  return [
    ['Number', (row) => row.id],
    [labelOf('title'), (row) => row.title],
    [labelOf('statusKey'), (row, { options }) => options.statuses.find(({ key }) => key === row.statusKey)?.label ?? row.statusKey],
    [labelOf('blockedReason'), (row) => row.blockedReason],
    priority,
    [labelOf('assigneeId'), (row) => row.assignee?.name],
    [labelOf('ownerId'), (row) => row.owner?.name],
    ...listedIn(type).map(fieldColumn),
    ...ofType[type],
    ['Labels', (row) => row.labels?.map(({ name }) => name).join(', ')],
    ['Waits for', (row) => row.waitsFor],
    ['Part of number', (row) => row.up?.id],
    ['Part of', (row) => row.up?.title],
    ['Archived', (row) => row.archived && 'yes'],
    ['Link', (row) => `${at}/items/${row.id}`],
  ];
}

async function download(request: PageRequest): Promise<Answer> {
  const { ctx, params, query, deps, user } = request;
  const { today } = clockOf(request);
  const address = { ...listAddress(query), group: 'none' as const, after: '' };
  const input = { ...listInput(Number(params.id), address, today), limit: AT_ONCE };
  // Errors must be thrown before the file starts.
  const first = await call(request, listWork, input);
  const readOn = async (after: string) => {
    await turnOf(user.id, () => !ctx.res.closed, Number.POSITIVE_INFINITY);
    return call(request, listWork, { ...input, after });
  };
  const columns = columnsOf(first.type, `${deps.config.baseUrl}/workspaces/${params.id}`);
  return {
    lines: linesOf(first, columns, readOn, user.id),
    type: 'text/csv; charset=utf-8',
    name: `${slug(first.membership.name)}-${first.type}s-${today}.csv`,
  };
}

/** `readOn` reads the next rows and checks the rights again: the file ends if they are lost. `userId`: charged for the time. */
export async function* linesOf(
  first: WorkList,
  columns: readonly Column[],
  readOn: (after: string) => Promise<WorkList>,
  userId: number,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([head]) => head));
  let told = 0;
  for (let found = first; ; ) {
    // The type changes if the user may no longer see the first one.
    if (found.type !== first.type) throw new Forbidden();
    const { rows } = found;
    yield await runPiece(userId, () => rows.map((row) => csvLine(columns.map(([, value]) => value(row, found) ?? null))).join(''));
    told += found.rows.length;
    if (found.next === null) return;
    if (told >= MOST_IN_FILE) break;
    found = await readOn(found.next);
  }
  yield csvLine([`Only the first ${MOST_IN_FILE.toLocaleString('en')} rows are included. Filter the list to export the others.`]);
}

/** A file name: "Ferry booking" gives ferry-booking, "Überblick" gives uberblick. */
const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 60) || 'workspace';

export const listCsvRoutes: PageRoute[] = [{ method: 'GET', path: '/workspaces/:id/list.csv', bare: true, handle: download }];
