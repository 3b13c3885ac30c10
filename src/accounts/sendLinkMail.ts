/** Sends the mail with a link at most once, and stores the outcome for the pages (behaviour §12.32). */
import type { Db } from '../database/db.ts';
import { type Mail, NotSent, reasonOf, sendMail } from '../mailer.ts';
import { claimLinkMail, type LinkTable, setMailNotSent, setMailSent } from './linkMailQueries.ts';

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
