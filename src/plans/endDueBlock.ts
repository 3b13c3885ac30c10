/** Ends a block: running becomes finished, and autoStop stops its timer; scheduled becomes missed (behaviour §10.7). */
import type { Db, Tx } from '../database/db.ts';
import { enqueueAll } from '../queue/jobs.ts';
import { readRunning } from '../time/queries.ts';
import { closeTimer } from '../time/timer.ts';
import { type Due, dueBlockOperation, performAsOwner } from './arguments.ts';
import { missBlock, missReasons } from './block.ts';
import { updateBlock } from './queries.ts';
import { endJob } from './schedule.ts';
import type { BlockRow } from './schema.ts';

const endDue = dueBlockOperation('endDueBlock', async (tx, _userId, { block, now }) => {
  if (block.state !== 'scheduled' && block.state !== 'running') return;
  if (now < block.ends_at) return enqueueAll(tx, [endJob(block)]);
  if (block.state === 'scheduled') {
    return missBlock(tx, block, block.auto_start ? missReasons.late : missReasons.notStarted, block.ends_at);
  }
  if (block.auto_stop) await stopOwnTimer(tx, block, now);
  await updateBlock(tx, block, { state: 'finished' });
});

export const endDueBlock = (db: Db, due: Due): Promise<void> => performAsOwner(db, endDue, due);

/** Only the timer that the block started, and only if it runs. */
async function stopOwnTimer(tx: Tx, { user_id, entry_id }: BlockRow, now: string): Promise<void> {
  const running = await readRunning(tx, user_id);
  if (running && running.id === entry_id) await closeTimer(tx, running, now);
}
