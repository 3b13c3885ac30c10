/** The items of a file as rows: the rules of behaviour §4 apply as they do to a new item, but approval may have been given already. */
import { ALL_RIGHTS, type ItemType } from '../access/rights.ts';
import { decideItem } from '../items/decide.ts';
import { fieldNames, fields, type LinkName, linkNames } from '../items/fields.ts';
import type { ItemFacts } from '../items/queries.ts';
import type { WorkFields } from '../items/schema.ts';
import { InvalidRequest, inside, type Path } from '../values/errors.ts';
import type { Row } from './queries.ts';
import type { Refs } from './refs.ts';
import type { AccountEntry, ItemEntry, WorkspaceEntry } from './schema.ts';
import type { Workflow } from './workflowQueries.ts';

/** One workspace of the file, with what its entries may refer to. */
export interface WorkspaceImport {
  account: AccountEntry;
  workspace: WorkspaceEntry;
  /** Of the workspace in the file: `accounts[0].workspaces[1]`. */
  path: Path;
  refs: Refs;
  idOf(entry: object): number;
  /** Of a user of the file or of the account. */
  zoneOf(user: object): string;
}

/** One row per item, an item after all it is linked to: the triggers of sql/0004_items.sql look upwards. */
export function itemRows(at: WorkspaceImport, workflow: Workflow, people: Record<string, string>): Row[] {
  const { workspace, idOf } = at;
  const facts: ItemFacts & { contextRights: number; approves: boolean } = {
    ...workflow,
    stored: null,
    people,
    targets: Object.fromEntries(workspace.items.map((item): [number, ItemType] => [idOf(item), item.type])),
    contextRights: ALL_RIGHTS,
    approves: true,
  };
  const scope = { account_id: idOf(at.account), workspace_id: idOf(workspace) };
  const paths = new Map<ItemEntry, Path>(workspace.items.map((item, n) => [item, [...at.path, 'items', n]]));
  return inLinkOrder(at, paths).map((item) => ({ ...scope, ...itemRow(at, item, paths.get(item)!, facts) }));
}

function itemRow(at: WorkspaceImport, item: ItemEntry, path: Path, facts: Parameters<typeof decideItem>[2]): Row {
  const { type, title, description, status } = item;
  const person = (where: Path, pointer: { ref: string } | null | undefined) =>
    pointer ? at.idOf(at.refs.find([...path, ...where, 'ref'], pointer.ref, 'user', at)) : pointer;
  const links = Object.fromEntries(linkNames.map((name) => [name, linkOf(at, path, item, name)])) as Record<
    LinkName,
    number | null | undefined
  >;
  const given: WorkFields = { ...item.fields, ...links, assigneeId: person(['fields', 'assigneeId'], item.fields.assigneeId) };
  const ownerId = person(['ownerId'], item.ownerId);
  const row = inside(path, () => decideItem(type, { title, description, status, ownerId, fields: given }, facts));
  const now = new Date().toISOString();
  const kept = asKept(item, row.fields);
  return {
    id: at.idOf(item),
    type,
    title,
    description,
    status: row.status,
    owner_id: row.ownerId,
    created_at: item.createdAt ?? now,
    archived_at: item.archived ? now : null,
    completed_at: row.status === 'done' ? (item.completedAt ?? item.fields.actualDate ?? now) : null,
    ...Object.fromEntries(fieldNames.map((name) => [fields[name].column, kept[name] ?? null])),
  };
}

/** New work gets values that history may have taken away again: no priority is none, and of what was completed the file knows more. */
function asKept(item: ItemEntry, decided: Record<string, unknown>): Record<string, unknown> {
  const { priorityKey, progressPercent = null, actualDate = null } = item.fields;
  return {
    ...decided,
    ...(priorityKey === null && { priorityKey }),
    ...(item.completedAt !== undefined && { progressPercent, actualDate }),
  };
}

function linkOf(at: WorkspaceImport, path: Path, item: ItemEntry, name: LinkName): number | null | undefined {
  const target = targetOf(at, path, item, name);
  return target ? at.idOf(target) : target;
}

function targetOf(at: WorkspaceImport, path: Path, item: ItemEntry, name: LinkName): ItemEntry | null | undefined {
  const pointer = item.fields[name];
  return pointer ? at.refs.find<ItemEntry>([...path, 'fields', name, 'ref'], pointer.ref, 'item', at) : pointer;
}

/** Whatever an item is linked to comes before it. Throws InvalidRequest naming a link of a circle. */
function inLinkOrder(at: WorkspaceImport, paths: Map<ItemEntry, Path>): ItemEntry[] {
  const below = new Map<ItemEntry, ItemEntry[]>();
  const missing = new Map<ItemEntry, number>();
  for (const [item, path] of paths) {
    const above = linkNames.map((name) => targetOf(at, path, item, name)).filter((target) => target != null);
    missing.set(item, above.length);
    for (const target of above) {
      const children = below.get(target);
      if (children) children.push(item);
      else below.set(target, [item]);
    }
  }
  const order = [...paths.keys()].filter((item) => missing.get(item) === 0);
  for (const item of order) {
    for (const child of below.get(item) ?? []) {
      const left = missing.get(child)! - 1;
      missing.set(child, left);
      if (left === 0) order.push(child);
    }
  }
  const stuck = [...paths].find(([item]) => missing.get(item)! > 0);
  if (stuck) throw new InvalidRequest([...stuck[1], 'fields'], 'its links make a circle, or lead to one; take one of them out.');
  return order;
}
