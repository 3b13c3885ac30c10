/** Restores an archived item. Only people on the pages can do this, not agents (behaviour §4.20). */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type Archivable, readArchivable } from './archiveQueries.ts';
import { mayRestore, restore } from './restoring.ts';
import { Version } from './schema.ts';

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
    mayRestore(permit, [{ id }]);
    return permit;
  },

  async run(tx, permit, { id, version }) {
    const restored = await restore(tx, permit, [{ id, version }], []);
    return { id, version: restored.get(id)! };
  },
};
