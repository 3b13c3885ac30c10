import { z } from 'zod';
import { type Caller, type Permit, permitOutside } from '../access/caller.ts';
import { authenticate } from '../access/queries.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { markOneRead, markRead } from './queries.ts';

const Input = z.strictObject({ upToId: Id });
type Input = z.infer<typeof Input>;

export async function signedInPermit(tx: Tx, caller: Caller): Promise<Permit> {
  const { account_id: accountId, user_id: userId } = await authenticate(tx, caller);
  return permitOutside(caller, accountId, userId);
}

export const markNotificationsRead: Write<Input, Input> = {
  name: 'markNotificationsRead',
  input: Input,

  authorize: signedInPermit,

  async run(tx, { userId }, { upToId }) {
    await markRead(tx, userId, upToId);
    return { upToId };
  },
};

const One = z.strictObject({ notificationId: Id });

export const markNotificationRead: Write<z.infer<typeof One>, z.infer<typeof One>> = {
  name: 'markNotificationRead',
  input: One,
  authorize: signedInPermit,
  async run(tx, { userId }, { notificationId }) {
    await markOneRead(tx, userId, notificationId);
    return { notificationId };
  },
};
