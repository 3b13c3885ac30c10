/** Common parts of notification mails. Each ends with links to settings and one-click unsubscribe (behaviour §10.25, §30.9). */

import type { Db } from '../database/db.ts';
import { excerptOf, type Letter, letterHtml, letterText, type Work } from '../mailer/letter.ts';
import { type Mail, NotSent, sendMail } from '../mailer.ts';
import { usualLocale } from '../values/dateForms.ts';
import { datedDay } from '../values/dateWords.ts';
import { elementAt } from '../values/records.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import { firstLine } from '../values/text.ts';
import { type Subscription, tokenOf } from './choose.ts';
import { claimMail, MAIL_LINES, releaseMail } from './queries.ts';
import { type Kind, lineOf, type MailedRow, type NotificationRow, sentenceOf, type Words } from './schema.ts';

/** Dates and times in mails: in words, with year and time zone, because the reader's time zone is unknown. */
export const mailDay = (date: string): string => datedDay(date.slice(0, 10), { locale: usualLocale });

const clock = (text: string): string => `${mailDay(text)}, ${text.slice(11, 16)}`;

export const mailWords: Words = {
  day: mailDay,
  moment: (iso) => `${clock(iso)} (UTC)`,
  local: (text, zone) => `${clock(text)} (${zone})`,
};

export interface MailSettings extends SecretKeys {
  mail: { smtpUrl: string | undefined; from: string };
  baseUrl: string;
}

interface Envelope {
  to: string;
  subject: string;
}

export function withUnsubscribeLinks(settings: MailSettings, subscription: Subscription, envelope: Envelope, letter: Letter): Mail {
  const stop = `${settings.baseUrl}/unsubscribe?t=${tokenOf(settings, subscription)}`;
  const links = [
    { label: 'Notification settings', href: `${settings.baseUrl}/settings/notifications` },
    { label: 'Unsubscribe from these emails', href: stop },
  ];
  const whole = { ...letter, links };
  return {
    ...envelope,
    ...{ text: letterText(whole), html: letterHtml(whole) },
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

export function workOf({ item_id, item_title, workspace_name, message_begins }: MailedRow): Work | null {
  if (item_id === null || item_title === null) return null;
  return { number: item_id, title: item_title, workspace: workspace_name, excerpt: message_begins && excerptOf(message_begins) };
}

export const listOf = ({ baseUrl }: MailSettings, rows: readonly MailedRow[]): Pick<Letter, 'list' | 'button' | 'notes'> => ({
  list: rows.slice(0, MAIL_LINES).flatMap((row) => [
    {
      text: sentenceOf(row, mailWords),
      href: `${baseUrl}${placeOf(row)}`,
      excerpt: row.message_begins && excerptOf(firstLine(row.message_begins.trim())),
    },
    ...summaryOf(baseUrl, row),
  ]),
  button: { label: 'Open inbox', href: `${baseUrl}/notifications` },
  ...(rows.length > MAIL_LINES && { notes: ['Your inbox has more notifications.'] }),
});

const summaryOf = (baseUrl: string, { summary }: MailedRow) =>
  (summary ?? []).map((line) => ({ text: lineOf(line, mailWords), href: `${baseUrl}${placeOf({ ...line, webhook_id: null })}` }));

/** Sends a claimed mail. Calls `release` if it was certainly not accepted; after other errors it is not sent again. */
export async function sendClaimed(smtpUrl: string, from: string, mail: Mail, release: () => Promise<void>): Promise<void> {
  try {
    await sendMail(smtpUrl, from, mail);
  } catch (error) {
    if (error instanceof NotSent) await release();
    throw error;
  }
}

export const placeOf = ({
  workspace_id,
  item_id,
  webhook_id,
}: Pick<NotificationRow, 'workspace_id' | 'item_id' | 'webhook_id'>): string => {
  if (webhook_id !== null) return `/workspaces/${workspace_id}/settings/webhooks/${webhook_id}`;
  return item_id === null ? '/notifications' : `/workspaces/${workspace_id}/items/${item_id}`;
};

/** The mail about one notification, or about all of one save. A separate job sends it at most once, after the commit. */
const headings: Record<Exclude<Kind, 'approval_decided'>, string> = {
  mentioned: 'You were mentioned',
  approval_requested: 'Your approval is requested',
  assigned: 'Assigned to you',
  owner: 'You are the owner',
  commented: 'New comment',
  status_changed: 'Status changed',
  unblocked: 'No longer blocked',
  away: 'An assignee is away',
  outlook: 'Outlook changed',
  outlook_week: 'Your releases and milestones',
  series_paused: 'A recurring task was paused',
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
  const first = elementAt(lines, 0);
  const work = workOf(first);
  const heading = headingOf(first);
  const others = lines.length > MAIL_LINES ? 'more' : `${lines.length - 1} more`;
  const more = lines.length > 1 ? ` and ${others}` : '';
  const subject = work ? `${heading}: #${work.number} ${work.title}${more}` : heading;
  const letter = { preheader: sentenceOf(first, mailWords), heading, ...(more ? listOf(settings, lines) : about(settings, first)) };
  return withUnsubscribeLinks(settings, { userId, mails: first.kind }, { to, subject }, letter);
}

function about(settings: MailSettings, row: MailedRow): Pick<Letter, 'lines' | 'work' | 'list' | 'button'> {
  const work = workOf(row);
  const label = work ? (buttons[row.kind] ?? `Open #${work.number}`) : row.webhook_id === null ? 'Open inbox' : 'Open webhook';
  return {
    lines: [sentenceOf(row, mailWords)],
    ...(work && { work }),
    ...(row.summary && { list: summaryOf(settings.baseUrl, row) }),
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
