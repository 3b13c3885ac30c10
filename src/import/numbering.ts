/** Assigns ids to the entries of each kind, ascending in file order. */
import type { Tx } from '../database/db.ts';
import { elementAt } from '../values/records.ts';
import { type Table, takeIds } from './queries.ts';
import type { ReadFile } from './readFile.ts';
import { kinds, tableOf } from './refs.ts';

const AT_ONCE = 10_000;

export async function numberAll(tx: Tx, { file, refs }: ReadFile): Promise<number[]> {
  for (const kind of kinds) {
    const lists = refs.lists.filter((list) => list.kind === kind && !list.existing);
    const ids = await takeNumbers(
      tx,
      tableOf[kind],
      lists.reduce((sum, { count }) => sum + count, 0),
    );
    let used = 0;
    for (const list of lists) {
      list.ids = ids.subarray(used, used + list.count);
      used += list.count;
    }
  }
  const fresh = await takeNumbers(tx, 'accounts', file.accounts.filter(({ existing }) => !existing).length);
  let used = 0;
  return file.accounts.map(({ existing }) => existing?.id ?? elementAt(fresh, used++));
}

async function takeNumbers(tx: Tx, table: Table, count: number): Promise<Float64Array> {
  const ids = new Float64Array(count);
  for (let used = 0; used < count; used += AT_ONCE) ids.set(await takeIds(tx, table, Math.min(AT_ONCE, count - used)), used);
  return ids.sort();
}
