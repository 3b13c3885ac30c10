/** Converts a file's items to rows. The rules of behaviour §4 apply as for new items, except that items may be approved already. */
import { ALL_RIGHTS, type ItemType, itemTypes } from '../access/rights.ts';
import { decideItem } from '../items/decide.ts';
import { fieldNames, fields, type LinkName, linkNames } from '../items/fields.ts';
import type { ItemFacts } from '../items/queries.ts';
import type { WorkFields } from '../items/schema.ts';
import { dotted, InvalidRequest, type Path, withPath } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { closedStatuses } from '../workspaces/statuses.ts';
import { idOf, idsOf, scopeOf, type WorkspaceImport } from './home.ts';
import type { Row } from './queries.ts';
import type { ItemPlaces, Read } from './readFile.ts';
import type { ItemEntry } from './schema.ts';
import type { Workflow } from './workflowQueries.ts';

/** Links by index in the list. The links of item `n` are in `to` from `ends[n - 1]` up to `ends[n]`. */
export interface Links {
  ends: Uint32Array;
  to: Uint32Array;
}

/** Level by level, each level in file order. Items in link cycles are missing from the result. */
export function linkOrder({ ends, to }: Links): Uint32Array {
  const count = ends.length;
  const missing = Uint32Array.from(ends, (end, n) => end - startOf(ends, n));
  const below = turned({ ends, to });
  const order = new Uint32Array(count);
  let filled = 0;
  for (let n = 0; n < count; n++) if (missing[n] === 0) order[filled++] = n;
  for (let level = 0; level < filled; ) {
    const end = filled;
    for (; level < end; level++) {
      const item = order[level]!;
      for (let at = startOf(below.ends, item); at < below.ends[item]!; at++) {
        const child = below.to[at]!;
        if (--missing[child]! === 0) order[filled++] = child;
      }
    }
    order.subarray(end, filled).sort();
  }
  return order.subarray(0, filled);
}

export const startOf = (ends: Uint32Array, n: number) => (n === 0 ? 0 : ends[n - 1]!);

function turned({ ends, to }: Links): Links {
  const result = { ends: new Uint32Array(ends.length), to: new Uint32Array(to.length) };
  for (const target of to) result.ends[target]!++;
  for (let n = 1; n < ends.length; n++) result.ends[n]! += result.ends[n - 1]!;
  const free = result.ends.slice();
  for (let n = ends.length - 1; n >= 0; n--) {
    for (let at = startOf(ends, n); at < ends[n]!; at++) result.to[--free[to[at]!]!] = n;
  }
  return result;
}

type Facts = Omit<ItemFacts, 'targets'> & { contextRights: number; approves: boolean };

/** Yields one row per item, after all items that it links to, because the triggers of sql/0004_items.sql read linked items. */
export function* itemRows(at: WorkspaceImport, workflow: Workflow, people: Record<string, string>): Generator<Row> {
  const { file, path } = at;
  const places = file.itemsOf(path);
  const links = linksOf(at, places);
  const order = linkOrder(links);
  if (order.length < links.ends.length) {
    const written = new Set(order);
    const stuck = links.ends.findIndex((_end, n) => !written.has(n));
    throw new InvalidRequest([...path, 'items', stuck, 'fields'], 'its links form a cycle or lead to one; remove one of them.');
  }
  if (order.length === 0) return;
  const facts: Facts = { ...workflow, stored: null, people, contextRights: ALL_RIGHTS, approves: true };
  const [scope, ids] = [scopeOf(at), idsOf(at, 'items')];
  for (const n of order) {
    const item = file.item(path, places, n);
    yield { id: ids[n], ...scope, ...itemRow(at, item, linkedTo(item.entry, links, places, n, ids), facts) };
  }
}

