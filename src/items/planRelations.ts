/** Decides and stores changes of labels and dependencies, as part of a change of items (behaviour §33.4–§33.7). */
import type { Permit } from '../access/caller.ts';
import type { ChangedFields } from '../changes/schema.ts';
import type { Tx } from '../database/db.ts';
import { errorAt, Faults, Forbidden, InvalidRequest, type Path } from '../values/errors.ts';
import { elementAt, valueAt } from '../values/records.ts';
import { MOST_LABELS_ON_ITEM } from '../workspaces/labelSchema.ts';
import {
  type FoundLabel,
  findCycle,
  lockDependencies,
  lockedLabels,
  readNearest,
  readReadable,
  readStored,
  type StoredRelations,
  storeBlockers,
  storeLabels,
} from './relationQueries.ts';
import { MOST_BLOCKERS, type RelationChange } from './relationSchema.ts';

/** One change of a batch. `id`: unset for a new item. `path`: its place in the input. */
interface RelationEdit {
  id?: number | undefined;
  relations?: RelationChange | undefined;
  path: Path;
}

/** The relations to store, with the part of the change's row. Undefined parts stay. */
interface PlannedRelations {
  labels?: readonly number[];
  blockedBy?: readonly { id: number; lagDays: number }[];
  /** Ids of the blockers that the input gives. The caller can read them. */
  given: readonly number[];
  changed: ChangedFields;
  path: Path;
}

type Labels = ReadonlyMap<number | string, FoundLabel>;

const none: Omit<StoredRelations, 'itemId'> = { labels: [], blockedBy: [] };
const unchanged: RelationChange = {};

/** In the order of `edits`; null where nothing is given. Throws InvalidRequest for labels, Forbidden for absent and hidden blockers. */
export async function planRelations(tx: Tx, permit: Permit, edits: readonly RelationEdit[]): Promise<(PlannedRelations | null)[]> {
  const given = edits.map(({ relations = unchanged }) => relations);
  if (given.every(({ labels, blockedBy }) => !labels && !blockedBy)) return edits.map(() => null);
  const blockers = given.flatMap(({ blockedBy = [] }) => addedOf(blockedBy).map(({ id }) => id));
  if (blockers.length) await lockDependencies(tx, permit);
  const ids = edits.flatMap(({ id, relations }) => (id !== undefined && relations ? [id] : []));
  const stored = new Map((await readStored(tx, permit, ids)).map((one) => [one.itemId, one]));
  const labels = await findLabels(tx, permit, given, heldLabels(edits, stored));
  const readable = await readReadable(tx, permit, [...new Set(blockers)]);
  const plans: (PlannedRelations | null)[] = [];
  for (const { id, relations, path } of edits) {
    const before = (id !== undefined && stored.get(id)) || none;
    const changed: ChangedFields = {};
    const after = {
      ...(relations?.labels && { labels: await labelsAfter(tx, permit, { before, labels, path, changed, given: relations.labels }) }),
      ...(relations?.blockedBy && { blockedBy: blockersAfter({ id, before, readable, path, changed, given: relations.blockedBy }) }),
    };
    const ids = addedOf(relations?.blockedBy ?? []).map((blocker) => blocker.id);
    plans.push(relations ? { ...after, given: ids, changed, path } : null);
  }
  return plans;
}

const addedOf = <Entry>(given: readonly Entry[] | { add: readonly Entry[] }): readonly Entry[] => ('add' in given ? given.add : given);

/** The labels that changed items may keep. A merge changes no version, so they must be locked. */
const heldLabels = (edits: readonly RelationEdit[], stored: ReadonlyMap<number, StoredRelations>): number[] =>
  edits.flatMap(({ id, relations }) =>
    id !== undefined && relations?.labels ? (stored.get(id)?.labels ?? []).map((label) => label.id) : [],
  );

/** The workspace's labels by id and by name in lower case. A merged label yields the label that it was merged into. */
async function findLabels(tx: Tx, { workspaceId }: Permit, given: readonly RelationChange[], held: readonly number[]): Promise<Labels> {
  const named = given.flatMap(({ labels = [] }) => [...addedOf(labels), ...('remove' in labels ? labels.remove : [])]);
  const asked = [...named, ...held];
  const names = asked.filter((one) => typeof one === 'string');
  const found = new Map<number | string, FoundLabel>();
  const merged = new Map<number, number>();
  let wanted = asked.filter((one) => typeof one === 'number');
  for (let first = true; first || wanted.length; first = false) {
    const rows = await lockedLabels(tx, workspaceId, wanted, first ? names : []);
    for (const row of rows) {
      if (row.mergedInto !== null) merged.set(row.id, row.mergedInto);
      else found.set(row.id, row).set(row.name.toLowerCase(), row);
    }
    wanted = rows.flatMap(({ mergedInto }) => (mergedInto !== null && !found.has(mergedInto) ? [mergedInto] : []));
  }
  for (const [id, into] of merged) {
    let end = into;
    for (let next = merged.get(end); next !== undefined; next = merged.get(next)) end = next;
    found.set(id, valueAt(found, end));
  }
  return found;
}

