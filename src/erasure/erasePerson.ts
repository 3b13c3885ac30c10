/** Erases a user: name, address and credentials at once, the rest in a job (behaviour §14.6). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { AdminScope } from '../access/adminScopeQueries.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { deactivate, type EndedWork } from '../plans/leave.ts';
import { Id } from '../values/text.ts';
import { endWebhook } from '../webhooks/queries.ts';
import { anonymise, LATER_SECONDS, requireOtherOwners, requireUnerased, workingWebhooksOf } from './personQueries.ts';
import { enqueueErasing } from './queries.ts';

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
  audit: [{ kind: 'user.erased', about: (_permit, { userId }) => ({ type: 'user', id: userId }), event: true }],
  async run(tx, { accountId }, { userId }) {
    await erasePerson(tx, { accountId }, userId);
  },
};
