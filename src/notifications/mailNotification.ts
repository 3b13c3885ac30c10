/** The mail about a notification: sent once at most, after the commit of what it tells, in a job of its own. */
import type { Db } from '../database/db.ts';
import type { Mail } from '../mailer.ts';
import { type MailSettings, placeOf, sendClaimed, withEnding, workOf } from './mail.ts';
import { mailWords } from './mailWords.ts';
import { claimMail, releaseMail } from './queries.ts';
import { type Kind, type MailedRow, sentenceOf } from './schema.ts';

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
  const { mail } = settings;
  if (!mail.smtpUrl) return;
  // Claimed in a transaction of its own: no connection is held while the mail server thinks, and no crash sends it twice.
  const claimed = await db.transaction((tx) => claimMail(tx, id));
  if (!claimed) return;
  await sendClaimed(mail.smtpUrl, mail.from, notificationMail(settings, claimed), () => releaseMail(db.pool(), id));
}

interface Claimed {
  to: string;
  userId: number;
  notification: MailedRow;
}

export function notificationMail(settings: MailSettings, { to, userId, notification }: Claimed): Mail {
  const { kind, webhook_id: webhook } = notification;
  const work = workOf(notification);
  const sentence = sentenceOf(notification, mailWords);
  const label = work ? (buttons[kind] ?? `Open #${work.number}`) : webhook === null ? 'Open the inbox' : 'Open the webhook';
  return withEnding(
    settings,
    { userId, mails: kind },
    { to, subject: subjects[kind] },
    {
      ...{ preheader: sentence, heading: subjects[kind], lines: [sentence] },
      ...(work && { work }),
      button: { label, href: `${settings.baseUrl}${placeOf(notification)}` },
    },
  );
}

/** Where it says better what is to be done than that something is opened. */
const buttons: Partial<Record<Kind, string>> = {
  mentioned: 'Read and answer',
  commented: 'Read and answer',
  approval_requested: 'Look at it and decide',
  approved_changed: 'Compare it',
  timer_long: 'Stop or correct it',
};
