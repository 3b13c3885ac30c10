/** New items made together, with links and dependencies among them: duplicates, templates and recurring tasks (behaviour §37.1–§37.4). */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { ChangedFields } from '../changes/schema.ts';
import type { Tx } from '../database/db.ts';
import { addDays, daysBetween, weekday } from '../values/dates.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { approvalStatuses, closedStatuses } from '../workspaces/statuses.ts';
import { readsGoals } from './changedFields.ts';
import { changeItems, type ItemEdit, mayWrite } from './changeItems.ts';
import { idsIn } from './decide.ts';
import { dateNames, type FieldName, fieldNames, isLink, type LinkName, linkNames } from './fields.ts';
import { readFacts, type WriteFacts } from './queries.ts';
import { storeBlockers } from './relationQueries.ts';
import { type ItemChange, type Status, setField, type Work, type WorkFields } from './schema.ts';
import { readTree } from './treeQueries.ts';
import { takeItemIds } from './writeQueries.ts';

/** Items in one tree, and characters of all their long texts. */
export const MOST_COPIED = 500;
export const MOST_CHARACTERS = 2_000_000;
const AT_ONCE = 100;

/** An item to create. Numbers in `links` and `blockedBy` are places in the tree; links come after the item that they point to. */
export interface TreeItem {
  type: ItemType;
  title: string;
  description: string;
  ownerId: number | null;
  /** Contains links to items outside the tree, too. */
  fields: WorkFields;
  links: Partial<Record<LinkName, number>>;
  labels: readonly number[];
  blockedBy: readonly { item: number; lagDays: number }[];
}
export type Tree = readonly TreeItem[];

const flag = z.boolean('give true or false');
/** Parts of the original that a copy has on request. */
export const Copied = z.object({ below: flag, labels: flag, dependencies: flag, people: flag });
export type Copied = z.infer<typeof Copied>;

/** State of the original, which a copy does not have. */
export const leftOut: readonly FieldName[] = ['statusKey', 'blockedReason', 'progressPercent', 'actualDate', 'current'];

/** The visible item and the items below it, as new items. Throws Conflict if they are too many or too long; Unauthenticated, Forbidden. */
export async function treeFrom(tx: Tx, caller: Caller, item: { workspaceId: number; id: number }, copied: Copied): Promise<TreeItem[]> {
  const { workspaceId, id } = item;
  const { items: found, characters } = await readTree(tx, caller, workspaceId, id, copied.below ? MOST_COPIED : 0);
  if (found.length > MOST_COPIED)
    throw new Conflict(
      `At most ${MOST_COPIED} items can be copied, and there are more below this one. Copy a smaller part, or leave out the items below.`,
    );
  if (characters > MOST_CHARACTERS) throw new Conflict('The texts of these items are too long to copy together. Copy a smaller part.');
  const facts = await readFacts(tx, caller, { workspaceId, ids: found.map((one) => one.id) });
  const works = inOrder(
    found.flatMap((one) => facts.items[one.id] ?? []),
    id,
  );
  const placeOf = new Map(works.map((work, place) => [work.id, place]));
  const related = new Map(found.map((one) => [one.id, one]));
  return works.map((work) => {
    const { labels = [], blockedBy = [] } = related.get(work.id) ?? {};
    return {
      ...copyOf(work, placeOf, copied.people, readsGoals(facts)),
      labels: copied.labels ? labels : [],
      blockedBy: copied.dependencies
        ? blockedBy.flatMap(({ id: blocker, lagDays }) => {
            const place = placeOf.get(blocker);
            return place === undefined ? [] : [{ item: place, lagDays }];
          })
        : [],
    };
  });
}

/** The root first, each item after those that it links to. */
function inOrder(works: readonly Work[], rootId: number): Work[] {
  const known = new Map(works.map((work) => [work.id, work]));
  const placed = new Set<Work>();
  const place = (work: Work) => {
    if (placed.has(work)) return;
    for (const name of linkNames) {
      const above = known.get(work.fields[name] ?? 0);
      if (above && work.id !== rootId) place(above);
    }
    placed.add(work);
  };
  for (const work of [known.get(rootId), ...works]) if (work) place(work);
  return [...placed];
}

function copyOf(work: Work, placeOf: ReadonlyMap<number, number>, people: boolean, goals: boolean): Omit<TreeItem, 'labels' | 'blockedBy'> {
  const { id: _id, version: _version, status: _status, type, title, description, ownerId, fields } = work;
  const links: TreeItem['links'] = {};
  const kept: WorkFields = {};
  for (const name of fieldNames) {
    if (leftOut.includes(name) || (name === 'goalId' && !goals) || (name === 'assigneeId' && !people)) continue;
    const inside = isLink(name) ? placeOf.get(fields[name] ?? 0) : undefined;
    if (isLink(name) && inside !== undefined) links[name] = inside;
    else setField(kept, name, fields[name] ?? undefined);
  }
  return { type, title, description, ownerId: people ? (ownerId ?? null) : null, fields: kept, links };
}

/** The earliest start, due or target date; null without dates. */
export const firstDay = (tree: Tree): string | null =>
  tree.flatMap(({ fields }) => dateNames.flatMap((name) => fields[name] ?? [])).sort()[0] ?? null;

