/** Writes a batch of staged rows: creates items, updates those of an earlier import, and adds comments (behaviour §36.22, §36.26). */
import { createHash } from 'node:crypto';
import type { Permit } from '../../access/caller.ts';
import { type ItemType, requireLevel, resourceOf } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { changedFields } from '../../items/changedFields.ts';
import { changeItems, type ItemEdit } from '../../items/changeItems.ts';
import { decideItem } from '../../items/decide.ts';
import { applies, type LinkName, linkNames, linkTargets } from '../../items/fields.ts';
import { readFacts, type WriteFacts } from '../../items/queries.ts';
import { lockDependencies, storeBlockers, storeLabels } from '../../items/relationQueries.ts';
import { MOST_BLOCKERS } from '../../items/relationSchema.ts';
import type { ItemChange } from '../../items/schema.ts';
import { InvalidRequest } from '../../values/errors.ts';
import { elementAt } from '../../values/records.ts';
import { takeIds } from '../queries.ts';
import { type Container, containerKey, type PlannedItem } from '../sources/planned.ts';
import {
  insertComments,
  insertItems,
  type Known,
  type NewComment,
  type NewItem,
  readContainers,
  readKnown,
  readLabelIds,
  readWrittenRows,
  storeItemIds,
  storeWritten,
  type Written,
} from './itemQueries.ts';
import { type AnyRow, type Note, readStagedKeys } from './rowQueries.ts';
import { type Counts, hasKeys, noCounts, type Run } from './schema.ts';
import { decideUpdate, valuesOf } from './update.ts';

interface Target {
  id: number;
  type: ItemType;
}

interface Batch {
  tx: Tx;
  run: Run;
  permit: Permit & WriteFacts;
  /** Items by key, of earlier batches and imports, and those that this batch creates. */
  targets: Map<string, Target>;
  known: ReadonlyMap<string, Known>;
  /** Milestones and releases by `containerKey`. */
  containers: Map<string, Target>;
  labels: ReadonlyMap<string, { id: number; name: string; archived: boolean }>;
  /** Keys of earlier blockers that the file has: without them, it says nothing about their dependencies. */
  inFile: ReadonlySet<string>;
  /** Rows that were written without some of their values. */
  notes: Note[];
}

/** Throws an AppError if a row can't be written; then the transaction must roll back. */
export async function writeRows(tx: Tx, run: Run, permit: Permit, rows: readonly AnyRow[]): Promise<{ counts: Counts; notes: Note[] }> {
  const batch = await prepare(tx, run, permit, rows);
  const fresh: { row: AnyRow; planned: PlannedItem | Container }[] = [];
  const known: Updating[] = [];
  for (const row of rows) {
    const item = knownOf(batch, row);
    if (row.kind === 'container') {
      if (!batch.containers.has(containerKey(row.planned))) fresh.push({ row, planned: row.planned });
    } else if (row.kind === 'links') {
      if (!item) throw new InvalidRequest([], 'This row was refused, so it has no dependencies. Add them by hand.');
      known.push({ row, planned: null, blockedBy: row.planned.blockedBy, item });
    } else if (item) known.push({ row, planned: row.planned, blockedBy: row.links?.blockedBy ?? [], item });
    else fresh.push({ row, planned: row.planned });
  }
  const comments: NewComment[] = [];
  await create(batch, fresh, comments);
  const counts: Counts = { ...noCounts, created: fresh.length };
  await update(batch, known, comments, counts);
  counts.comments = await addComments(batch, comments);
  return { counts, notes: batch.notes };
}

