/** Archives up to 100 items, all or none (behaviour §23.2). */
import { z } from 'zod';
import { bits, holds, resourceOf } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { atIndex, Forbidden, VersionConflicts } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Archivable, lockItems, readArchivable } from './archiveQueries.ts';
import { archive } from './archiving.ts';
import { Version } from './schema.ts';

const Input = z.strictObject({
  workspaceId: Id,
  items: z
    .array(z.strictObject({ id: Id, version: Version }))
    .min(1, 'give 1 to 100 items')
    .max(100, 'give at most 100 items'),
});

interface Archived {
  items: { id: number; version: number }[];
}

export const archiveItems: Write<z.infer<typeof Input>, Archived, { items: readonly Archivable[] }> = {
  name: 'archiveItems',
  input: Input,

  async authorize(tx, caller, { workspaceId, items }) {
    const ids = items.map(({ id }) => id);
    const permit = await readArchivable(tx, caller, workspaceId, ids);
    for (const [index, id] of ids.entries()) atIndex(index, () => mayArchive(permit, id));
    return permit;
  },

  async run(tx, permit, { items }) {
    const ids = items.map(({ id }) => id);
    const current = await lockItems(tx, permit, ids);
    const conflicts = items.flatMap(({ id, version }, index) => {
      // An item that is hidden by now, for example archived by another user, counts as a version conflict too.
      const now = current.get(id) ?? permit.items.find((one) => one.id === id)!.version;
      return current.get(id) === version ? [] : [{ index, id, currentVersion: now }];
    });
    if (conflicts.length) throw new VersionConflicts(conflicts);
    const targets = permit.items.map(({ id, type }) => ({ id, type, version: current.get(id)! }));
    const archived = await archive(tx, permit, targets, (id) => ['items', ids.indexOf(id), 'id']);
    return { items: ids.map((id) => ({ id, version: archived.get(id)! })) };
  },
};

function mayArchive({ items, rights }: { items: readonly Archivable[]; rights: number }, id: number): void {
  const item = items.find((one) => one.id === id);
  if (!item || !holds(rights, bits(resourceOf(item.type), 'delete'))) throw new Forbidden();
}
