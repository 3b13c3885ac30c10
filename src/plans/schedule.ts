/** The jobs of a plan block, enqueued and removed in the transaction that changes the block. */
import type { Db, Tx } from '../database/db.ts';
import { notify } from '../notifications/queries.ts';
import { aboutRow, dequeue, enqueueAll, type Job } from '../queue/jobs.ts';
import { lockBlock, mayReadPlans, settleImported } from './queries.ts';
import type { BlockRow } from './schema.ts';

export type Edge = 'start' | 'end';

/** Of the reminder before the end (behaviour §10.10). */
const END_LEAD_MINUTES = 5;

const key = (blockId: number, job: 'start' | 'end' | 'remind_start' | 'remind_end') => `plan_block:${blockId}:${job}`;

/** The reminder's time. If that is in the past, the reminder is sent immediately. */
export function reminderDue(block: BlockRow, edge: Edge): string {
  const [at, lead] = edge === 'start' ? [block.starts_at, block.remind_minutes] : [block.ends_at, END_LEAD_MINUTES];
  return new Date(Date.parse(at) - lead * 60_000).toISOString();
}

export const startJob = (block: BlockRow): Job => ({
  name: 'start_plan_block',
  payload: { blockId: block.id, revision: block.revision },
  runAt: block.starts_at,
  key: key(block.id, 'start'),
  about: aboutRow(block),
});

export const endJob = (block: BlockRow): Job => ({
  name: 'end_plan_block',
  payload: { blockId: block.id, revision: block.revision },
  runAt: block.ends_at,
  key: key(block.id, 'end'),
  about: aboutRow(block),
});

export const reminderJob = (block: BlockRow, edge: Edge): Job => ({
  name: 'remind_plan_block',
  payload: { blockId: block.id, edge },
  runAt: reminderDue(block, edge),
  key: key(block.id, `remind_${edge}`),
  about: aboutRow(block),
});

function jobsOf(block: BlockRow): Job[] {
  return [
    endJob(block),
    ...(block.auto_start ? [startJob(block)] : []),
    ...(block.remind_start ? [reminderJob(block, 'start')] : []),
    ...(block.remind_end ? [reminderJob(block, 'end')] : []),
  ];
}

export async function scheduleBlocks(tx: Tx, blocks: readonly BlockRow[]): Promise<void> {
  await enqueueAll(tx, blocks.flatMap(jobsOf));
}

const IMPORTED_LATE = 'It had already ended when it was imported.';

/** For blocks that an import has just inserted as scheduled. Ended ones become missed without a notification. */
export async function scheduleImportedBlocks(tx: Tx, ids: number[]): Promise<void> {
  await scheduleBlocks(tx, await settleImported(tx, ids, IMPORTED_LATE));
}

/** Removes the start jobs and sets the end job of a started block. If a job started it, a late reminder of the start stays. */
export async function scheduleRunning(tx: Tx, block: BlockRow, startedBy: 'hand' | 'job'): Promise<void> {
  if (startedBy === 'hand') await dequeue(tx, key(block.id, 'start'), key(block.id, 'remind_start'));
  await enqueueAll(tx, [endJob(block)]);
}

export async function unschedule(tx: Tx, ...ids: readonly number[]): Promise<void> {
  const jobs = ['start', 'end', 'remind_start', 'remind_end'] as const;
  await dequeue(tx, ...ids.flatMap((id) => jobs.map((job) => key(id, job))));
}

// The reminder of a block's start or end. Creates one notification for each, however often the job runs.

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
