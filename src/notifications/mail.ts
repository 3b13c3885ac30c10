/** Common parts of notification mails. Each ends with links to settings and one-click unsubscribe (behaviour §10.25, §30.9). */
import { excerptOf, type Letter, letterHtml, letterText, type Work } from '../mailer/letter.ts';
import { type Mail, NotSent, sendMail } from '../mailer.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import { mailWords } from './mailWords.ts';
import { MAIL_LINES } from './queries.ts';
import { type MailedRow, type NotificationRow, sentenceOf } from './schema.ts';
import { type Subscription, tokenOf } from './unsubscribe.ts';

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
    { label: 'Unsubscribe from these mails', href: stop },
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
  list: rows.slice(0, MAIL_LINES).map((row) => ({
    text: sentenceOf(row, mailWords),
    href: `${baseUrl}${placeOf(row)}`,
    excerpt: row.message_begins && excerptOf(row.message_begins.trim().split('\n', 1)[0]!),
  })),
  button: { label: 'Open inbox', href: `${baseUrl}/notifications` },
  ...(rows.length > MAIL_LINES && { notes: ['Your inbox has more notifications.'] }),
});

/** Sends a claimed mail. Calls `release` if it was certainly not accepted; after other errors it is not sent again. */
export async function sendClaimed(smtpUrl: string, from: string, mail: Mail, release: () => Promise<void>): Promise<void> {
  try {
    await sendMail(smtpUrl, from, mail);
  } catch (error) {
    if (error instanceof NotSent) await release();
    throw error;
  }
}

export const placeOf = ({ workspace_id, item_id, webhook_id }: NotificationRow): string => {
  if (webhook_id !== null) return `/workspaces/${workspace_id}/settings/webhooks/${webhook_id}`;
  return item_id === null ? '/notifications' : `/workspaces/${workspace_id}/items/${item_id}`;
};