async function prepare(tx: Tx, run: Run, permit: Permit, rows: readonly AnyRow[]): Promise<Batch> {
  const issues = rows.flatMap((row) => (row.kind === 'issue' ? [row] : []));
  const own = new Set(rows.flatMap((row) => keyOf(row) ?? []));
  const byKey = new Map<string, Known>();
  const read = async (keys: readonly string[]) => {
    const missing = [...new Set(keys)].filter((key) => !byKey.has(key));
    if (missing.length === 0) return;
    for (const one of await readItems(tx, run, permit, missing)) byKey.set(one.key, one);
  };
  await read([...own, ...rows.flatMap(linkedKeys)]);
  const updated = [...byKey.values()].filter(({ key }) => own.has(key));
  const blockers = updated.flatMap(({ written }) => listOf(written.blockedBy));
  await read(blockers);
  const inFile = new Set(blockers.length > 0 ? await readStagedKeys(tx, run.id, blockers) : []);
  const wanted = rows.flatMap(({ kind, planned }) =>
    kind === 'container' ? [planned] : kind === 'issue' && planned.container ? [planned.container] : [],
  );
  const containers = wanted.length > 0 ? await readContainers(tx, permit, wanted) : [];
  const names = [...issues.flatMap(({ planned }) => planned.labels), ...updated.flatMap(({ written }) => listOf(written.labels))];
  const labels = names.length > 0 ? await readLabelIds(tx, permit, [...new Set(names)]) : [];
  const facts = await readFacts(tx, permit.caller, {
    workspaceId: permit.workspaceId,
    ids: updated.filter(({ visible }) => visible).map(({ id }) => id),
    people: [...new Set(issues.flatMap(({ planned }) => planned.fields.assigneeId ?? []))],
  });
  return {
    ...{ tx, run, known: byKey, inFile, notes: [], permit: facts },
    targets: new Map([...byKey.values()].filter(({ visible }) => visible).map(({ key, id, type }) => [key, { id, type }])),
    // The oldest of several with one title.
    containers: new Map(containers.toReversed().map((one) => [containerKey(one), one])),
    labels: new Map(labels.map((one) => [one.name.toLowerCase(), one])),
  };
}

const readItems = (tx: Tx, run: Run, permit: Permit, keys: readonly string[]): Promise<readonly Known[]> =>
  hasKeys(run) ? readKnown(tx, permit, run.source, keys) : readWrittenRows(tx, permit, run, keys);

/** The id of the item that the row would change. */
export async function itemOfRow(tx: Tx, run: Run, permit: Permit, row: AnyRow): Promise<number | null> {
  const key = keyOf(row);
  return key === null ? null : ((await readItems(tx, run, permit, [key]))[0]?.id ?? null);
}

function knownOf({ known }: Pick<Batch, 'known'>, row: AnyRow): Known | undefined {
  const key = keyOf(row);
  return key === null ? undefined : known.get(key);
}

/** Null: the row always becomes a new item. */
const keyOf = (row: AnyRow): string | null => (row.kind === 'issue' && row.planned.isNumbered ? null : row.key);

const linkedKeys = ({ kind, planned, links }: AnyRow): string[] => [
  ...(links ? [...(links.parent === null ? [] : [links.parent]), ...links.blockedBy] : []),
  ...(kind === 'links' ? planned.blockedBy : []),
];

/** The link that places an item of type `below` under one of type `above`. */
const linkBetween = (below: ItemType, above: ItemType): LinkName | undefined =>
  linkNames.find((name) => applies(name, below) && linkTargets(name, below).includes(above));

/** The links to the parent and the milestone or release, with their types for the rules. */
function linksOf(
  batch: Batch,
  planned: PlannedItem,
  parentKey: string | null,
): { fields: Record<string, number>; targets: Record<number, ItemType> } {
  const linked: { fields: Record<string, number>; targets: Record<number, ItemType> } = { fields: {}, targets: {} };
  const parent = parentKey === null ? undefined : batch.targets.get(parentKey);
  const container = planned.container ? batch.containers.get(containerKey(planned.container)) : undefined;
  for (const target of [container, parent]) {
    const name = target && linkBetween(planned.type, target.type);
    if (!name) continue;
    linked.fields[name] = target.id;
    linked.targets[target.id] = target.type;
  }
  return linked;
}

function note(batch: Batch, row: AnyRow, problem: string): void {
  batch.notes.push({ n: row.n, problem, refused: false, itemId: knownOf(batch, row)?.id ?? null });
}

/** Ids of the labels; names of those that can't be added are noted. */
function labelsOf(batch: Batch, row: AnyRow, names: readonly string[]): { id: number; name: string }[] {
  const found = names.map((name) => ({ name, label: batch.labels.get(name.toLowerCase()) }));
  const lacking = found.filter(({ label }) => !label || label.archived).map(({ name }) => name);
  if (lacking.length > 0) note(batch, row, `Left out labels that are archived or above the workspace's limit: ${lacking.join(', ')}.`);
  return found.flatMap(({ label }) => (label && !label.archived ? [label] : []));
}

function blockersOf(batch: Batch, row: AnyRow, keys: readonly string[]): { id: number; lagDays: number }[] {
  const found = [...new Set(keys.flatMap((key) => batch.targets.get(key)?.id ?? []))];
  if (found.length > MOST_BLOCKERS) note(batch, row, `Kept the first ${MOST_BLOCKERS} of ${found.length} dependencies.`);
  return found
    .slice(0, MOST_BLOCKERS)
    .sort((a, b) => a - b)
    .map((id) => ({ id, lagDays: 0 }));
}

const isContainer = (planned: PlannedItem | Container): planned is Container => !('key' in planned);

