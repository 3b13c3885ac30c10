/** The job that carries out due erasures for some seconds. Each step commits alone, and the next job continues from there. */

import { z } from 'zod';
import { type AccountPermit, type AdminScope, inAccount } from '../access/accountAccessQueries.ts';
import { aboutUser } from '../audit/line.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { deactivate, type EndedWork } from '../plans/leave.ts';
import { Id } from '../values/text.ts';
import { endWebhook } from '../webhooks/queries.ts';
import { anyDue, dueWithAccount, type Erasure, endErasure, enqueueErasing, type Step, savePlace, takeDue } from './queries.ts';
import {
  anonymise,
  LATER_SECONDS,
  requireOtherOwners,
  requireUnerased,
  rowsOfAccount,
  rowsOfWorkspace,
  workingWebhooksOf,
} from './rowQueries.ts';
import { stepsOfUser } from './traceQueries.ts';

const LONGEST_MS = 5_000;

export async function eraseDue(db: Db, signal?: AbortSignal): Promise<void> {
  const erasure = await takeDue(db.pool());
  if (!erasure) return;
  if (erasure.subject !== 'account' || !(await dueWithAccount(db.pool(), erasure.accountId))) await carryOut(db, erasure, signal);
  if (await anyDue(db.pool())) await enqueueErasing(db.pool());
}

const stepsOf: Record<Erasure['subject'], (erasure: Erasure) => Step[]> = {
  user: stepsOfUser,
  workspace: ({ accountId, id }) => rowsOfWorkspace(accountId, id),
  account: ({ id }) => rowsOfAccount(id),
};

async function carryOut(db: Db, erasure: Erasure, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  const steps = stepsOf[erasure.subject](erasure);
  let { nextId } = erasure;
  for (const [step, erase] of [...steps.entries()].slice(erasure.step)) {
    for (let next: number | null = nextId; next !== null; ) {
      if (signal?.aborted || performance.now() > end) return savePlace(db.pool(), erasure, step, next);
      next = await erase(db.pool(), next);
    }
    nextId = 0;
  }
  await endErasure(db.pool(), erasure);
}

// Erases a user: name, address and credentials immediately, the rest in a job (behaviour §14.6).

/** Throws Conflict for the last active owner of an account or a workspace. */
export async function erasePerson(tx: Tx, scope: AdminScope, userId: number): Promise<EndedWork> {
  await requireUnerased(tx, scope, userId);
  const ended = await deactivate(tx, scope, userId);
  await requireOtherOwners(tx, userId);
  for (const webhookId of await workingWebhooksOf(tx, userId)) await endWebhook(tx, webhookId);
  await anonymise(tx, userId);
  await enqueueErasing(tx, { key: `erase:${userId}`, delaySeconds: LATER_SECONDS });
  return ended;
}

const One = z.strictObject({ userId: Id });

export const eraseUser: Write<z.infer<typeof One>, void, AccountPermit> = {
  name: 'eraseUser',
  input: One,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'user.erased', about: aboutUser, event: true }],
  async run(tx, { accountId }, { userId }) {
    await erasePerson(tx, { accountId }, userId);
  },
};
