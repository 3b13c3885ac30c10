/** What every mail about notifications ends with: where one chooses what is mailed, and how to stop mails like it in one step (behaviour
 *  §10.25). */
import { type Mail, NotSent, sendMail } from '../mailer.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import type { NotificationRow } from './schema.ts';
import { type Subscription, tokenOf } from './unsubscribe.ts';

export interface MailSettings extends SecretKeys {
  mail: { smtpUrl: string | undefined; from: string };
  baseUrl: string;
}

export function withEnding(settings: MailSettings, subscription: Subscription, mail: Mail): Mail {
  const stop = `${settings.baseUrl}/unsubscribe?t=${tokenOf(settings, subscription)}`;
  return {
    ...mail,
    text: `${mail.text}\n-- \nChoose what is mailed: ${settings.baseUrl}/settings/notifications\nNo more mails like this: ${stop}\n`,
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

/** Sends a mail that was claimed. `release` lets the next try claim it, when it certainly was not taken; whatever else goes wrong, it is not
 *  sent again. */
export async function sendClaimed(smtpUrl: string, from: string, mail: Mail, release: () => Promise<void>): Promise<void> {
  try {
    await sendMail(smtpUrl, from, mail);
  } catch (error) {
    if (error instanceof NotSent) await release();
    throw error;
  }
}

/** Where its reader acts on it, below the public address. */
export const placeOf = ({ workspace_id, item_id, webhook_id }: NotificationRow): string => {
  if (webhook_id !== null) return `/workspaces/${workspace_id}/settings/webhooks/${webhook_id}`;
  return item_id === null ? '/notifications' : `/workspaces/${workspace_id}/items/${item_id}`;
};
