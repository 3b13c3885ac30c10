/** A user's inbox: decisions that wait for them, and their notifications (behaviour §20.12). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { type InboxRows, readInbox } from './inboxQueries.ts';

export type { Decision } from './inboxQueries.ts';

const Input = z.strictObject({ unreadOnly: z.boolean(), before: Id.nullable(), limit: z.int().min(1).max(100) });

export interface Inbox extends InboxRows {
  more: boolean;
}

export const inbox: Read<z.infer<typeof Input>, Inbox> = {
  name: 'inbox',
  input: Input,
  async run(tx, caller, input) {
    const { decisions, notifications } = await readInbox(tx, caller, { ...input, limit: input.limit + 1 });
    return { decisions, notifications: notifications.slice(0, input.limit), more: notifications.length > input.limit };
  },
};
