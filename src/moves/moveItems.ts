/** Moves items to another workspace of the account (behaviour §42). Only people on pages do this. */
import { z } from 'zod';
import type { Caller, Permit } from '../access/caller.ts';
import { bits, holds, resourceOf } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { unschedule } from '../plans/schedule.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { elementAt, valueAt } from '../values/records.ts';
import { readMove, readWorkspaceChoices } from './factQueries.ts';
import { cutTies, lockMove, moveRows, recordMove } from './moveQueries.ts';
import { type MovePlan, planMove } from './plan.ts';
import { type BothWorkspaces, type MoveFacts, MoveInput, type ReachedWorkspace } from './schema.ts';

type Found = Permit & { both: BothWorkspaces; facts: MoveFacts };

/** Throws Forbidden for keys and agents, and unless the caller may remove the given items here and add such items there. */
async function authorized(tx: Tx, caller: Caller, input: MoveInput): Promise<Found> {
  if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
  const found = await readMove(tx, caller, input);
  const { source, target } = found.both;
  const roots = found.facts.moving.filter(({ id }) => input.ids.includes(id));
  for (const { type } of roots) {
    const resource = resourceOf(type);
    if (!holds(source.rights, bits(resource, 'delete')) || !holds(target.rights, bits(resource, 'write'))) throw new Forbidden();
  }
  return found;
}

export interface MovePreview extends Pick<MovePlan, 'stays' | 'changes' | 'people' | 'refusals' | 'seen'> {
  target: string;
  /** Items that move, with those below. */
  count: number;
  archived: number;
}

export const previewMove: Read<MoveInput, MovePreview> = {
  name: 'previewMove',
  input: MoveInput,
  async run(tx, caller, input) {
    const { facts, both } = await authorized(tx, caller, input);
    const { stays, changes, people, refusals, seen } = await planMove(facts, both);
    const known = facts.moving.filter((item) => item.readable);
    const archived = known.filter((item) => item.archived).length;
    return { target: both.target.name, count: known.length, archived, stays, changes, people, refusals, seen };
  },
};

const Nothing = z.strictObject({});

/** The workspaces that the caller reaches, with their rights there. */
export const moveTargets: Read<z.infer<typeof Nothing>, readonly ReachedWorkspace[]> = {
  name: 'moveTargets',
  input: Nothing,
  run: (tx, caller) => readWorkspaceChoices(tx, caller),
};

/** `seen`: of the preview that the person confirmed. */
const Input = MoveInput.extend({ seen: z.string().max(100) });
type Input = z.infer<typeof Input>;

export interface MovedItems {
  /** The first of the given items, with its new version. */
  id: number;
  version: number;
  count: number;
}

export const moveItems: Write<Input, MovedItems, Found> = {
  name: 'moveItems',
  input: Input,

  authorize: (tx, caller, { seen: _seen, ...input }) => authorized(tx, caller, input),

  async run(tx, permit, { seen, ...input }) {
    const { moving, staying } = permit.facts;
    await lockMove(
      tx,
      [...moving, ...staying].map(({ id }) => id),
    );
    // Read again under the locks: a new item below or a new dependency changes the plan, and the preview did not name it.
    const { facts, both } = await authorized(tx, permit.caller, input);
    const plan = await planMove(facts, both);
    const [refusal] = plan.refusals;
    if (refusal !== undefined) throw new Conflict(refusal);
    if (plan.seen !== seen)
      throw new Conflict('Something about these items has changed. Check again what the move changes, then confirm it.');
    const { source, target } = both;
    await unschedule(tx, ...(await cutTies(tx, permit, plan, target.id)));
    await moveRows(tx, permit, plan, target.id, [...new Set(facts.moving.map(({ type }) => type))]);
    await recordMove(tx, permit, plan);
    await markForecastOf(tx, source.id, target.id);
    const { id, version } = valueAt(plan.inside, elementAt(input.ids, 0));
    return { id, version: version + 1, count: facts.moving.length };
  },
};
