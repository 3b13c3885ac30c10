/** Jobs that start and end a plan block at its time (behaviour §10.6, §10.7), each an operation of its owner with the owner's current
 *  rights. */
import { z } from 'zod';
import { type Caller, permitOutside } from '../access/caller.ts';
import { holds, PLANS_WRITE, TIME_WRITE } from '../access/rights.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import { enqueueAll } from '../queue/jobs.ts';
import { lockUser, readRunning } from '../time/queries.ts';
import { closeTimer } from '../time/timer.ts';
import { AppError, Unavailable } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { missBlock, missReasons, runBlock } from './block.ts';
import { type BlockReach, lockBlock, ownerOf, readBlockReach, updateBlock } from './queries.ts';
import { endJob, startJob } from './schedule.ts';
import type { BlockRow } from './schema.ts';

const Due = z.strictObject({ blockId: Id, revision: z.int() });
type Due = z.infer<typeof Due>;

interface Held {
  block: BlockRow;
  now: string;
}

/** Harmless if it runs twice or too early, or if the block has changed or is deleted. `move` must check the owner's rights, and miss the
 *  block without them. */
function dueBlock(name: string, move: (tx: Tx, ownerId: number, held: Held) => Promise<void>): (db: Db, due: Due) => Promise<void> {
  const operation: Write<Due, void> = {
    name,
    input: Due,
    authorize: async (_tx, caller) => permitOutside(caller, 0, caller.kind === 'user' ? caller.userId : 0),
    async run(tx, { userId }, { blockId, revision }) {
      await lockUser(tx, userId);
      const held = await lockBlock(tx, blockId);
      if (held?.block.user_id === userId && held.block.revision === revision) await move(tx, userId, held);
    },
  };
  return async (db, due) => {
    const userId = await ownerOf(db.pool(), due.blockId);
    if (userId === null) return;
    try {
      await perform(db, { kind: 'user', userId }, operation, due);
    } catch (error) {
      // The queue keeps the text of an unexpected error for the operator.
      throw error instanceof Unavailable && error.cause ? error.cause : error;
    }
  };
}

const NEEDED = PLANS_WRITE | TIME_WRITE;

/** autoStart: starts the timer, or marks the block as missed. */
export const startDueBlock = dueBlock('startDueBlock', async (tx, userId, { block, now }) => {
  if (block.state !== 'scheduled') return;
  if (now < block.starts_at) return enqueueAll(tx, [startJob(block)]);
  if (now >= block.ends_at) return missBlock(tx, block, missReasons.late, block.ends_at);
  const reach = await reachNow(tx, { kind: 'user', userId }, block.id);
  if (!reach) return missBlock(tx, block, missReasons.access, block.starts_at);
  if (reach.running) return missBlock(tx, block, missReasons.timer, block.starts_at);
  await runBlock(tx, reach, block, 'job');
});

async function reachNow(tx: Tx, owner: Caller, blockId: number): Promise<BlockReach | null> {
  try {
    const reach = await readBlockReach(tx, owner, blockId);
    return holds(reach.rights, NEEDED) && reach.block.item_title !== null ? reach : null;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'unauthenticated')) return null;
    throw error;
  }
}

/** Running becomes finished, and autoStop stops its timer; scheduled becomes missed. */
export const endDueBlock = dueBlock('endDueBlock', async (tx, _userId, { block, now }) => {
  if (block.state !== 'scheduled' && block.state !== 'running') return;
  if (now < block.ends_at) return enqueueAll(tx, [endJob(block)]);
  if (block.state === 'scheduled') {
    return missBlock(tx, block, block.auto_start ? missReasons.late : missReasons.notStarted, block.ends_at);
  }
  if (block.auto_stop) await stopOwnTimer(tx, block, now);
  await updateBlock(tx, block, { state: 'finished' });
});

/** Only the timer that the block started, and only if it runs. */
async function stopOwnTimer(tx: Tx, { user_id, entry_id }: BlockRow, now: string): Promise<void> {
  const running = await readRunning(tx, user_id);
  if (running && running.id === entry_id) await closeTimer(tx, running, now);
}
