/** Jobs that change a plan block at its time run as an operation of its owner, with the owner's current rights. */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import { lockUser } from '../time/queries.ts';
import { Unavailable } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { lockBlock, ownerOf } from './queries.ts';
import type { BlockRow } from './schema.ts';

const Due = z.strictObject({ blockId: Id, revision: z.int() });
export type Due = z.infer<typeof Due>;

interface Held {
  block: BlockRow;
  now: string;
}

/** Harmless if it runs twice or too early, or if the block has changed. `move` must check the owner's rights, and miss the block without
 *  them. */
export const dueBlockOperation = (name: string, move: (tx: Tx, ownerId: number, held: Held) => Promise<void>): Write<Due, void> => ({
  name,
  input: Due,
  authorize: async (_tx, caller) => permitOutside(caller, 0, caller.kind === 'user' ? caller.userId : 0),
  async run(tx, { userId }, { blockId, revision }) {
    await lockUser(tx, userId);
    const held = await lockBlock(tx, blockId);
    if (held?.block.user_id === userId && held.block.revision === revision) await move(tx, userId, held);
  },
});

/** Does nothing if the block is deleted. Throws unexpected errors unchanged, so that the queue keeps their text for the operator. */
export async function performAsOwner<Input extends { blockId: number }>(
  db: Db,
  operation: Write<Input, void>,
  input: Input,
): Promise<void> {
  const userId = await ownerOf(db.pool(), input.blockId);
  if (userId === null) return;
  try {
    await perform(db, { kind: 'user', userId }, operation, input);
  } catch (error) {
    throw error instanceof Unavailable && error.cause ? error.cause : error;
  }
}
