/** Archives up to 100 items, all or none (behaviour §23.2). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { bits, holds, type ItemType, requireLevel, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { atIndex, Faults, Forbidden, type Path, VersionConflict, VersionConflicts } from '../values/errors.ts';
import { valueAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import {
  type Archivable,
  lockItems,
  type OpenItem,
  openBelow,
  type Runner,
  readArchivable,
  readRemovable,
  timersOn,
} from './archiveQueries.ts';
import { Version } from './schema.ts';
import { setArchived } from './writeQueries.ts';

const NAMED = 3;

/** Checks locked items and archives them (behaviour §4.19). Each item gets its next version. `pathTo`: an item's path in the input. Throws
 *  InvalidRequest with all obstacles, or Forbidden. */
export async function archive(
  tx: Tx,
  permit: Permit,
  items: readonly { id: number; version: number; type: ItemType }[],
  pathTo: (id: number) => Path,
): Promise<void> {
  const ids = items.map(({ id }) => id);
  const faults = new Faults();
  const fault = (id: number, whatToDo: string) => faults.add(pathTo(id), whatToDo);
  // Read after the lock, to include links and timers that were added while we waited for it.
  const open = Map.groupBy(await openBelow(tx, permit, ids, NAMED + 1), ({ root }) => root);
  for (const [id, found] of open) fault(id, `item ${id} has open work below it: ${named(found)}. Close or archive that first.`);
  const timers = Map.groupBy(await timersOn(tx, permit, ids), ({ item_id: id }) => id);
  for (const [id, runners] of timers) {
    const others = runners.filter((one) => one.user_id !== permit.userId);
    if (others.length < runners.length) fault(id, `your timer is running on item ${id}; stop it first.`);
    if (others.length)
      fault(id, `a timer of ${runnersIn(others)} is running on item ${id}; ask them or an owner of the workspace to stop it.`);
  }
  faults.check();
  if (!(await setArchived(tx, permit, items, true))) throw new Forbidden();
}

function named(found: readonly OpenItem[]): string {
  const seen = found.filter((item) => item.seen).slice(0, NAMED);
  const names = seen.map((item) => `${item.type} ${item.id} "${item.title}"`);
  return [...names, ...(found.length > seen.length ? ['items that are not listed here'] : [])].join(', ');
}

function runnersIn(others: readonly Runner[]): string {
  const names = others.flatMap(({ name, user_id: id }) => (name === null ? [] : `${name} (user ${id})`)).slice(0, NAMED);
  if (names.length === 0) return 'another person';
  return [...names, ...(others.length > names.length ? [`${others.length - names.length} more`] : [])].join(', ');
}

const ArchiveItemsInput = z.strictObject({
  workspaceId: Id,
  items: z
    .array(z.strictObject({ id: Id, version: Version }))
    .min(1, 'give 1 to 100 items')
    .max(100, 'give at most 100 items'),
});

interface Archived {
  items: { id: number; version: number }[];
}

export const archiveItems: Write<z.infer<typeof ArchiveItemsInput>, Archived, { items: readonly Archivable[] }> = {
  name: 'archiveItems',
  input: ArchiveItemsInput,

  async authorize(tx, caller, { workspaceId, items }) {
    const ids = items.map(({ id }) => id);
    const permit = await readArchivable(tx, caller, workspaceId, ids);
    for (const [index, id] of ids.entries()) atIndex(index, () => mayArchive(permit, id));
    return permit;
  },

  async run(tx, permit, { items }) {
    const ids = items.map(({ id }) => id);
    const targets = await lockUnchanged(tx, permit, items);
    await archive(tx, permit, targets, (id) => ['items', ids.indexOf(id), 'id']);
    return { items: items.map(({ id, version }) => ({ id, version: version + 1 })) };
  },
};

/** Locks the items. Throws VersionConflicts unless all have these versions. */
export async function lockUnchanged(
  tx: Tx,
  permit: Permit & { items: readonly Archivable[] },
  wanted: readonly { id: number; version: number }[],
): Promise<Archivable[]> {
  const current = await lockItems(
    tx,
    permit,
    wanted.map(({ id }) => id),
  );
  const read = new Map(permit.items.map((item) => [item.id, item]));
  const conflicts = wanted.flatMap(({ id, version }, index) => {
    // An item that has become hidden, for example because another user archived it, also counts as a version conflict.
    const currentVersion = current.get(id) ?? valueAt(read, id).version;
    return current.get(id) === version ? [] : [{ index, id, currentVersion }];
  });
  if (conflicts.length) throw new VersionConflicts(conflicts);
  return wanted.map(({ id, version }) => ({ ...valueAt(read, id), version }));
}

/** Throws Forbidden unless the caller may archive and restore this item, which they can see or could before it was archived. */
export function mayArchive({ items, rights }: { items: readonly Archivable[]; rights: number }, id: number): void {
  const item = items.find((one) => one.id === id);
  if (!item || !holds(rights, bits(resourceOf(item.type), 'delete'))) throw new Forbidden();
}

/** svc_remove_item: archives an item, unless open work below it or a running timer prevents it (behaviour §4.19). */
const RemoveItemInput = z.strictObject({ id: Id, version: Version });

interface Removed {
  id: number;
  version: number;
  archived: true;
}

export const removeItem: Write<z.infer<typeof RemoveItemInput>, Removed, { type: ItemType }> = {
  name: 'removeItem',
  input: RemoveItemInput,

  async authorize(tx, caller, { id }, how) {
    const permit = await readRemovable(tx, caller, id, how);
    requireLevel(permit.rights, resourceOf(permit.type), 'delete');
    return permit;
  },

  inputOf: async (_tx, { id, version }: Removed) => ({ id, version }),

  async run(tx, permit, { id, version }) {
    const current = (await lockItems(tx, permit, [id])).get(id);
    if (current === undefined) throw new Forbidden();
    if (current !== version) throw new VersionConflict(id, current);
    await archive(tx, permit, [{ id, version, type: permit.type }], () => ['id']);
    return { id, version: version + 1, archived: true };
  },
};
