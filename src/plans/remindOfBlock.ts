/** The reminder of a block's start or end. Creates one notification for each, however often the job runs. */
import type { Db } from '../database/db.ts';
import { notify } from '../notifications/queries.ts';
import { enqueueAll } from '../queue/jobs.ts';
import { lockBlock, mayReadPlans } from './queries.ts';
import { type Edge, reminderDue, reminderJob } from './schedule.ts';

/** Sends nothing for a missed or cancelled block, or if the owner may not read plans there any more. */
export async function remindOfBlock(db: Db, { blockId, edge }: { blockId: number; edge: Edge }): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await lockBlock(tx, blockId);
    if (!held || held.block.state === 'missed' || held.block.state === 'cancelled') return;
    const { block, now } = held;
    const dueAt = reminderDue(block, edge);
    if (now < dueAt) return enqueueAll(tx, [reminderJob(block, edge)]);
    const { account_id: accountId, workspace_id: workspaceId, user_id: userId } = block;
    if (!(await mayReadPlans(tx, { kind: 'user', userId }, block))) return;
    await notify(tx, { accountId, workspaceId, userId, kind: edge === 'start' ? 'block_starts' : 'block_ends', blockId, dueAt });
  });
}
