/** Reads a file into the report or the rows of an import (behaviour §36.20, §36.21). Call it in the helper thread only (`reading.ts`). */
import { InvalidRequest } from '../../values/errors.ts';
import { firstCharacters } from '../../values/text.ts';
import { SourceLinks } from '../sources/links.ts';
import type { ImportMap } from '../sources/map.ts';
import { plan } from '../sources/plan.ts';
import { type Container, containerKey, type Facts, type PlannedItem } from '../sources/planned.ts';
import { readSource } from '../sources/readSource.ts';
import { Reporter } from '../sources/report.ts';
import type { Report } from '../sources/reportSchema.ts';
import type { Format, OpenSource, SourceRow } from '../sources/source.ts';
import { survey } from '../sources/survey.ts';
import type { Survey } from '../sources/surveySchema.ts';
import { orderOf } from './order.ts';
import { MOST_ROWS, type NewRow, type RowLinks } from './schema.ts';

export interface Wanted {
  map: ImportMap;
  /** What the file creates is added to it. */
  facts: Facts;
}

export interface Prepared {
  survey: Survey;
  report: Report;
  preview: readonly PlannedItem[];
}

const SHOWN = 10;
const MOST_SHOWN = 300;
const MOST_REPORT_CHARACTERS = 1_000_000;

/** Throws InvalidRequest for a file that can't be read. */
export async function prepareRows(open: OpenSource, format: Format, { map, facts }: Wanted): Promise<Prepared> {
  const surveyed = await survey(format, open, map);
  const reporter = new Reporter(surveyed, map, facts);
  const links = new SourceLinks();
  const preview: PlannedItem[] = [];
  for await (const row of limited(readSource(surveyed, open, map))) {
    if ('refused' in row) {
      reporter.refuse(row);
      continue;
    }
    const planned = plan(row.issue, map, facts);
    reporter.add(row.issue, planned);
    learn(facts, planned);
    links.add(planned);
    if (preview.length < SHOWN) preview.push(shownOf(planned));
  }
  reporter.links(links);
  const prepared = { survey: surveyed, report: reporter.report(), preview };
  for (const part of Object.values(prepared)) refuseLarge(part);
  return prepared;
}

/** Without the parts that no page shows. */
const shownOf = (planned: PlannedItem): PlannedItem => ({
  ...planned,
  description: firstCharacters(planned.description, MOST_SHOWN),
  ...{ comments: [], aliases: [], blockedBy: [], blocks: [], changed: [] },
});

/** The main thread stores it and pages show it, so it must be small. */
function refuseLarge(part: object): void {
  if (JSON.stringify(part).length > MOST_REPORT_CHARACTERS)
    throw new InvalidRequest([], 'The report of this file is larger than 1 MB. Shorten its names, or split it, and import each part.');
}

/** A piece of the rows of a file: rows in its order; then the rows that it only implies, and where each row is written. */
export type Piece = { rows: NewRow[]; n: number } | { implied: NewRow[] } | { placed: Placed[] };
export interface Placed {
  n: number;
  links: RowLinks | null;
}

const ROWS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 500_000;
const PLACED_AT_ONCE = 5_000;

/** The part of a row that ordering needs. */
type Staged = Pick<PlannedItem, 'key' | 'container' | 'parentKey' | 'blockedBy'> & { n: number };

/** Returns the number of refused rows. */
export async function stageRows(
  open: OpenSource,
  surveyed: Survey,
  { map, facts }: Wanted,
  emit: (piece: Piece) => Promise<unknown>,
): Promise<number> {
  const links = new SourceLinks();
  const staged: Staged[] = [];
  let rows: NewRow[] = [];
  let [n, size, refused] = [0, 0, 0];
  for await (const row of limited(readSource(surveyed, open, map))) {
    const { line, key } = row;
    n++;
    if ('refused' in row) {
      if (row.skipped) continue;
      refused++;
      rows.push({ n, line, key, kind: 'issue', problem: row.refused });
    } else {
      const planned = plan(row.issue, map, facts);
      learn(facts, planned);
      links.add(planned);
      staged.push({ n, key: planned.key, container: planned.container, parentKey: planned.parentKey, blockedBy: planned.blockedBy });
      rows.push({ n, line, key, kind: 'issue', planned });
      size += sizeOf(planned);
    }
    if (rows.length >= ROWS_AT_ONCE || size > CHARACTERS_AT_ONCE) {
      await emit({ rows, n });
      [rows, size] = [[], 0];
    }
  }
  await emit({ rows, n });
  await place(staged, links, n, emit);
  return refused;
}

/** Of all its texts: each of them may be long. */
const sizeOf = (planned: PlannedItem): number => JSON.stringify(planned).length;

/** Milestones and releases come first, then items, then dependencies on later items. */
async function place(staged: readonly Staged[], links: SourceLinks, n: number, emit: (piece: Piece) => Promise<unknown>): Promise<void> {
  const containers = new Map<string, Container>();
  for (const { container } of staged) if (container) containers.set(containerKey(container), container);
  const keys = new Set(staged.map(({ key }) => key));
  const { order, later } = orderOf(staged.map((one) => ({ n: one.n, key: one.key, ...linksOf(links, one, keys) })));
  let next = n + 1;
  const first = [...containers.values()].map((planned): NewRow => ({ n: next++, line: null, key: null, kind: 'container', planned }));
  const last = later.map(({ key, blockedBy }): NewRow => ({ n: next++, line: null, key, kind: 'links', planned: { blockedBy } }));
  const implied = [...first, ...last];
  for (const rows of piecesOf(implied, ROWS_AT_ONCE)) await emit({ implied: rows });
  const unlinked = (row: NewRow): Placed => ({ n: row.n, links: null });
  const placed = [
    ...first.map(unlinked),
    ...order.map(({ n: at, parent, blockedBy }) => ({ n: at, links: { parent, blockedBy } })),
    ...last.map(unlinked),
  ];
  for (const rows of piecesOf(placed, PLACED_AT_ONCE)) await emit({ placed: rows });
}

/** Up to `most` rows each, and few if they are long. */
function* piecesOf<Row>(rows: readonly Row[], most: number): Generator<Row[]> {
  let piece: Row[] = [];
  let size = 0;
  for (const row of rows) {
    piece.push(row);
    size += JSON.stringify(row).length;
    if (piece.length < most && size <= CHARACTERS_AT_ONCE) continue;
    yield piece;
    [piece, size] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}

/** Links within the file, without cycles, and those to issues that only an earlier file may have. */
function linksOf(links: SourceLinks, { key, parentKey, blockedBy }: Staged, keys: ReadonlySet<string>): RowLinks {
  const within = links.linksOf(key);
  const outside = blockedBy.filter((one) => !keys.has(one));
  const above = parentKey !== null && !keys.has(parentKey) ? parentKey : null;
  return { parent: within.parentKey ?? above, blockedBy: [...within.blockedBy, ...outside] };
}

/** Adds what this item creates to the facts, for the next ones. */
export function learn(facts: Facts, { newLabels, newStatus }: PlannedItem): void {
  for (const name of newLabels) facts.labels.set(name.toLowerCase(), name);
  if (newStatus && !facts.statuses.some(({ key }) => key === newStatus.key)) facts.statuses.push(newStatus);
}

/** Throws InvalidRequest for a file with too many rows. */
async function* limited(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow> {
  let count = 0;
  for await (const row of rows) {
    if (++count > MOST_ROWS)
      throw new InvalidRequest([], `The file has more than ${MOST_ROWS.toLocaleString('en')} rows. Split it, and import each part.`);
    yield row;
  }
}
