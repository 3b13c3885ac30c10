/** A forgotten password: whoever asks is answered at once and always the same; whether anybody has the address is found out by a job
 *  (behaviour §12.23). */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { Db } from '../database/db.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { forgetfulPeople, insertForgottenLink } from './invitationQueries.ts';
import { Email, normalEmail } from './schema.ts';

const Asked = z.strictObject({ email: Email });

export const askForLink: TransactionWrite<z.infer<typeof Asked>, object, void> = {
  name: 'askForLink',
  input: Asked,
  authorize: async (_tx, caller) => permitOutside(caller),
  run: (tx, _permit, { email }) => enqueue(tx, 'forgotten_password', { email: normalEmail(email) }),
};

/** Mails a link to everybody who signs in with the address: one person of each of several accounts, or nobody. */
export async function sendForgottenLinks(db: Db, email: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, accountId } of await forgetfulPeople(tx, email)) {
      const invitationId = await insertForgottenLink(tx, id, randomBytes(16).toString('base64url'));
      if (invitationId !== null) await enqueue(tx, 'mail_invitation', { invitationId }, { about: { account: accountId, user: id } });
    }
  });
}
