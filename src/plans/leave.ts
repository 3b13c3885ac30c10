/** Deactivates or removes a user. The same transaction stops their timer and cancels their plan blocks (behaviour §9.15). */
import { z } from 'zod';
import { type AccountPermit, type AdminScope, inAccount, runsWorkspace } from '../access/accountAccessQueries.ts';
import { deactivatePerson } from '../accounts/peopleQueries.ts';
import { activateUser } from '../accounts/queries.ts';
import type { Tx } from '../database/db.ts';
import { countOpenTasks } from '../items/placeQueries.ts';
import type { Write } from '../operations/operation.ts';
import { lockMember } from '../time/queries.ts';
import { stopTimerOf } from '../time/timer.ts';
import { Id } from '../values/text.ts';
import { requireOtherOwner } from '../workspaces/administer.ts';
import { removeMember } from '../workspaces/queries.ts';
import { cancelBlocksOf } from './queries.ts';
import { unschedule } from './schedule.ts';

export interface EndedWork {
  stoppedTimers: number;
  cancelledBlocks: number;
  openTasks: number;
}

/** Throws Conflict for an account's last active owner. */
export async function deactivate(tx: Tx, scope: AdminScope, userId: number): Promise<EndedWork> {
  await deactivatePerson(tx, scope, userId);
  return endWork(tx, userId, null);
}

export async function leaveWorkspace(tx: Tx, scope: AdminScope, workspaceId: number, userId: number): Promise<EndedWork> {
  // Like every change of a user's time: their lock first, then the forecast's mark.
  await lockMember(tx, workspaceId, userId);
  await removeMember(tx, scope, workspaceId, userId);
  return endWork(tx, userId, workspaceId);
}

/** In one workspace, or (null) in all. The caller must hold the user's lock, so that a concurrent start commits first or waits. */
async function endWork(tx: Tx, userId: number, workspaceId: number | null): Promise<EndedWork> {
  const stopped = await stopTimerOf(tx, userId, (timer) => workspaceId === null || timer.workspace_id === workspaceId);
  const cancelled = await cancelBlocksOf(tx, userId, workspaceId);
  await unschedule(tx, ...cancelled);
  return { stoppedTimers: Number(stopped), cancelledBlocks: cancelled.length, openTasks: await countOpenTasks(tx, userId, workspaceId) };
}

const Activation = z.strictObject({ userId: Id, active: z.boolean() });
type Activation = z.infer<typeof Activation>;

const aboutUser = (_permit: unknown, { userId }: Activation) => ({ type: 'user' as const, id: userId });

export const setActive: Write<Activation, void, AccountPermit> = {
  name: 'setActive',
  input: Activation,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [
    { kind: 'user.activated', when: (_permit, { active }) => active, about: aboutUser },
    { kind: 'user.deactivated', when: (_permit, { active }) => !active, about: aboutUser },
  ],
  async run(tx, { accountId }, { userId, active }) {
    await (active ? activateUser : deactivate)(tx, { accountId }, userId);
  },
};

const Leaving = z.strictObject({ workspaceId: Id, userId: Id });

export const dropMember: Write<z.infer<typeof Leaving>, void, AccountPermit> = {
  name: 'dropMember',
  input: Leaving,
  authorize: (tx, caller, { workspaceId }) => runsWorkspace(tx, caller, workspaceId),
  audit: [{ kind: 'member.removed', about: (_permit, { userId, workspaceId }) => ({ type: 'member', id: userId, workspaceId }) }],
  run: (tx, permit, { workspaceId, userId }) => requireOtherOwner(tx, permit, () => leaveWorkspace(tx, permit, workspaceId, userId)),
};
