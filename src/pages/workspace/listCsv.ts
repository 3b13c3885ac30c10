/** /workspaces/:id/list.csv: a list with the filters and order of its URL (behaviour §32.1). */
import { runPiece, turnOf } from '../../access/throttle/loopShare.ts';
import { listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import { csvLine } from '../../values/csv.ts';
import { Forbidden } from '../../values/errors.ts';
import { clockOf } from '../frame/clock.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { call } from '../frame/session.ts';
import { boardGroup } from './boardAddress.ts';
import type { ListPage } from './list.ts';
import { type ListAddress, listAddress, listInput, queryOf } from './listAddress.ts';
import { type FileColumn, fileColumnsOf } from './listColumns.ts';

export const MOST_IN_FILE = 10_000;
/** Rows per statement. */
const AT_ONCE = 500;

/** Link of the CSV file. Boards show all statuses if none is chosen, so the file does too. */
export function csvHref({ workspace, address }: Pick<ListPage, 'workspace' | 'address'>): string {
  const all = address.view === 'board' && address.status.length === 0 && boardGroup(address) === 'status';
  const shown: Partial<ListAddress> = { view: 'list', saved: '', ...(all && { status: ['all'] }) };
  return `${workspace.at}/list.csv${queryOf(address, shown)}`;
}

async function download(request: PageRequest): Promise<Answer> {
  const { ctx, params, query, deps, user } = request;
  const { today } = clockOf(request);
  const address = { ...listAddress(query), group: 'none' as const, after: '' };
  const input = { ...listInput(Number(params.id), address, today), limit: AT_ONCE };
  // Errors must be thrown before the file starts.
  const first = await call(request, listWork, input);
  const readNextRows = async (after: string) => {
    await turnOf(user.id, () => !ctx.res.closed, Number.POSITIVE_INFINITY);
    return call(request, listWork, { ...input, after });
  };
  const columns = fileColumnsOf(first.type, `${deps.config.baseUrl}/workspaces/${params.id}`);
  return {
    lines: linesOf(first, columns, readNextRows, user.id),
    type: 'text/csv; charset=utf-8',
    name: `${slug(first.membership.name)}-${first.type}s-${today}.csv`,
  };
}

/** `readNextRows` reads the next rows and checks the rights again: the file ends if they are lost. `userId`: charged for the time. */
export async function* linesOf(
  first: WorkList,
  columns: readonly FileColumn[],
  readNextRows: (after: string) => Promise<WorkList>,
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
    found = await readNextRows(found.next);
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
