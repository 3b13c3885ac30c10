/** svc_plan_block: create, move, start and cancel one's own plan blocks (behaviour §10.2). */
import type { Caller } from '../access/caller.ts';
import { holds, PLANS_WRITE, TIME_WRITE } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Warning } from '../items/warnings.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { lockPerson } from '../time/queries.ts';
import { Conflict, errorAt, Forbidden, type Path } from '../values/errors.ts';
import { elementAt } from '../values/records.ts';
import { asBlockAction, type BlockAction, BlockArguments, type BlockMove, type NewBlock, type NewBlocks } from './arguments.ts';
import { runBlock } from './block.ts';
import {
  type BlockReach,
  insertBlock,
  type Overlap,
  type PlanReach,
  readAwayBlocks,
  readBlockReach,
  readOverlaps,
  readOverlapsAgain,
  readPlanReach,
  readStartDates,
  updateBlock,
} from './queries.ts';
import { scheduleBlocks, unschedule } from './schedule.ts';
import { asBlock, type BlockRow, type PlanBlock, spanOf, USUAL_REMIND_MINUTES } from './schema.ts';

/** `reaches`: for each new block. */
type NewReach = PlanReach & { reaches: PlanReach[] };
type Facts = NewReach | BlockReach;

interface Extras {
  /** The owner's other scheduled or running blocks that overlap. */
  overlaps: readonly Overlap[];
  warnings?: Warning[];
}
export type OneBlock = Extras & { block: PlanBlock };
export type ManyBlocks = Extras & { blocks: PlanBlock[] };
export type BlockResult = OneBlock | ManyBlocks;

type BlockReceipt = (Omit<OneBlock, 'overlaps'> | Omit<ManyBlocks, 'overlaps'>) & { overlaps: readonly number[] };

export const planBlock: Write<BlockArguments, BlockResult, Facts> = {
  name: 'planBlock',
  input: BlockArguments,

  async authorize(tx, caller, input, { replay }) {
    if (!replay) await lockPerson(tx, caller);
    const action = asBlockAction(input);
    if (action.action === 'create') {
      const reaches = await inTurn(action.blocks, pathsOf(input), (block) => reachFor(tx, caller, block));
      const first = elementAt(reaches, 0);
      const inOne = reaches.every(({ workspaceId }) => workspaceId === first.workspaceId);
      return { ...first, ...(!inOne && { workspaceId: 0 }), reaches };
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
    if (input.action !== 'create' || !('zone' in permit)) return [];
    const { zone } = permit;
    if (input.timezone === undefined) return [{ ...input, timezone: zone }];
    return input.timezone === zone ? [{ ...input, timezone: undefined }] : [];
  },

  async inputOf(_tx, result: BlockReceipt) {
    if ('blocks' in result) {
      const blocks = result.blocks.map(({ itemId, startLocal, endLocal, autoStart, autoStop }) => {
        return { itemId: itemId ?? 0, startLocal, endLocal, autoStart, autoStop };
      });
      return { action: 'create', blocks };
    }
    const { block } = result;
    const action = block.state === 'running' ? 'start' : block.state === 'cancelled' ? 'cancel' : 'move';
    return { action, blockId: block.id, revision: block.revision };
  },

  async run(tx, permit, input) {
    const action = asBlockAction(input);
    if (action.action === 'create' && 'reaches' in permit) {
      const rows = await createBlocks(tx, permit, action, pathsOf(input));
      const extras = await extrasOf(tx, permit.caller, rows, true);
      if (!input.blocks) return { block: asBlock(elementAt(rows, 0)), ...extras };
      return { blocks: rows.map(asBlock), ...extras };
    }
    if (action.action === 'create' || !('block' in permit)) throw new Forbidden();
    const row = await change(tx, permit, action);
    if (action.action === 'cancel') return { block: asBlock(row), overlaps: [] };
    return { block: asBlock(row), ...(await extrasOf(tx, permit.caller, [row], action.action === 'move')) };
  },

  // Receipts do not store titles of other items: a replay names only those that the caller may see by then.
  receipt: ({ overlaps, ...rest }): BlockReceipt => ({ ...rest, overlaps: overlaps.map(({ id }) => id) }),

  async replay(tx, { caller }, { overlaps, ...rest }: BlockReceipt) {
    const { timezone } = 'block' in rest ? rest.block : elementAt(rest.blocks, 0);
    return { ...rest, overlaps: overlaps.length ? await readOverlapsAgain(tx, caller, timezone, overlaps) : [] };
  },
};

/** Where the input has each new block. */
const pathsOf =
  ({ blocks }: BlockArguments) =>
  (index: number): Path =>
    blocks ? ['blocks', index] : [];

/** Runs `work` for one block after the other. Its errors get the block's path. */
async function inTurn<Each, Made>(
  all: readonly Each[],
  pathOf: (index: number) => Path,
  work: (each: Each, index: number) => Promise<Made>,
) {
  const made: Made[] = [];
  for (const [index, each] of all.entries()) {
    made.push(
      await work(each, index).catch((error) => {
        throw errorAt(pathOf(index), error);
      }),
    );
  }
  return made;
}

async function reachFor(tx: Tx, caller: Caller, { itemId, autoStart, autoStop }: NewBlock): Promise<PlanReach> {
  const reach = await readPlanReach(tx, caller, itemId);
  // A later job will start or stop the timer, so the right to record time is needed already here.
  if (!holds(reach.rights, autoStart || autoStop ? PLANS_WRITE | TIME_WRITE : PLANS_WRITE)) throw new Forbidden();
  return reach;
}

/** Overlaps and warnings of saved blocks. `placed`: their times are new. */
async function extrasOf(tx: Tx, caller: Caller, rows: readonly BlockRow[], placed: boolean): Promise<Extras> {
  const overlaps = await readOverlaps(tx, caller, rows);
  const starts = placed ? await readStartDates(tx, rows) : new Map<number, string>();
  const away = placed ? await readAwayBlocks(tx, rows) : [];
  const warnings = rows.flatMap((row, index) => {
    const startDate = starts.get(row.item_id);
    const early = startDate !== undefined && row.start_local.slice(0, 10) < startDate ? [beforeStart(row, startDate)] : [];
    const absent = away.includes(row.id) ? [whileAway(row)] : [];
    return [...early, ...absent].map((warning) => ({ ...warning, ...(rows.length > 1 && { index }) }));
  });
  return { overlaps, ...(warnings.length > 0 && { warnings }) };
}

const beforeStart = (block: BlockRow, startDate: string): Warning => ({
  code: 'block_before_start',
  message: `The block is on ${block.start_local.slice(0, 10)}, before item ${block.item_id} starts on ${startDate}.`,
});

export const whileAway = (block: Pick<BlockRow, 'start_local'>): Warning => ({
  code: 'block_while_away',
  message: `You are away on ${block.start_local.slice(0, 10)}. Plan another day.`,
});

function change(tx: Tx, reach: BlockReach, action: Exclude<BlockAction, NewBlocks>): Promise<BlockRow> {
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

async function createBlocks(
  tx: Tx,
  { reaches, zone }: NewReach,
  { blocks, timezone = zone }: NewBlocks,
  pathOf: (index: number) => Path,
): Promise<BlockRow[]> {
  const rows = await inTurn(blocks, pathOf, async (block, index) =>
    insertBlock(tx, elementAt(reaches, index), { remindMinutes: USUAL_REMIND_MINUTES, ...block, timezone, ...spanOf(block, timezone) }),
  );
  await scheduleBlocks(tx, rows);
  await markForecastOf(tx, ...new Set(rows.map((row) => row.workspace_id)));
  return rows;
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