interface Deciding<Given> {
  before: Omit<StoredRelations, 'itemId'>;
  path: Path;
  changed: ChangedFields;
  given: Given;
}

/** Returns the ids to store, and adds the names to `changed`. */
async function labelsAfter(
  tx: Tx,
  { workspaceId }: Permit,
  { before, labels, path, changed, given }: Deciding<NonNullable<RelationChange['labels']>> & { labels: Labels },
): Promise<number[]> {
  const keyOf = (one: number | string) => (typeof one === 'string' ? one.toLowerCase() : one);
  const held = new Map(before.labels.map(({ id, name }) => [labels.get(id)?.id ?? id, labels.get(id)?.name ?? name]));
  const faults = new Faults();
  const after = new Map('add' in given ? held : []);
  for (const one of 'add' in given ? given.remove : []) {
    const label = labels.get(keyOf(one));
    if (label) after.delete(label.id);
    else if (typeof one === 'string') faults.add([...path, 'labels'], `label '${one}' was renamed or merged; change the labels yourself.`);
  }
  for (const [n, one] of addedOf(given).entries()) {
    const label = labels.get(keyOf(one));
    const at = [...path, 'labels', n];
    if (!label && typeof one === 'string') {
      const nearest = await readNearest(tx, workspaceId, one);
      faults.add(at, { problem: `'${one}' is not a label of this workspace`, allowed: nearest });
    } else if (!label) faults.add(at, `there is no label ${one} in this workspace; read the labels again.`);
    else if (label.archived && !held.has(label.id)) faults.add(at, `label '${label.name}' is archived; choose another one.`);
    else after.set(label.id, label.name);
  }
  if (after.size > MOST_LABELS_ON_ITEM)
    faults.add([...path, 'labels'], `an item can have at most ${MOST_LABELS_ON_ITEM} labels; remove one.`);
  faults.check();
  if (after.size !== held.size || [...after.keys()].some((id) => !held.has(id))) changed.labels = [sorted(held), sorted(after)];
  return [...after.keys()];
}

const sorted = (labels: ReadonlyMap<number, string>): string[] => [...labels.values()].sort((a, b) => a.localeCompare(b, 'en'));

/** Keeps blockers that the caller can't see. */
function blockersAfter({
  id: itemId,
  before,
  readable,
  path,
  changed,
  given,
}: Deciding<NonNullable<RelationChange['blockedBy']>> & { id: number | undefined; readable: ReadonlySet<number> }) {
  const held = new Map(before.blockedBy.map(({ id, lagDays }) => [id, lagDays]));
  const stays = ({ id, visible }: { id: number; visible: boolean }) => !visible || ('remove' in given && !given.remove.includes(id));
  const after = new Map(before.blockedBy.filter(stays).map(({ id, lagDays }) => [id, lagDays]));
  for (const [n, { id, lagDays }] of addedOf(given).entries()) {
    if (id === itemId) throw new InvalidRequest([...path, 'blockedBy', n, 'id'], 'an item cannot wait for itself; give another item.');
    if (!readable.has(id)) throw errorAt(path, new Forbidden());
    after.set(id, lagDays ?? held.get(id) ?? 0);
  }
  const hidden = before.blockedBy.filter(({ visible }) => !visible).length;
  if (after.size - hidden > MOST_BLOCKERS)
    throw new InvalidRequest([...path, 'blockedBy'], `an item can wait for at most ${MOST_BLOCKERS} items; remove one.`);
  const listed = (all: ReadonlyMap<number, number>) => [...all].sort(([a], [b]) => a - b).map(([id, lagDays]) => ({ id, lagDays }));
  if (after.size !== held.size || [...after].some(([id, lagDays]) => held.get(id) !== lagDays))
    changed.blockedBy = [listed(held), listed(after)];
  return listed(after);
}

/** Stores the planned relations of the items with these ids. Throws InvalidRequest for a cycle, and then the transaction must roll back. */
export async function storeRelations(
  tx: Tx,
  permit: Permit,
  plans: readonly (PlannedRelations | null)[],
  ids: readonly number[],
): Promise<void> {
  const planned = plans.flatMap((plan, at) => (plan ? [{ ...plan, itemId: elementAt(ids, at) }] : []));
  const labels = planned.flatMap(({ itemId, labels: to, changed }) => (to && changed.labels ? [{ itemId, labels: to }] : []));
  if (labels.length) await storeLabels(tx, permit, labels);
  const blockers = planned.flatMap(({ itemId, blockedBy: to, changed }) => (to && changed.blockedBy ? [{ itemId, blockedBy: to }] : []));
  if (blockers.length === 0) return;
  await storeBlockers(tx, permit, blockers);
  const cycle = await findCycle(
    tx,
    planned.flatMap(({ itemId, given }) => given.map((blocker) => ({ item: itemId, blocker }))),
  );
  if (!cycle) return;
  const found = planned.find(({ itemId }) => itemId === cycle.item);
  throw new InvalidRequest(
    [...(found?.path ?? []), 'blockedBy'],
    `item ${cycle.blocker} waits for item ${cycle.item} already, directly or through others; leave it out.`,
  );
}
