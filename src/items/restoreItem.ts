/** Restores an archived item. Only people on the pages can do this, not agents (behaviour §4.20). */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Conflict, Forbidden, InvalidRequest, type Path, VersionConflicts } from '../values/errors.ts';
import { valueAt } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { mayArchive } from './archiveItems.ts';
import { type Archivable, archivedAbove, readArchivable, stillHidden } from './archiveQueries.ts';
import { Version } from './schema.ts';
import { setArchived } from './writeQueries.ts';

/** An item and the version that its archiving made. */
export interface ArchivedVersion {
  id: number;
  version: number;
}

/** All or none. Each item gets its next version. Throws Conflict if an item has changed, InvalidRequest if an item above is archived. */
export async function restore(
  tx: Tx,
  permit: Permit & { items: readonly Archivable[] },
  wanted: readonly ArchivedVersion[],
  path: Path,
): Promise<void> {
  const typeOf = new Map(permit.items.map(({ id, type }) => [id, type]));
  const rows = wanted.map(({ id, version }) => ({ id, version, type: valueAt(typeOf, id) }));
  if (!(await setArchived(tx, permit, rows, false))) return refuse(tx, permit, wanted);
  const ids = wanted.map(({ id }) => id);
  // Read after the triggers have run for all rows, because one item of a batch may be above another.
  if ((await stillHidden(tx, ids)).length > 0) throw new InvalidRequest(path, await whatIsAbove(tx, permit, ids));
}

async function whatIsAbove(tx: Tx, permit: Permit, ids: readonly number[]): Promise<string> {
  const above = await archivedAbove(tx, permit, ids);
  const names = above.filter(({ seen }) => seen).map(({ type, id, title }) => `${type} ${id} "${title}"`);
  const named = [...names, ...(above.length > names.length ? ['an item that you cannot see'] : [])].join(', ');
  return `can't be restored while an item above it is archived: restore ${named} first.`;
}

async function refuse(tx: Tx, { caller, workspaceId }: Permit, wanted: readonly ArchivedVersion[]): Promise<never> {
  const { items } = await readArchivable(
    tx,
    caller,
    workspaceId,
    wanted.map(({ id }) => id),
  );
  const conflicts = wanted.flatMap(({ id, version }, index) => {
    const now = items.find((item) => item.id === id);
    if (!now) throw new Forbidden();
    return now.version === version && now.archived ? [] : [{ index, id, currentVersion: now.version }];
  });
  const [only] = conflicts;
  if (!only) throw new Forbidden();
  const back = items.filter(({ id, archived }) => !archived && conflicts.some((one) => one.id === id));
  if (wanted.length === 1 && back.length) throw new Conflict('The item is no longer archived. Reload the page.', only);
  throw new VersionConflicts(conflicts);
}

const Input = z.strictObject({ workspaceId: Id, id: Id, version: Version });

interface Restored {
  id: number;
  version: number;
}

export const restoreItem: Write<z.infer<typeof Input>, Restored, { items: readonly Archivable[] }> = {
  name: 'restoreItem',
  input: Input,

  async authorize(tx, caller, { workspaceId, id }) {
    if (caller.kind !== 'session') throw new Forbidden();
    const permit = await readArchivable(tx, caller, workspaceId, [id]);
    mayArchive(permit, id);
    return permit;
  },

  async run(tx, permit, { id, version }) {
    await restore(tx, permit, [{ id, version }], []);
    return { id, version: version + 1 };
  },
};
