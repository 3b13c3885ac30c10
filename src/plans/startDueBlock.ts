/** autoStart: starts a block's timer at its time with the owner's current rights, or marks the block as missed (behaviour §10.6). */
import type { Caller } from '../access/caller.ts';
import { bits, holds } from '../access/rights.ts';
import type { Db, Tx } from '../database/db.ts';
import { enqueueAll } from '../queue/jobs.ts';
import { AppError } from '../values/errors.ts';
import { type Due, dueBlockOperation, performAsOwner } from './arguments.ts';
import { missBlock, missReasons, runBlock } from './block.ts';
import { type BlockReach, readBlockReach } from './queries.ts';
import { startJob } from './schedule.ts';

const NEEDED = bits('plans', 'write') | bits('time', 'write');

const startDue = dueBlockOperation('startDueBlock', async (tx, userId, { block, now }) => {
  if (block.state !== 'scheduled') return;
  if (now < block.starts_at) return enqueueAll(tx, [startJob(block)]);
  if (now >= block.ends_at) return missBlock(tx, block, missReasons.late, block.ends_at);
  const reach = await reachNow(tx, { kind: 'user', userId }, block.id);
  if (!reach) return missBlock(tx, block, missReasons.access, block.starts_at);
  if (reach.running) return missBlock(tx, block, missReasons.timer, block.starts_at);
  await runBlock(tx, reach, block, 'job');
});

export const startDueBlock = (db: Db, due: Due): Promise<void> => performAsOwner(db, startDue, due);

async function reachNow(tx: Tx, owner: Caller, blockId: number): Promise<BlockReach | null> {
  try {
    const reach = await readBlockReach(tx, owner, blockId);
    return holds(reach.rights, NEEDED) && reach.block.item_title !== null ? reach : null;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'unauthenticated')) return null;
    throw error;
  }
}
