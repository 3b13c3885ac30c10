/** /workspaces/:id/items/:itemId/beside: redirects to the previous or next item of the list (behaviour §21.3). */
import { type ListRow, listWork, type WorkList } from '../../overviews/workList/listWork.ts';
import { call } from '../frame/call.ts';
import { clockOf } from '../frame/clock.ts';
import type { Answer, PageRequest, PageRoute } from '../frame/page.ts';
import { listAddress, listInput } from '../workspace/listAddress.ts';
import { inListOf, lengthOf } from './neighbours.ts';

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
