/** Undo of a cancelled plan block on a page: it is scheduled again at its time (behaviour §23.10). */
import { z } from 'zod';
import { holds, PLANS_WRITE, TIME_WRITE } from '../access/rights.ts';
import type { Write } from '../operations/operation.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Revision } from '../time/arguments.ts';
import { lockItemOf, lockPerson } from '../time/queries.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { type BlockReach, readBlockReach, updateBlock } from './queries.ts';
import { scheduleBlocks } from './schedule.ts';
import { asBlock, type PlanBlock } from './schema.ts';

const Input = z.strictObject({ blockId: Id, revision: Revision });
type Input = z.infer<typeof Input>;

/** False for a block that had started: its timer may still run. */
export const mayRestore = ({ block, now }: BlockReach): boolean =>
  block.state === 'cancelled' && block.entry_id === null && now < block.ends_at;

export const restoreBlock: Write<Input, PlanBlock, BlockReach> = {
  name: 'restoreBlock',
  input: Input,

  async authorize(tx, caller, { blockId }, { replay }) {
    if (caller.kind !== 'session') throw new Forbidden();
    if (!replay) await lockPerson(tx, caller);
    const reach = await readBlockReach(tx, caller, blockId);
    const { auto_start: starts, auto_stop: stops, item_title: title } = reach.block;
    const needed = PLANS_WRITE | (starts || stops ? TIME_WRITE : 0);
    if (title === null || !holds(reach.rights, needed)) throw new Forbidden();
    return reach;
  },

  async run(tx, reach, { revision }) {
    const { block } = reach;
    if (block.revision !== revision || !mayRestore(reach))
      throw new Conflict('This planned time can no longer be restored. Plan it again.');
    await lockItemOf(tx, block);
    const restored = await updateBlock(tx, block, { state: 'scheduled' });
    await scheduleBlocks(tx, [restored]);
    await markForecastOf(tx, restored.workspace_id);
    return asBlock(restored);
  },
};
