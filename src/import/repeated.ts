/** Converts a file's templates and series of recurring tasks to rows (behaviour §37.8, §37.14). */
import { itemTypes } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { nextAfter } from '../recurring/ruleDates.ts';
import { needsOf } from '../templates/schema.ts';
import { startOfDay } from '../values/dates.ts';
import { errorAt, InvalidRequest, type Path } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { idOf, scopeOf, type WorkspaceImport } from './home.ts';
import { insertRows, type Row, takeIds } from './queries.ts';
import type { WorkspaceEntry } from './schema.ts';

/** Call it after the items and labels are written. Throws InvalidRequest for an unknown label or ref, another type than a task, and a rule
 *  without more dates. */
export async function writeRepeated(tx: Tx, at: WorkspaceImport, labels: ReadonlyMap<string, number>): Promise<void> {
  await insertRows(tx, 'templates', templateRows(at, labels));
  const { series } = at.workspace;
  const ids = await takeIds(tx, 'recurrences', series.length);
  const rows: ({ id: number } & Awaited<ReturnType<typeof seriesRow>>)[] = [];
  for (const [n, entry] of series.entries()) rows.push({ id: elementAt(ids, n), ...scopeOf(at), ...(await seriesRow(at, n, entry)) });
  await insertRows(tx, 'recurrences', rows);
  await insertRows(
    tx,
    'recurrence_items',
    rows.map((row) => ({ ...scopeOf(at), recurrence_id: row.id, occurs_on: row.last_on, item_id: row.item_id })),
  );
}

function* templateRows(at: WorkspaceImport, known: ReadonlyMap<string, number>): Generator<Row> {
  for (const [n, { name, items }] of at.workspace.templates.entries()) {
    const path = [...at.path, 'templates', n, 'items'];
    const idsOf = (labels: readonly string[], place: Path) =>
      labels.map((label, l) => {
        const id = known.get(label.toLowerCase());
        if (id === undefined) throw new InvalidRequest([...place, 'labels', l], `add '${label}' to the labels of the workspace.`);
        return id;
      });
    const stored = items.map((item, i) => ({ ...item, labels: idsOf(item.labels, [...path, i]) }));
    yield { ...scopeOf(at), name, items: stored, needs: needsOf(items) };
  }
}

async function seriesRow(
  at: WorkspaceImport,
  n: number,
  { item, user, rule, mode, startsOn, lastOn, paused }: WorkspaceEntry['series'][number],
) {
  const path = [...at.path, 'series', n];
  const userId = idOf(at, [...path, 'user'], user, 'user');
  const { list, n: place } = at.file.refs.find([...path, 'item'], item, 'item', { account: at.a, workspace: at.w });
  if (itemTypes[at.file.itemsOf(at.path).types.at(place)] !== 'task')
    throw new InvalidRequest([...path, 'item'], `'${item}' is not a task; give the ref of a task.`);
  const nextOn = await nextAfter(userId, rule, startsOn, lastOn).catch((error) => {
    throw errorAt(path, error);
  });
  if (nextOn === null) throw new InvalidRequest([...path, 'rule'], `has no date after ${lastOn}; leave this series out.`);
  return {
    ...{ item_id: elementAt(list.ids, place), user_id: userId, rule, mode, starts_on: startsOn, last_on: lastOn, next_on: nextOn },
    state: paused ? 'paused' : 'active',
    reason: paused ? 'access' : null,
    due_at: mode === 'day' && !paused ? startOfDay(nextOn, at.zones.get(userId) ?? 'UTC') : null,
  };
}
