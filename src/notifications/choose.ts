/** Reads and changes a user's notification settings, also by a mail's unsubscribe link (behaviour §10.23, §10.25). */
import { z } from 'zod';
import type { Read, Write } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import {
  readNotificationChoices,
  readStoredChoices,
  storeChoices,
  storeWorkspaceChoice,
  type WorkspaceChoiceRow,
} from './choiceQueries.ts';
import { signedInPermit } from './markNotificationsRead.ts';
import { allowedChoices, type Choice, choices, type Kind, kinds, usualChoices, workspaceChoices } from './schema.ts';
import type { Mails } from './unsubscribe.ts';

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
  .refine((chosen) => Object.entries(chosen).every(([kind, choice]) => allowedChoices(kind as Kind).includes(choice)), {
    error: 'password notifications cannot be turned off. Choose at least the inbox.',
  });

const Choosing = z.strictObject({ choices: Chosen });

/** Kinds that are not given keep their choice. */
export const chooseNotifications: Write<z.infer<typeof Choosing>, object> = {
  name: 'chooseNotifications',
  input: Choosing,
  authorize: signedInPermit,
  async run(tx, { userId }, { choices: chosen }) {
    await storeChoices(tx, userId, Object.entries(chosen) as [Kind, Choice][]);
    return {};
  },
};

const Stopping = z.strictObject({ mails: z.enum([...kinds, 'digest']) });

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
      stopped.map((kind) => [kind, 'page'] as const),
    );
    return {};
  },
};
