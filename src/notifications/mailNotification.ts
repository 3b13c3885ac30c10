/** The mail about a notification: sent once at most, after the commit of what it tells, in a job of its own. */
import type { Db } from '../database/db.ts';
import { NotSent, sendMail } from '../mailer.ts';
import { claimMail, releaseMail } from './queries.ts';
import { type Kind, type NotificationRow, sentenceOf } from './schema.ts';

export interface MailSettings {
  mail: { smtpUrl: string | undefined; from: string };
  baseUrl: string;
}

const subjects: Record<Kind, string> = {
  mentioned: 'You were mentioned',
  approval_requested: 'Your approval is asked for',
  assigned: 'Work was assigned to you',
  owner: 'You own an item',
  approval_decided: 'An approval was decided',
  commented: 'There is a comment',
  status_changed: 'A status was changed',
  due_tomorrow: 'Work is due tomorrow',
  overdue: 'Work is overdue',
  block_starts: 'Planned work is about to start',
  block_ends: 'Planned work is about to end',
  block_missed: 'Planned work was missed',
  timer_long: 'Your timer has been running for long',
  password_link: 'A link sets a new password for you',
  password_set: 'Your password was set with a link',
  approved_changed: 'What you approved was changed',
  webhook_rests: 'A webhook rests',
};

/** Does nothing without SMTP_URL. Throws NotSent when it may be tried again. */
export async function mailNotification(db: Db, { mail, baseUrl }: MailSettings, id: number): Promise<void> {
  if (!mail.smtpUrl) return;
  // Claimed in a transaction of its own: no connection is held while the mail server thinks, and no crash sends it twice.
  const claimed = await db.transaction((tx) => claimMail(tx, id));
  if (!claimed) return;
  const { to, notification } = claimed;
  try {
    await sendMail(mail.smtpUrl, mail.from, {
      to,
      subject: subjects[notification.kind],
      text: `${sentenceOf(notification)}\n\n${baseUrl}${placeOf(notification)}\n`,
    });
  } catch (error) {
    if (error instanceof NotSent) await releaseMail(db.pool(), id);
    throw error;
  }
}

/** Where its reader acts on it, below the public address. */
const placeOf = ({ workspace_id, item_id, webhook_id }: NotificationRow): string => {
  if (webhook_id !== null) return `/workspaces/${workspace_id}/webhooks/${webhook_id}`;
  return item_id === null ? '/' : `/workspaces/${workspace_id}/items/${item_id}`;
};
