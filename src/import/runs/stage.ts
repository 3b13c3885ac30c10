/** Reads the file of a run into rows, and orders them (behaviour §36.21). */
import type { Permit } from '../../access/caller.ts';
import type { Db, Tx } from '../../database/db.ts';
import { limits } from '../../operations/limits.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { insertStatus, lockWorkflow } from '../../workspaces/workflowQueries.ts';
import { SourceLinks } from '../sources/links.ts';
import { plan } from '../sources/plan.ts';
import { containerKey, type Facts, type PlannedItem } from '../sources/planned.ts';
import { readSource } from '../sources/readSource.ts';
import type { OpenSource, SourceRow } from '../sources/source.ts';
import type { Survey } from '../sources/surveySchema.ts';
import { addLabels, readSourceFacts } from './itemQueries.ts';
import { orderOf } from './order.ts';
import { insertRows, type NewRow, placeRows, readWanted, setStaged } from './rowQueries.ts';
import { heldPermit, importPermit, lockRun } from './runQueries.ts';
import { MOST_ROWS, type RowLinks, type Run, type RunCaller } from './schema.ts';

/** Adds what this item creates to the facts, for the next ones. */
export function learn(facts: Facts, { newLabels, newStatus }: PlannedItem): void {
  for (const name of newLabels) facts.labels.set(name.toLowerCase(), name);
  if (newStatus && !facts.statuses.some(({ key }) => key === newStatus.key)) facts.statuses.push(newStatus);
}

/** Throws InvalidRequest for a file with too many rows. */
export async function* limited(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let count = 0;
  for await (const row of rows) {
    if (++count > MOST_ROWS)
      throw new InvalidRequest([], `The file has more than ${MOST_ROWS.toLocaleString('en')} rows. Split it, and import each part.`);
    yield row;
  }
}

const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 500_000;

/** The part of a row that ordering needs. */
type Staged = Pick<PlannedItem, 'key' | 'container' | 'parentKey' | 'blockedBy'> & { n: number };

/** Stages all rows. After a kill, it reads the file again and keeps the staged rows. */
export async function stage(db: Db, run: Run, caller: RunCaller, open: OpenSource, signal: AbortSignal): Promise<void> {
  const facts = await readSourceFacts(db.pool(), await importPermit(db.pool(), caller, run.workspaceId));
  const links = new SourceLinks();
  const staged: Staged[] = [];
  let batch: NewRow[] = [];
  let [n, size, refused] = [0, 0, 0];
  const flush = async () => {
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      if (!(await lockRun(tx, run.id, 'running'))) throw new Cancelled();
      await insertRows(tx, run, batch);
      await setStaged(tx, run.id, n);
    });
    [batch, size] = [[], 0];
  };
  for await (const row of limited(readSource(surveyOf(run), open, run.map))) {
    const { line, key } = row;
    n++;
    if ('refused' in row) {
      if (row.skipped) continue;
      refused++;
      batch.push({ n, line, key, kind: 'issue', problem: row.refused });
    } else {
      const planned = plan(row.issue, run.map, facts);
      learn(facts, planned);
      links.add(planned);
      staged.push({ n, key: planned.key, container: planned.container, parentKey: planned.parentKey, blockedBy: planned.blockedBy });
      batch.push({ n, line, key, kind: 'issue', planned });
      size += sizeOf(planned);
    }
    if (batch.length >= ROWS_AT_ONCE || size > CHARACTERS_AT_ONCE) await flush();
  }
  await flush();
  await db.transaction((tx) => setUp(tx, run, caller, { staged, links, n, refused }));
}

/** The import was cancelled, or another worker has continued it. */
export class Cancelled extends Error {}

const sizeOf = ({ description, comments }: PlannedItem): number =>
  comments.reduce((sum, { body }) => sum + body.length, description.length);

/** An import that starts has a survey. */
function surveyOf({ survey }: Run): Survey {
  if (!survey) throw new Cancelled();
  return survey;
}

interface All {
  staged: readonly Staged[];
  links: SourceLinks;
  n: number;
  refused: number;
}

/** Creates labels and statuses, and gives each row its position: milestones and releases, items, and dependencies on later items. */
async function setUp(tx: Tx, run: Run, caller: RunCaller, { staged, links, n, refused }: All): Promise<void> {
  const locked = await lockRun(tx, run.id, 'running');
  if (locked?.staged == null) throw new Cancelled();
  const permit = await heldPermit(tx, caller, run.workspaceId);
  await createWanted(tx, run, permit);
  const containers = new Map(staged.flatMap(({ container }) => (container ? [[containerKey(container), container]] : [])));
  const keys = new Set(staged.map(({ key }) => key));
  const rows = staged.map((one) => ({ n: one.n, key: one.key, ...linksOf(links, one, keys) }));
  const { order, later } = orderOf(rows);
  let next = n + 1;
  const first = [...containers.values()].map((planned): NewRow => ({ n: next++, line: null, key: null, kind: 'container', planned }));
  const last = later.map(({ key, blockedBy }): NewRow => ({ n: next++, line: null, key, kind: 'links', planned: { blockedBy } }));
  const added = [...first, ...last];
  for (let from = 0; from < added.length; from += ROWS_AT_ONCE) await insertRows(tx, run, added.slice(from, from + ROWS_AT_ONCE));
  const unlinked = (row: NewRow) => ({ n: row.n, links: null });
  const placed = [
    ...first.map(unlinked),
    ...order.map(({ n: at, parent, blockedBy }) => ({ n: at, links: { parent, blockedBy } })),
    ...last.map(unlinked),
  ];
  await placeRows(tx, run.id, placed, refused);
}

/** Links within the file, without cycles, and those to issues that only an earlier file may have. */
function linksOf(links: SourceLinks, { key, parentKey, blockedBy }: Staged, keys: ReadonlySet<string>): RowLinks {
  const within = links.linksOf(key);
  const outside = blockedBy.filter((one) => !keys.has(one));
  const above = parentKey !== null && !keys.has(parentKey) ? parentKey : null;
  return { parent: within.parentKey ?? above, blockedBy: [...within.blockedBy, ...outside] };
}

async function createWanted(tx: Tx, run: Run, permit: Permit): Promise<void> {
  const { labels, statuses } = await readWanted(tx, run.id);
  const account = { ...permit, accountRole: 'member' as const };
  await lockWorkflow(tx, account);
  await addLabels(tx, permit, labels, limits.labels.most);
  const known = new Set((await readSourceFacts(tx, permit)).statuses.map(({ key }) => key));
  for (const status of statuses) if (!known.has(status.key)) await insertStatus(tx, account, status);
}