/** The links between the file's items. Throws InvalidRequest for a ref to anything but an item of the same workspace. */
function linksOf(at: WorkspaceImport, { linkEnds, links }: ItemPlaces): Links {
  const result = { ends: new Uint32Array(linkEnds.length), to: new Uint32Array(links.length) };
  for (let n = 0, link = 0; n < linkEnds.length; n++) {
    for (; link < linkEnds.at(n); link++) {
      const target = at.file.refs.within(links.at(link), 'item', { account: at.a, workspace: at.w });
      if (!target) refuseLink(at, n);
      result.to[link] = target.n;
    }
    result.ends[n] = link;
  }
  return result;
}

function refuseLink(at: WorkspaceImport, n: number): never {
  const { entry, path } = at.file.item(at.path, at.file.itemsOf(at.path), n);
  for (const name of linkNames) {
    const pointer = entry.fields[name];
    if (pointer) idOf(at, [...path, 'fields', name, 'ref'], pointer.ref, 'item');
  }
  throw new InvalidRequest(path, 'changed while the file was read; import it again without changing it.');
}

interface Linked {
  fields: Partial<Record<LinkName, number | null>>;
  targets: Record<number, ItemType>;
}

function linkedTo({ fields: given }: ItemEntry, { ends, to }: Links, { types }: ItemPlaces, n: number, ids: Float64Array): Linked {
  const linked: Linked = { fields: {}, targets: {} };
  let link = startOf(ends, n);
  for (const name of linkNames) {
    const pointer = given[name];
    if (pointer === undefined) continue;
    linked.fields[name] = null;
    if (pointer === null) continue;
    const place = elementAt(to, link++);
    const id = elementAt(ids, place);
    linked.fields[name] = id;
    linked.targets[id] = elementAt(itemTypes, types.at(place));
  }
  return linked;
}

function itemRow(at: WorkspaceImport, { entry: item, path }: Read<'items'>, linked: Linked, facts: Facts): Row {
  const { type, title, description, status } = item;
  const person = (where: Path, pointer: { ref: string } | null | undefined) =>
    pointer ? idOf(at, [...path, ...where, 'ref'], pointer.ref, 'user') : pointer;
  const given = { ...item.fields, ...linked.fields, assigneeId: person(['fields', 'assigneeId'], item.fields.assigneeId) } as WorkFields;
  const ownerId = person(['ownerId'], item.ownerId);
  const context = { ...facts, targets: linked.targets };
  const row = withPath(path, () => decideItem(type, { title, description, status, ownerId, fields: given }, context));
  if (!item.archived && !closedStatuses.includes(row.status)) {
    const mayNot = (id: number | null | undefined, where: Path, pointer: { ref: string } | null | undefined) => {
      const found = pointer && id != null && at.unassignable.has(id);
      if (found) at.unassigned.push({ at: dotted([...path, ...where]), person: pointer.ref });
      return found;
    };
    if (mayNot(given.assigneeId, ['fields', 'assigneeId'], item.fields.assigneeId)) row.fields.assigneeId = null;
    if (mayNot(ownerId, ['ownerId'], item.ownerId)) row.ownerId = null;
  }
  const now = new Date().toISOString();
  return {
    type,
    title,
    description,
    status: row.status,
    owner_id: row.ownerId,
    created_at: item.createdAt ?? now,
    archived_at: item.archived ? now : null,
    completed_at: row.status === 'done' ? (item.completedAt ?? item.fields.actualDate ?? now) : null,
    ...columnsOf(asKept(item, row.fields)),
  };
}

/** Omits nulls, because most fields of most items are empty. */
function columnsOf(values: Record<string, unknown>): Row {
  const columns: Row = {};
  for (const name of fieldNames) if (values[name] != null) columns[fields[name].column] = values[name];
  return columns;
}

/** Undoes defaults of new items that the file overrides: an explicit empty priority, and the fields of completed items. */
function asKept(item: ItemEntry, decided: Record<string, unknown>): Record<string, unknown> {
  const { priorityKey, progressPercent = null, actualDate = null } = item.fields;
  return {
    ...decided,
    ...(priorityKey === null && { priorityKey }),
    ...(item.completedAt !== undefined && { progressPercent, actualDate }),
  };
}
