/** Reads and changes a user's notification settings, also by a mail's unsubscribe link (behaviour §10.23, §10.25). */

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Caller, type Permit, permitOutside } from '../access/caller.ts';
import { authenticate } from '../access/queries.ts';
import { readTarget } from '../comments/queries.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { recordOf } from '../values/records.ts';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';
import { Id } from '../values/text.ts';
import {
  readNotificationChoices,
  readStoredChoices,
  setWatch,
  storeChoices,
  storeWorkspaceChoice,
  type WorkspaceChoiceRow,
} from './choiceQueries.ts';
import { markOneRead, markRead, markUnread, storeSnooze } from './queries.ts';
import { allowedChoices, type Choice, choices, type Kind, kinds, usualChoices, workspaceChoices } from './schema.ts';

const MarkNotificationsReadInput = z.strictObject({ upToId: Id });
type MarkNotificationsReadInput = z.infer<typeof MarkNotificationsReadInput>;

export async function signedInPermit(tx: Tx, caller: Caller): Promise<Permit> {
  const { account_id: accountId, user_id: userId } = await authenticate(tx, caller);
  return permitOutside(caller, accountId, userId);
}

export const markNotificationsRead: Write<MarkNotificationsReadInput, MarkNotificationsReadInput> = {
  name: 'markNotificationsRead',
  input: MarkNotificationsReadInput,

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

const Snoozing = z.strictObject({ notificationId: Id, until: z.iso.datetime().nullable() });

/** Hides an unread notification from the inbox until this time; null shows it again. Needs no job: queries compare the time (behaviour
 *  §20.13). */
export const snoozeNotification: Write<z.infer<typeof Snoozing>, z.infer<typeof Snoozing>> = {
  name: 'snoozeNotification',
  input: Snoozing,
  authorize: signedInPermit,
  async run(tx, { userId }, input) {
    await storeSnooze(tx, userId, input.notificationId, input.until);
    return input;
  },
};

/** Undoes markNotificationRead and snoozeNotification. */
export const returnNotification: Write<z.infer<typeof One>, z.infer<typeof One>> = {
  name: 'returnNotification',
  input: One,
  authorize: signedInPermit,
  async run(tx, { userId }, { notificationId }) {
    await markUnread(tx, userId, notificationId);
    return { notificationId };
  },
};

const Nothing = z.strictObject({});

export type Choices = Record<Kind, Choice>;

const withUsual = (chosen: readonly { kind: Kind; choice: Choice }[]): Choices => ({
  ...usualChoices,
  ...Object.fromEntries(chosen.map(({ kind, choice }) => [kind, choice])),
});

export interface NotificationChoices {
  choices: Choices;
  workspaces: WorkspaceChoiceRow[];
}

export const listChoices: Read<z.infer<typeof Nothing>, NotificationChoices> = {
  name: 'listChoices',
  input: Nothing,
  async run(tx, caller) {
    const found = await readNotificationChoices(tx, caller);
    if (!found) throw new CredentialRefused();
    return { choices: withUsual(found.chosen), workspaces: found.workspaces };
  },
};

const Chosen = z
  .partialRecord(z.enum(kinds), z.enum(choices))
  .refine((chosen) => kinds.every((kind) => chosen[kind] === undefined || allowedChoices(kind).includes(chosen[kind])), {
    error: 'password notifications cannot be turned off. Choose at least the inbox.',
  });

const Choosing = z.strictObject({ choices: Chosen });

/** Kinds that are not given keep their choice. */
export const chooseNotifications: Write<z.infer<typeof Choosing>, object> = {
  name: 'chooseNotifications',
  input: Choosing,
  authorize: signedInPermit,
  async run(tx, { userId }, { choices: chosen }) {
    await storeChoices(tx, userId, chosen);
    return {};
  },
};

const Mails = z.enum([...kinds, 'digest']);
export type Mails = z.infer<typeof Mails>;

const Stopping = z.strictObject({ mails: Mails });

const ChoosingFor = z.strictObject({ workspaceId: Id, choice: z.enum(workspaceChoices).nullable() });

/** Sets the limit for one workspace; null: no limit. */
export const chooseForWorkspace: Write<z.infer<typeof ChoosingFor>, object> = {
  name: 'chooseForWorkspace',
  input: ChoosingFor,
  authorize: signedInPermit,
  async run(tx, { userId }, { workspaceId, choice }) {
    if (!(await storeWorkspaceChoice(tx, userId, workspaceId, choice))) throw new Forbidden();
    return {};
  },
};

/** Stops mails of one kind, or the digest with all kinds in it. The notifications stay in the inbox. */
export const stopMails: Write<{ mails: Mails }, object> = {
  name: 'stopMails',
  input: Stopping,
  authorize: signedInPermit,
  async run(tx, { userId }, { mails }) {
    const now = withUsual(await readStoredChoices(tx, userId));
    const stopped =
      mails === 'digest' ? kinds.filter((kind) => now[kind] === 'digest') : kinds.filter((kind) => kind === mails && now[kind] === 'mail');
    await storeChoices(
      tx,
      userId,
      recordOf(stopped, () => 'page'),
    );
    return {};
  },
};

/** Starts or stops watching an item (behaviour §10.19). */
const WatchItemInput = z.strictObject({ workspaceId: Id, id: Id, watching: z.boolean() });
type WatchItemInput = z.infer<typeof WatchItemInput>;

export const watchItem: Write<WatchItemInput, WatchItemInput> = {
  name: 'watchItem',
  input: WatchItemInput,
  authorize: (tx, caller, { workspaceId, id }) => readTarget(tx, caller, workspaceId, id),
  async run(tx, permit, input) {
    await setWatch(tx, permit, input.id, input.watching);
    return input;
  },
};

/** The one-click unsubscribe link in a mail (RFC 8058). It works without sign-in and contains user and kind, signed. Pure. */
export interface Subscription {
  userId: number;
  mails: Mails;
}

export const tokenOf = ({ secretKey }: SecretKeys, subscription: Subscription): string =>
  `${subscription.userId}.${subscription.mails}.${signature(secretKey, subscription)}`;

export function subscriptionOf(keys: SecretKeys, token: string): Subscription | null {
  const [, id, name, signed = ''] = /^([1-9]\d{0,14})\.([a-z_]{1,30})\.([\w-]{43})$/.exec(token) ?? [];
  const { data: mails } = Mails.safeParse(name);
  if (!mails) return null;
  const subscription = { userId: Number(id), mails };
  return matchesValidKey(keys, signed, (key) => signature(key, subscription)) ? subscription : null;
}

const signature = (secretKey: string, { userId, mails }: Subscription): string =>
  createHmac('sha256', secretKey).update(`unsubscribe:${userId}:${mails}`).digest('base64url');
