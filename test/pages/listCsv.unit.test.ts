/** Exporting a list, part by part (behaviour §32.2). */
import type { ListRow, WorkList } from '../../src/overviews/workList/listWork.ts';
import { linesOf } from '../../src/pages/workspace/listCsv.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const part = (from: number, count: number, more: boolean, type = 'task') =>
  ({
    type,
    rows: Array.from({ length: count }, (_, n) => ({ id: from + n })),
    next: more ? String(from + count) : null,
  }) as unknown as WorkList;

const columns: [string, (row: ListRow) => number][] = [['Number', ({ id }) => id]];

async function fileOf(first: WorkList, readNextRows: (after: string) => Promise<WorkList>): Promise<string[]> {
  let text = '';
  for await (const piece of linesOf(first, columns, readNextRows, 1)) text += piece;
  return text.trimEnd().split('\r\n');
}

test('an export ends at ten thousand rows, and says so only if there are more', async (t) => {
  const readNextRows = (last: number) => async (after: string) => part(Number(after), 1_000, Number(after) + 1_000 <= last);
  const whole = await fileOf(part(1, 1_000, true), readNextRows(9_999));
  t.is(whole.length, 10_001);
  t.is(whole.at(-1), '"10000"');
  const cut = await fileOf(part(1, 1_000, true), readNextRows(99_999));
  t.is(cut.length, 10_002);
  t.deepEqual(cut.slice(0, 2), ['"Number"', '"1"']);
  t.regex(cut.at(-1)!, /^"Only the first 10,000 rows/);
  t.is(new Set(cut).size, cut.length);
});

test('a user who may no longer see the type gets nothing, and no other type', async (t) => {
  await t.throwsAsync(
    fileOf(part(1, 2, true), async () => part(3, 2, false, 'release')),
    { message: /access/ },
  );
});
