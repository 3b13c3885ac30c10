/** The mail about one notification, or about all of one save. A separate job sends it at most once, after the commit. */
import type { Db } from '../database/db.ts';
import type { Letter } from '../mailer/letter.ts';
import type { Mail } from '../mailer.ts';
import { listOf, type MailSettings, placeOf, sendClaimed, withUnsubscribeLinks, workOf } from './mail.ts';
import { mailWords } from './mailWords.ts';
import { claimMail, MAIL_LINES, releaseMail } from './queries.ts';
import { type Kind, type MailedRow, sentenceOf } from './schema.ts';

const headings: Record<Exclude<Kind, 'approval_decided'>, string> = {
  mentioned: 'You were mentioned',
  approval_requested: 'Your approval is requested',
  assigned: 'Assigned to you',
  owner: 'You are the owner',
  commented: 'New comment',
  status_changed: 'Status changed',
  due_tomorrow: 'Due tomorrow',
  overdue: 'Overdue',
  block_starts: 'Planned time is about to start',
  block_ends: 'Planned time is about to end',
  block_missed: 'Planned time was missed',
  timer_long: 'Your timer is still running',
  password_link: 'A password link was created for you',
  password_set: 'Your password was changed',
  approved_changed: 'Changed since you approved it',
  webhook_rests: 'A webhook was paused',
};

const headingOf = ({ kind, approved }: MailedRow): string => {
  if (kind === 'approval_decided') return approved ? 'Approved' : 'Rejected';
  return headings[kind];
};

/** Does nothing without SMTP_URL. Throws NotSent if another attempt is possible. */
export async function mailNotification(db: Db, settings: MailSettings, id: number): Promise<void> {
  const { mail } = settings;
  if (!mail.smtpUrl) return;
  // Claimed in its own transaction: no connection is held while the mail server responds, and a crash never sends it twice.
  const claimed = await db.transaction((tx) => claimMail(tx, id));
  if (!claimed) return;
  await sendClaimed(mail.smtpUrl, mail.from, notificationMail(settings, claimed), () => releaseMail(db.pool(), claimed.ids));
}

interface Claimed {
  to: string;
  userId: number;
  lines: readonly MailedRow[];
}

export function notificationMail(settings: MailSettings, { to, userId, lines }: Claimed): Mail {
  const first = lines[0]!;
  const work = workOf(first);
  const heading = headingOf(first);
  const others = lines.length > MAIL_LINES ? 'more' : `${lines.length - 1} more`;
  const more = lines.length > 1 ? ` and ${others}` : '';
  const subject = work ? `${heading}: #${work.number} ${work.title}${more}` : heading;
  const letter = { preheader: sentenceOf(first, mailWords), heading, ...(more ? listOf(settings, lines) : about(settings, first)) };
  return withUnsubscribeLinks(settings, { userId, mails: first.kind }, { to, subject }, letter);
}

function about(settings: MailSettings, row: MailedRow): Pick<Letter, 'lines' | 'work' | 'button'> {
  const work = workOf(row);
  const label = work ? (buttons[row.kind] ?? `Open #${work.number}`) : row.webhook_id === null ? 'Open inbox' : 'Open webhook';
  return {
    lines: [sentenceOf(row, mailWords)],
    ...(work && { work }),
    button: { label, href: `${settings.baseUrl}${placeOf(row)}` },
  };
}

const buttons: Partial<Record<Kind, string>> = {
  mentioned: 'Read and reply',
  commented: 'Read and reply',
  approval_requested: 'Review',
  approved_changed: 'Compare versions',
  timer_long: 'Stop or correct timer',
};