async function create(
  batch: Batch,
  rows: readonly { row: AnyRow; planned: PlannedItem | Container }[],
  comments: NewComment[],
): Promise<void> {
  if (rows.length === 0) return;
  const { tx, permit, run } = batch;
  const ids = await takeIds(tx, 'items', rows.length);
  const labels: { itemId: number; labels: number[] }[] = [];
  const blockers: { itemId: number; blockedBy: { id: number; lagDays: number }[] }[] = [];
  const items = rows.map(({ row, planned }, at): NewItem => {
    const id = elementAt(ids, at);
    if (isContainer(planned)) {
      batch.containers.set(containerKey(planned), { id, type: planned.type });
      return newItem(batch, id, planned.type, { title: planned.title });
    }
    // In the order of writing, its links are known by now. It is a target for later rows only.
    const links = linksOf(batch, planned, row.links?.parent ?? null);
    const found = labelsOf(batch, row, planned.labels);
    const blockedBy = blockersOf(batch, row, row.links?.blockedBy ?? []);
    const item = newItem(batch, id, planned.type, changeOf(planned, links.fields), { planned, targets: links.targets });
    if (found.length > 0) {
      item.changed.labels = [[], found.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en'))];
      labels.push({ itemId: id, labels: found.map((label) => label.id) });
    }
    if (blockedBy.length > 0) {
      item.changed.blockedBy = [[], blockedBy];
      blockers.push({ itemId: id, blockedBy });
    }
    item.written = { ...item.written, ...relationsWritten(planned.labels, row.links?.blockedBy ?? []) };
    if (!planned.isNumbered) batch.targets.set(planned.key, { id, type: planned.type });
    for (const comment of commentsOf(permit, id, planned)) comments.push(comment);
    return item;
  });
  if (blockers.length > 0) await lockDependencies(tx, permit);
  await insertItems(tx, permit, run, items);
  if (!hasKeys(run))
    await storeItemIds(
      tx,
      run,
      rows.map(({ row }, at) => ({ n: row.n, itemId: elementAt(ids, at) })),
    );
  if (labels.length > 0) await storeLabels(tx, permit, labels);
  // A new item blocks nothing yet, so its blockers form no cycle.
  if (blockers.length > 0) await storeBlockers(tx, permit, blockers);
}

/** Labels and keys of blockers as the source has them, to find those that a newer export adds or removes. */
const relationsWritten = (labels: readonly string[], blockedBy: readonly string[]): Written => ({
  ...(labels.length > 0 && { labels }),
  ...(blockedBy.length > 0 && { blockedBy }),
});

const changeOf = ({ title, description, status, fields }: PlannedItem, links: Record<string, number | null>): ItemChange => ({
  title,
  description,
  status,
  fields: { ...fields, ...links },
});

function newItem(
  { permit, run }: Batch,
  id: number,
  type: ItemType,
  change: ItemChange,
  { planned, targets = {} }: { planned?: PlannedItem; targets?: Record<number, ItemType> } = {},
): NewItem {
  const row = decideItem(type, change, { ...permit, stored: null, targets });
  return {
    ...{ id, row, changed: changedFields(null, row) },
    ...{ createdAt: planned?.createdAt ?? null, completedAt: planned?.completedAt ?? null, archived: planned?.archived ?? false },
    ...{ key: (hasKeys(run) && !planned?.isNumbered && planned?.key) || null, url: planned?.url ?? null, written: valuesOf(change) },
  };
}

interface Updating {
  row: AnyRow;
  /** Null: only dependencies are added. */
  planned: PlannedItem | null;
  blockedBy: readonly string[];
  item: Known;
}

const MOST_EDITS = 100;

/** Adds to `comments` and `counts`. */
async function update(batch: Batch, rows: readonly Updating[], comments: NewComment[], counts: Counts): Promise<void> {
  const { tx, permit, run } = batch;
  for (let from = 0; from < rows.length; from += MOST_EDITS) {
    const decided = rows.slice(from, from + MOST_EDITS).map((one) => decideRow(batch, one));
    const targets = Object.fromEntries([...batch.targets.values(), ...batch.containers.values()].map(({ id, type }) => [id, type]));
    const edits = decided.flatMap(({ edit }) => edit ?? []);
    if (edits.length > 0) await changeItems(tx, { ...permit, targets }, edits);
    const stored = decided.map(({ one: { item, planned }, edit, written }) => ({
      id: item.id,
      url: planned?.url ?? null,
      written,
      changed: edit !== null,
    }));
    await storeWritten(tx, stored, run);
    for (const { one, edit } of decided) {
      if (one.planned === null) continue;
      counts[edit ? 'updated' : 'unchanged']++;
      for (const comment of commentsOf(permit, one.item.id, one.planned)) comments.push(comment);
    }
  }
}

function decideRow(batch: Batch, one: Updating): { one: Updating; edit: ItemEdit | null; written: Written } {
  const { row, planned, item } = one;
  const stored = batch.permit.items[item.id];
  if (item.departed) throw new InvalidRequest([], 'This item was moved to another workspace. Change it there.');
  if (!stored) throw new InvalidRequest([], 'This item is archived here, or you may not see it. Restore it, then import the file again.');
  // Also for a row without a difference: its link and its values are stored.
  requireLevel(batch.permit.rights, resourceOf(stored.type), 'write');
  const links = planned ? { ...endedLinks(planned, item.written), ...linksOf(batch, planned, row.links?.parent ?? null).fields } : {};
  // An item keeps its type: links and fields of another type may not apply.
  const fits = planned && planned.type === stored.type;
  const decided = fits
    ? decideUpdate(stored, item.written, changeOf(planned, links))
    : { change: {}, written: { ...item.written }, kept: [] };
  if (planned && !fits) note(batch, row, `It is a ${stored.type} here: only comments were added.`);
  if (decided.kept.length > 0) note(batch, row, `Kept what was changed here: ${decided.kept.join(', ')}.`);
  const relations = relationsOf(batch, one);
  if (fits) Object.assign(decided.written, { labels: planned.labels, blockedBy: blockersWritten(batch, one) });
  const changes = Object.keys(decided.change).length > 0 || relations !== undefined;
  return {
    one,
    written: decided.written,
    edit: changes ? { id: item.id, version: stored.version, change: decided.change, relations } : null,
  };
}

/** The links of an item that is no longer below another one. */
const endedLinks = ({ parentKey, container }: PlannedItem, written: Written): Record<string, null> =>
  parentKey === null && container === null
    ? Object.fromEntries(linkNames.filter((name) => typeof written[name] === 'number').map((name) => [name, null]))
    : {};

const blockersWritten = ({ inFile }: Batch, { blockedBy, item }: Updating): string[] => [
  ...new Set([...blockedBy, ...listOf(item.written.blockedBy).filter((key) => !inFile.has(key))]),
];

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The difference to the earlier export. Labels and blockers that people set here stay. */
function relationsOf(batch: Batch, { row, planned, blockedBy, item }: Updating): ItemEdit['relations'] {
  const [labelsBefore, blockersBefore] = [listOf(item.written.labels), listOf(item.written.blockedBy)];
  const added = planned ? planned.labels.filter((name) => !labelsBefore.includes(name)) : [];
  const removed = planned ? labelsBefore.filter((name) => !planned.labels.includes(name)) : [];
  const labels = {
    add: labelsOf(batch, row, added).map(({ id }) => id),
    remove: removed.flatMap((name) => batch.labels.get(name.toLowerCase())?.id ?? []),
  };
  const idsOf = (keys: readonly string[]) => keys.flatMap((key) => batch.targets.get(key)?.id ?? []);
  const blockers = {
    add: blockersOf(
      batch,
      row,
      blockedBy.filter((key) => planned === null || !blockersBefore.includes(key)),
    ),
    remove: planned ? idsOf(blockersBefore.filter((key) => !blockedBy.includes(key) && batch.inFile.has(key))) : [],
  };
  const has = ({ add, remove }: { add: readonly unknown[]; remove: readonly unknown[] }) => add.length + remove.length > 0;
  if (!has(labels) && !has(blockers)) return undefined;
  return { ...(has(labels) && { labels }), ...(has(blockers) && { blockedBy: blockers }) };
}

/** A comment is known again by its time and its place among those of the same time; without a time by its text. */
function commentsOf({ userId }: Permit, itemId: number, { comments }: PlannedItem): NewComment[] {
  const seen = new Map<string, number>();
  return comments.map(({ authorId, createdAt, body }) => {
    const mark = createdAt ?? body;
    const place = (seen.get(mark) ?? 0) + 1;
    seen.set(mark, place);
    return { itemId, authorId: authorId ?? userId, body, createdAt, digest: createHash('md5').update(`${place} ${mark}`).digest('hex') };
  });
}

const MOST_COMMENTS = 1_000;

async function addComments({ tx, permit }: Batch, comments: readonly NewComment[]): Promise<number> {
  let added = 0;
  for (let from = 0; from < comments.length; from += MOST_COMMENTS)
    added += await insertComments(tx, permit, comments.slice(from, from + MOST_COMMENTS));
  return added;
}
