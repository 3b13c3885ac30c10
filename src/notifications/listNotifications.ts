/** A person's own notifications, for the pages (behaviour §10.12). */
import { z } from 'zod';
import type { Read } from '../operations/operation.ts';
import { Id } from '../values/text.ts';
import { readNotifications } from './queries.ts';
import { asNotification, type Notification } from './schema.ts';

const Input = z.strictObject({ unreadOnly: z.boolean().default(false), before: Id.optional(), limit: z.int().min(1).max(100).default(50) });

export const listNotifications: Read<z.infer<typeof Input>, { notifications: Notification[] }> = {
  name: 'listNotifications',
  input: Input,
  run: async (tx, caller, input) => ({ notifications: (await readNotifications(tx, caller, input)).map(asNotification) }),
};
