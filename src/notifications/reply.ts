/** Answers a notification with a comment on its item, which completes it: both or neither (behaviour §20.13). */
import { z } from 'zod';
import type { ItemType } from '../access/rights.ts';
import { addComment } from '../comments/addComment.ts';
import { CommentBody } from '../comments/schema.ts';
import type { Write } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { markOneRead } from './queries.ts';

const Reply = z.strictObject({ workspaceId: Id, id: Id, notificationId: Id, body: CommentBody });
type Reply = z.infer<typeof Reply>;

export const replyToNotification: Write<Reply, { id: number }, { itemType: ItemType }> = {
  name: 'replyToNotification',
  input: Reply,
  authorize: (tx, caller, { workspaceId, id, body }, prepared) => addComment.authorize(tx, caller, { workspaceId, id, body }, prepared),
  async run(tx, permit, { workspaceId, id, body, notificationId }) {
    await addComment.run(tx, permit, { workspaceId, id, body });
    await markOneRead(tx, permit.userId, notificationId);
    return { id };
  },
};
