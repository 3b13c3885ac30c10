/** A workspace owner stops another user's timer on an item there (behaviour §9.16). The entry stays that user's. */
import { z } from 'zod';
import type { Write } from '../operations/operation.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { readMembership } from '../workspaces/membershipQueries.ts';
import { type ItemReach, readItemReach } from './queries.ts';
import { stopTimerOf } from './timer.ts';

const Input = z.strictObject({ workspaceId: Id, id: Id.describe('The item.'), userId: Id });

export const stopMembersTimer: Write<z.infer<typeof Input>, void, ItemReach> = {
  name: 'stopMembersTimer',
  input: Input,
  audit: [{ kind: 'timer.stopped', about: (_permit, { userId }) => ({ type: 'user', id: userId }), event: true }],
  async authorize(tx, caller, { workspaceId, id }) {
    if (caller.kind === 'key' || caller.kind === 'agent') throw new Forbidden();
    const { role } = await readMembership(tx, caller, workspaceId);
    const reach = await readItemReach(tx, caller, id);
    if (role !== 'owner' || reach.workspaceId !== workspaceId) throw new Forbidden();
    return reach;
  },
  async run(tx, _permit, { id, userId }) {
    const stopped = await stopTimerOf(tx, userId, ({ item_id: itemId }) => itemId === id);
    if (!stopped) throw new Conflict('This timer has already stopped. Nothing was changed.');
  },
};
