/** A user's daily digest: unread notifications of the kinds they chose, sent at most once (behaviour §10.24). */
import { isOutage } from '../database/connections.ts';
import type { Db } from '../database/db.ts';
import type { Logger } from '../log.ts';
import type { Mail } from '../mailer.ts';
import { type Beginning, beginDaysOf, claimDigest, readBeginning, releaseDigest } from './dayQueries.ts';
import { listOf, type MailSettings, mailDay, sendClaimed, withUnsubscribeLinks } from './mail.ts';
import type { MailedRow } from './schema.ts';

/** Does nothing without SMTP_URL. Throws NotSent if another attempt is possible. */
export async function mailDigest(db: Db, settings: MailSettings, { userId, day }: { userId: number; day: string }): Promise<void> {
  const { mail } = settings;
  if (!mail.smtpUrl) return;
  const claimed = await db.transaction((tx) => claimDigest(tx, userId, day));
  if (!claimed) return;
  const { to, ids, lines } = claimed;
  await sendClaimed(mail.smtpUrl, mail.from, digestMail(settings, { to, userId, day, lines }), () =>
    releaseDigest(db.pool(), userId, day, ids),
  );
}

interface Day {
  to: string;
  userId: number;
  day: string;
  lines: readonly MailedRow[];
}

export function digestMail(settings: MailSettings, { to, userId, day, lines }: Day): Mail {
  const subject = `Your notifications until ${mailDay(day)}`;
  const listed = listOf(settings, lines);
  const letter = { preheader: listed.list?.[0]?.text ?? subject, heading: subject, ...listed };
  return withUnsubscribeLinks(settings, { userId, mails: 'digest' }, { to, subject }, letter);
}

// At 08:00 in their time zone, users get notifications of due work and their digest (behaviour §10.22, §10.24).

/** Begins the days of all users whose day has begun. Safe to run twice or to interrupt: the run 15 minutes later continues. */
export async function beginDays(db: Db, log: Logger, signal: AbortSignal): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    signal.throwIfAborted();
    const users = await readBeginning(db.pool(), after);
    await beginAll(db, log, users);
    after = users.at(-1)?.userId;
  }
}

/** Users who fail together are tried in halves. A user who fails alone is skipped until the next run, and does not block others. */
async function beginAll(db: Db, log: Logger, users: readonly Beginning[]): Promise<void> {
  if (users.length === 0) return;
  try {
    await db.transaction((tx) => beginDaysOf(tx, users));
  } catch (error) {
    if (isOutage(error)) throw error;
    if (users.length === 1) return log.error({ user: users[0]?.userId, err: error }, "could not begin a person's day");
    const half = Math.ceil(users.length / 2);
    await beginAll(db, log, users.slice(0, half));
    await beginAll(db, log, users.slice(half));
  }
}
