/** The mail of a person's day: all that they wanted to hear of in it and have not read, sent once at most (behaviour §10.24). */
import type { Db } from '../database/db.ts';
import { claimDigest, DIGEST_LINES, releaseDigest } from './dayQueries.ts';
import { type MailSettings, placeOf, sendClaimed, withEnding } from './mail.ts';
import { sentenceOf } from './schema.ts';

/** Does nothing without SMTP_URL. Throws NotSent when it may be tried again. */
export async function mailDigest(db: Db, settings: MailSettings, { userId, day }: { userId: number; day: string }): Promise<void> {
  const { mail, baseUrl } = settings;
  if (!mail.smtpUrl) return;
  const claimed = await db.transaction((tx) => claimDigest(tx, userId, day));
  if (!claimed) return;
  const { to, ids, lines } = claimed;
  const shown = lines.slice(0, DIGEST_LINES).map((row) => `- ${sentenceOf(row)}\n  ${baseUrl}${placeOf(row)}\n`);
  const more = lines.length > DIGEST_LINES ? `\nThere is more: ${baseUrl}/notifications\n` : '';
  const text = `${shown.join('')}${more}`;
  const digest = withEnding(settings, { userId, mails: 'digest' }, { to, subject: `What happened until ${day}`, text });
  await sendClaimed(mail.smtpUrl, mail.from, digest, () => releaseDigest(db.pool(), userId, day, ids));
}
