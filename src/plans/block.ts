/** State changes of a plan block, by its owner or by a job (behaviour §10.3). The caller must hold the owner's lock. */
import type { Permit } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import { notify } from '../notifications/queries.ts';
import type { TimeFacts } from '../time/queries.ts';
import { openTimer } from '../time/timer.ts';
import { updateBlock } from './queries.ts';
import { scheduleRunning, unschedule } from './schedule.ts';
import type { BlockRow } from './schema.ts';

export const missReasons = {
  timer: 'Another timer was running at the start.',
  access: 'You could no longer record time on this item at the start.',
  late: 'The timer could not be started before the end.',
  notStarted: 'It was not started before its end.',
} as const;

/** scheduled -> running; starts the owner's timer on the item (behaviour §10.5). Throws Conflict if a timer runs. */
export async function runBlock(tx: Tx, permit: Permit & TimeFacts, block: BlockRow, startedBy: 'hand' | 'job'): Promise<BlockRow> {
  const entry = await openTimer(tx, permit, block.item_id, '');
  const running = await updateBlock(tx, block, { state: 'running', entry_id: entry.id });
  await scheduleRunning(tx, running, startedBy);
  return running;
}

/** scheduled -> missed; notifies the owner. `dueAt`: when it was missed. */
export async function missBlock(tx: Tx, block: BlockRow, reason: string, dueAt: string): Promise<void> {
  await updateBlock(tx, block, { state: 'missed', reason });
  await unschedule(tx, block.id);
  const { account_id: accountId, workspace_id: workspaceId, user_id: userId, id: blockId } = block;
  await notify(tx, { accountId, workspaceId, userId, kind: 'block_missed', blockId, dueAt });
}
