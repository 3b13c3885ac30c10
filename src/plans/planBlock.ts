/** svc_plan_block: create, move, start and cancel one's own plan blocks (behaviour §10.2). */
import { bits, holds } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Warning } from '../items/warnings.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { lockPerson } from '../time/queries.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { asBlockAction, BlockArguments, type BlockMove, type NewBlock } from './arguments.ts';
import { runBlock } from './block.ts';
import {
  type BlockReach,
  insertBlock,
  type Overlap,
  type PlanReach,
  readBlockReach,
  readOverlaps,
  readOverlapsAgain,
  readPlanReach,
  readStartDate,
  updateBlock,
} from './queries.ts';
import { scheduleBlocks, unschedule } from './schedule.ts';
import { asBlock, type BlockRow, type PlanBlock, spanOf, USUAL_REMIND_MINUTES } from './schema.ts';

type Facts = PlanReach | BlockReach;

export interface BlockResult {
  block: PlanBlock;
  /** The owner's other scheduled or running blocks that overlap. */
  overlaps: readonly Overlap[];
  warnings?: Warning[];
}

type BlockReceipt = Omit<BlockResult, 'overlaps'> & { overlaps: readonly number[] };

const PLANS_WRITE = bits('plans', 'write');
const TIME_WRITE = bits('time', 'write');

export const planBlock: Write<BlockArguments, BlockResult, Facts> = {
  name: 'planBlock',
  input: BlockArguments,

  async authorize(tx, caller, input, { replay }) {
    if (!replay) await lockPerson(tx, caller);
    const action = asBlockAction(input);
    if (action.action === 'create') {
      const reach = await readPlanReach(tx, caller, action.itemId);
      // A later job will start or stop the timer, so the right to record time is needed already here.
      if (!holds(reach.rights, action.autoStart || action.autoStop ? PLANS_WRITE | TIME_WRITE : PLANS_WRITE)) throw new Forbidden();
      return reach;
    }
    const reach = await readBlockReach(tx, caller, action.blockId);
    const cancels = action.action === 'cancel';
    const { auto_start: starts, auto_stop: stops } = reach.block;
    const plansOnly = cancels || (action.action === 'move' && !starts && !stops);
    if (!holds(reach.rights, plansOnly ? PLANS_WRITE : PLANS_WRITE | TIME_WRITE)) throw new Forbidden();
    // A user may cancel as long as they may plan in the workspace. An agent also needs access to the item (behaviour §10.8).
    if (reach.block.item_title === null && !(cancels && caller.kind !== 'agent')) throw new Forbidden();
    return reach;
  },

  equivalents(permit, input) {
    if (input.action !== 'create') return [];
    const { zone } = permit as PlanReach;
    if (input.timezone === undefined) return [{ ...input, timezone: zone }];
    return input.timezone === zone ? [{ ...input, timezone: undefined }] : [];
  },

  async inputOf(_tx, { block }: BlockResult) {
    const action = block.state === 'running' ? 'start' : block.state === 'cancelled' ? 'cancel' : 'move';
    return { action, blockId: block.id, revision: block.revision };
  },

  async run(tx, permit, input) {
    const action = asBlockAction(input);
    const row = await change(tx, permit, action);
    const overlaps = action.action === 'cancel' ? [] : await readOverlaps(tx, permit.caller, row);
    const sets = action.action === 'create' || action.action === 'move';
    const startDate = sets ? await readStartDate(tx, row) : null;
    const warnings = startDate !== null && row.start_local.slice(0, 10) < startDate ? [beforeStart(row, startDate)] : [];
    return { block: asBlock(row), overlaps, ...(warnings.length > 0 && { warnings }) };
  },

  // Titles of other items are no part of a receipt: a replay names what the caller may see by then.
  receipt: ({ overlaps, ...rest }): BlockReceipt => ({ ...rest, overlaps: overlaps.map(({ id }) => id) }),

  async replay(tx, { caller }, { overlaps, ...rest }: BlockReceipt) {
    return { ...rest, overlaps: overlaps.length ? await readOverlapsAgain(tx, caller, rest.block.timezone, overlaps) : [] };
  },
};

const beforeStart = (block: BlockRow, startDate: string): Warning => ({
  code: 'block_before_start',
  message: `The block is on ${block.start_local.slice(0, 10)}, before item ${block.item_id} starts on ${startDate}.`,
});

function change(tx: Tx, permit: Facts, action: ReturnType<typeof asBlockAction>): Promise<BlockRow> {
  if (action.action === 'create') return createBlock(tx, permit as PlanReach, action);
  const reach = permit as BlockReach;
  refuseStale(reach.block, action.revision);
  switch (action.action) {
    case 'move':
      return moveBlock(tx, reach.block, action);
    case 'start':
      return startBlock(tx, reach);
    case 'cancel':
      return cancelBlock(tx, reach.block);
  }
}

async function createBlock(tx: Tx, permit: PlanReach, action: NewBlock): Promise<BlockRow> {
  const timezone = action.timezone ?? permit.zone;
  const block = await insertBlock(tx, permit, { remindMinutes: USUAL_REMIND_MINUTES, ...action, timezone, ...spanOf(action, timezone) });
  await scheduleBlocks(tx, [block]);
  await markForecastOf(tx, block.workspace_id);
  return block;
}

/** Moves a block within its time zone. Replaces its jobs by key; a job that already runs finds another revision and does nothing. */
async function moveBlock(tx: Tx, block: BlockRow, { startLocal, endLocal }: BlockMove): Promise<BlockRow> {
  if (block.state !== 'scheduled') throw cannot(block, 'moved');
  const { startsAt, endsAt } = spanOf({ startLocal, endLocal }, block.timezone);
  const times = { start_local: startLocal, end_local: endLocal, starts_at: startsAt, ends_at: endsAt };
  const moved = await updateBlock(tx, block, { state: 'scheduled', ...times });
  await scheduleBlocks(tx, [moved]);
  await markForecastOf(tx, moved.workspace_id);
  return moved;
}

async function startBlock(tx: Tx, permit: BlockReach): Promise<BlockRow> {
  const { block, now } = permit;
  if (block.state !== 'scheduled') throw cannot(block, 'started');
  if (now >= block.ends_at) throw new Conflict(`Block ${block.id} ended at ${block.ends_at}: plan a new one, or start a timer.`);
  return runBlock(tx, permit, block, 'hand');
}

async function cancelBlock(tx: Tx, block: BlockRow): Promise<BlockRow> {
  if (block.state !== 'scheduled' && block.state !== 'running') throw cannot(block, 'cancelled');
  const cancelled = await updateBlock(tx, block, { state: 'cancelled' });
  await unschedule(tx, block.id);
  await markForecastOf(tx, block.workspace_id);
  return cancelled;
}

function refuseStale({ id, revision }: BlockRow, given: number | undefined): void {
  if (given === undefined || given === revision) return;
  throw new Conflict(`Block ${id} is at revision ${revision}: read your blocks again, then decide.`, { currentRevision: revision });
}

function cannot({ id, state, revision }: BlockRow, move: string): Conflict {
  return new Conflict(`Block ${id} is ${state} and can't be ${move}: plan a new one if you need it.`, { currentRevision: revision });
}
