/** Marks a person's own notifications as read, up to the newest they have been shown. */
import { z } from 'zod';
import type { Permit } from '../access/caller.ts';
import { authenticate } from '../access/queries.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { markRead } from './queries.ts';

const Input = z.strictObject({ upToId: Id });
type Input = z.infer<typeof Input>;

export const markNotificationsRead: TransactionWrite<Input, object, Input> = {
  name: 'markNotificationsRead',
  input: Input,

  async authorize(tx, caller): Promise<Permit> {
    const { account_id: accountId, user_id: userId } = await authenticate(tx, caller);
    return { caller, accountId, userId, workspaceId: 0, rights: 0, contextRights: 0 };
  },

  async run(tx, { userId }, { upToId }) {
    await markRead(tx, userId, upToId);
    return { upToId };
  },
};