export const withoutDates = (tree: Tree): TreeItem[] =>
  tree.map((item) => ({ ...item, fields: { ...item.fields, ...Object.fromEntries(dateNames.map((name) => [name, undefined])) } }));

/** Moves all dates by the days between `from` and `to`. `workdays`: a date on a weekend then becomes the Monday after it. */
export function movedBy(tree: Tree, { from, to, workdays }: { from: string; to: string; workdays: boolean }): TreeItem[] {
  const days = daysBetween(from, to);
  const moved = (date: string) => {
    const there = addDays(date, days);
    return workdays && weekday(there) > 4 ? addDays(there, 7 - weekday(there)) : there;
  };
  return tree.map((item) => {
    const dates = dateNames.flatMap((name) => (item.fields[name] ? [[name, moved(item.fields[name])]] : []));
    return { ...item, fields: { ...item.fields, ...Object.fromEntries(dates) } };
  });
}

/** Throws Forbidden unless the caller may write the first item, InvalidRequest for types below that they may not write. */
export function mayWriteTree(permit: Permit, tree: Tree): void {
  for (const [place, { type }] of tree.entries()) {
    if (place === 0) mayWrite(permit, type);
    else if (!holds(permit.rights, bits(resourceOf(type), 'write')))
      throw new InvalidRequest(['below'], `you can’t add a ${type} here; leave out the items below.`);
  }
}

/** The rights and facts to create these items. Throws Unauthenticated, and like mayWriteTree. */
export async function treeFacts(tx: Tx, caller: Caller, workspaceId: number, tree: Tree): Promise<Permit & WriteFacts> {
  const permit = await readFacts(tx, caller, { workspaceId, ...idsIn(tree) });
  mayWriteTree(permit, tree);
  return permit;
}

/** Creates the items with status planned and returns their ids, in the order of the tree. Leaves out people who can't be assigned, links to
 *  items that are hidden, and priorities that no longer exist. */
export async function createTree(tx: Tx, permit: Permit & WriteFacts, tree: Tree): Promise<readonly number[]> {
  const ids = await takeItemIds(tx, tree.length);
  const made = tree.map((item, place) => ({ item, id: elementAt(ids, place) }));
  const targets = { ...permit.targets, ...Object.fromEntries(made.map(({ item, id }) => [id, item.type])) };
  const edits = made.map(({ item, id }) => editOf(permit, item, ids, id));
  for (const places of batchesOf(tree)) {
    await changeItems(
      tx,
      { ...permit, targets },
      places.map((place) => elementAt(edits, place)),
    );
  }
  const blocked = made.flatMap(({ item: { blockedBy }, id }) =>
    blockedBy.length ? [{ itemId: id, blockedBy: blockersOf(blockedBy, ids) }] : [],
  );
  if (blocked.length) await storeBlockers(tx, permit, blocked);
  return ids;
}

const blockersOf = (blockedBy: TreeItem['blockedBy'], ids: readonly number[]) =>
  blockedBy.map(({ item, lagDays }) => ({ id: elementAt(ids, item), lagDays })).sort((a, b) => a.id - b.id);

function editOf(permit: WriteFacts, item: TreeItem, ids: readonly number[], id: number): ItemEdit {
  const { type, title, description, ownerId, links, labels, blockedBy } = item;
  const inside = Object.fromEntries(Object.entries(links).map(([name, at]) => [name, ids[at]]));
  const change: ItemChange = {
    ...{ title, description, status: firstStatus(permit, type), fields: { ...usable(permit, item.fields), ...inside } },
    ownerId: ownerId !== null && ownerId in permit.people ? ownerId : undefined,
  };
  const changed: ChangedFields = blockedBy.length ? { blockedBy: [[], blockersOf(blockedBy, ids)] } : {};
  return { type, change, relations: labels.length ? { labels } : undefined, made: { id, changed } };
}

function usable({ people, targets, priorities }: WriteFacts, fields: WorkFields): WorkFields {
  const { assigneeId, priorityKey } = fields;
  const gone = linkNames.filter((name) => fields[name] != null && !(fields[name] in targets));
  return {
    ...fields,
    ...(assigneeId != null && !(assigneeId in people) && { assigneeId: undefined }),
    ...(priorityKey != null && !priorities.some(({ key }) => key === priorityKey) && { priorityKey: undefined }),
    ...Object.fromEntries(gone.map((name) => [name, undefined])),
  };
}

/** `planned`, or the first open status where the workspace has none for the type. */
function firstStatus({ statuses }: WriteFacts, type: ItemType): Status {
  const of = statuses.filter(({ types }) => types.includes(type)).map(({ status }) => status);
  const usual = (status: Status) => ![...closedStatuses, ...approvalStatuses, 'blocked'].includes(status);
  return of.includes('planned') ? 'planned' : (of.find(usual) ?? 'planned');
}

/** Places by level, so that each item is written after those that it links to. */
function batchesOf(tree: Tree): number[][] {
  const levels: number[] = [];
  for (const { links } of tree) levels.push(Math.max(0, ...Object.values(links).map((place) => elementAt(levels, place) + 1)));
  const byLevel = Map.groupBy(tree.keys(), (place) => elementAt(levels, place));
  return [...byLevel].sort(([a], [b]) => a - b).flatMap(([, places]) => chunked(places));
}

const chunked = (places: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(places.length / AT_ONCE) }, (_, n) => places.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
