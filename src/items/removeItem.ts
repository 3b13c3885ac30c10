/** svc_remove_item: archives an item, unless open work below it or a running timer prevents it (behaviour §4.19). */
import { z } from 'zod';
import { bits, holds, type ItemType, resourceOf } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden, VersionConflict } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { lockItems, readRemovable } from './archiveQueries.ts';
import { archive } from './archiving.ts';
import { Version } from './schema.ts';

const Input = z.strictObject({ id: Id, version: Version });

interface Removed {
  id: number;
  version: number;
  archived: true;
}

export const removeItem: Write<z.infer<typeof Input>, Removed, { type: ItemType }> = {
  name: 'removeItem',
  input: Input,

  async authorize(tx, caller, { id }, how) {
    const permit = await readRemovable(tx, caller, id, how);
    if (!holds(permit.rights, bits(resourceOf(permit.type), 'delete'))) throw new Forbidden();
    return permit;
  },

  inputOf: async (_tx, { id, version }: Removed) => ({ id, version }),

  async run(tx, permit, { id, version }) {
    const current = (await lockItems(tx, permit, [id])).get(id);
    if (current === undefined) throw new Forbidden();
    if (current !== version) throw new VersionConflict(id, current);
    const archived = await archive(tx, permit, [{ id, version, type: permit.type }], () => ['id']);
    return { id, version: archived.get(id)!, archived: true };
  },
};
