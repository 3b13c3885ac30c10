/** Favorites, and the items that a person opened last. For pages only: keys and agents have none. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readViewPermit } from '../workspaces/viewQueries.ts';
import { deleteStar, insertStar, storeOpened } from './starQueries.ts';
import { StarChange } from './starSchema.ts';

function ofPerson(tx: Tx, caller: Caller, { workspaceId }: { workspaceId: number }): Promise<Permit> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  return readViewPermit(tx, caller, workspaceId);
}

export const changeStar: Write<StarChange, StarChange> = {
  name: 'changeStar',
  input: StarChange,
  authorize: ofPerson,
  async run(tx, permit, input) {
    await (input.on ? insertStar(tx, permit, input) : deleteStar(tx, permit, input));
    return input;
  },
};

const Opened = z.strictObject({ workspaceId: Id, id: Id });

export const recordOpened: Write<z.infer<typeof Opened>, void> = {
  name: 'recordOpened',
  input: Opened,
  authorize: ofPerson,
  run: (tx, permit, { id }) => storeOpened(tx, permit, id),
};
