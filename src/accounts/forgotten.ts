/** Asking for a forgotten password always gets the same immediate answer. A job looks up the address (behaviour §12.23). */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Permit, permitOutside, visitor } from '../access/caller.ts';
import { auditEvent } from '../audit/audit.ts';
import type { By } from '../audit/line.ts';
import type { Db } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { insertForgottenLink, lockUsersByEmail } from './invitationQueries.ts';
import { Email, normalEmail } from './schema.ts';

const Asked = z.strictObject({ email: Email });

export const askForLink: Write<z.infer<typeof Asked>, void> = {
  name: 'askForLink',
  input: Asked,
  authorize: async (_tx, caller) => permitOutside(caller),
  run: (tx, { caller }: Permit, { email }) => enqueue(tx, 'forgotten_password', { email: normalEmail(email), address: caller.address }),
};

/** Mails a link to each person with this address. An address may be in several accounts. */
export async function sendForgottenLinks(db: Db, email: string, address?: string): Promise<void> {
  const stranger: By = { caller: { ...visitor, ...(address === undefined ? {} : { address }) }, userId: 0 };
  await db.transaction(async (tx) => {
    for (const { id, accountId } of await lockUsersByEmail(tx, email)) {
      const invitationId = await insertForgottenLink(tx, id, randomBytes(16).toString('base64url'));
      if (invitationId === null) continue;
      await enqueue(tx, 'mail_invitation', { invitationId }, { about: { account: accountId, user: id } });
      await auditEvent(tx, stranger, 'link.asked', { type: 'user', id });
    }
  });
}
