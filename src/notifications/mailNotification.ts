/** The mail about a notification: sent once at most, after the commit of what it tells, in a job of its own. */
import type { Db } from '../database/db.ts';
import { type MailSettings, placeOf, sendClaimed, withEnding } from './mail.ts';
import { claimMail, releaseMail } from './queries.ts';
import { type Kind, sentenceOf } from './schema.ts';

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
export async function mailNotification(db: Db, settings: MailSettings, id: number): Promise<void> {
  const { mail, baseUrl } = settings;
  if (!mail.smtpUrl) return;
  // Claimed in a transaction of its own: no connection is held while the mail server thinks, and no crash sends it twice.
  const claimed = await db.transaction((tx) => claimMail(tx, id));
  if (!claimed) return;
  const { to, userId, notification } = claimed;
  const { kind } = notification;
  const text = `${sentenceOf(notification)}\n\n${baseUrl}${placeOf(notification)}\n`;
  const ended = withEnding(settings, { userId, mails: kind }, { to, subject: subjects[kind], text });
  await sendClaimed(mail.smtpUrl, mail.from, ended, () => releaseMail(db.pool(), id));
}
