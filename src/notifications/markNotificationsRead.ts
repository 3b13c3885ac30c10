/** Marks a person's own notifications as read, up to the newest they have been shown. */
import { z } from 'zod';
import { type Permit, permitOutside } from '../access/caller.ts';
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
    return permitOutside(caller, accountId, userId);
  },

  async run(tx, { userId }, { upToId }) {
    await markRead(tx, userId, upToId);
    return { upToId };
  },
};
