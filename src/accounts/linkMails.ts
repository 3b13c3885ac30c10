/** The state of mails with links, for pages that wait for it (behaviour §12.32). */
import { z } from 'zod';
import { withoutSlot } from '../access/throttle/concurrency.ts';
import type { Db } from '../database/db.ts';
import type { Listens } from '../database/listen.ts';
import { type Mail, NotSent, reasonOf, sendMail } from '../mailer.ts';
import type { Read } from '../operations/operation.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import {
  CHANNEL,
  claimLinkMail,
  type LinkMail,
  type LinkTable,
  type PersonLinkMail,
  readLinkMails,
  setMailNotSent,
  setMailSent,
} from './linkMailQueries.ts';
import { type RequestedAddress, readRequestedAddress } from './profileQueries.ts';

export type { LinkMail, PersonLinkMail } from './linkMailQueries.ts';
export type { RequestedAddress } from './profileQueries.ts';

const WAIT_MS = 10_000;

/** `wait`: while a mail is being sent, wait up to WAIT_MS for news. */
const Waiting = z.strictObject({ wait: z.boolean() });
const People = Waiting.extend({ userIds: z.array(Id).min(1).max(100) });

export const isSending = (mail: LinkMail | null | undefined): boolean => mail?.state === 'sending';

export function linkMailOperations(listener: Listens) {
  /** `sendingIn`: id of the account in which a mail is being sent, else null. Each `look` checks access again. */
  async function withNews<Found>(look: () => Promise<Found>, sendingIn: (found: Found) => number | null): Promise<Found> {
    const first = await look();
    const accountId = sendingIn(first);
    if (accountId === null) return first;
    const waiting = await listener.listen(CHANNEL, String(accountId));
    try {
      const found = await look();
      if (sendingIn(found) === null) return found;
      await withoutSlot(waiting.within(WAIT_MS));
      return await look();
    } finally {
      waiting.end();
    }
  }

  const getLinkMails: Read<z.infer<typeof People>, readonly PersonLinkMail[]> = {
    name: 'getLinkMails',
    input: People,
    async run(tx, caller, { userIds, wait }) {
      const look = () => readLinkMails(tx, caller, userIds);
      const found = wait ? await withNews(look, (people) => people.find(({ mail }) => isSending(mail))?.accountId ?? null) : await look();
      if (found.length === 0) throw new Forbidden();
      return found;
    },
  };

  const getAskedAddress: Read<z.infer<typeof Waiting>, RequestedAddress | null> = {
    name: 'getAskedAddress',
    input: Waiting,
    async run(tx, caller, { wait }) {
      const look = () => readRequestedAddress(tx, caller);
      const found = wait ? await withNews(look, (one) => (one && isSending(one.asked?.mail) ? one.accountId : null)) : await look();
      if (!found) throw new CredentialRefused();
      return found.asked;
    },
  };

  return { getLinkMails, getAskedAddress };
}

/** Sends the mail with a link at most once, and stores the outcome for the pages (behaviour §12.32). */
export interface Sender {
  smtpUrl: string;
  from: string;
}

/** Throws NotSent if the queue may retry, and another error if the mail may have arrived. */
export async function sendLinkMail(db: Db, { smtpUrl, from }: Sender, table: LinkTable, id: number, mail: Mail): Promise<void> {
  if (!(await claimLinkMail(db.pool(), table, id))) return;
  try {
    await sendMail(smtpUrl, from, mail);
  } catch (error) {
    await setMailNotSent(db.pool(), table, id, reasonOf(error), error instanceof NotSent);
    throw error;
  }
  await setMailSent(db.pool(), table, id);
}
