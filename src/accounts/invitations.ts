/** Invitation links: `{base}/invitation?i=ID&t=TOKEN`. The token is computed from the row and never stored (behaviour §12.12). */
import { createHmac, randomBytes } from 'node:crypto';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Db, Tx } from '../database/db.ts';
import { type Letter, letterHtml, letterText } from '../mailer/letter.ts';
import type { Mail } from '../mailer.ts';
import { enqueue, markForecastOf } from '../queue/jobs.ts';
import { AppError, Conflict, InvalidRequest, RateLimited } from '../values/errors.ts';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';
import {
  countMade,
  findInvitation,
  insertInvitation,
  insertOperatorLink,
  notifyOfLink,
  type OpenInvitation,
  settleInvitedWorkspaces,
  useInvitation,
} from './invitationQueries.ts';
import { sendLinkMail } from './linkMails.ts';
import { setPasswordHash } from './queries.ts';

export interface LinkMaker extends SecretKeys {
  baseUrl: string;
}

function tokenOf(secretKey: string, id: number, nonce: string): string {
  return createHmac('sha256', secretKey).update(`invitation:${id}:${nonce}`).digest('base64url');
}

export function invitationLink({ secretKey, baseUrl }: LinkMaker, { id, nonce }: { id: number; nonce: string }): string {
  return `${baseUrl}/invitation?i=${id}&t=${tokenOf(secretKey, id, nonce)}`;
}

/** Makes a new link, adds the job that mails it if `mailed`, and notifies a person who has a password. Throws InvalidRequest if the caller
 *  can't invite this user. */
export async function invite(
  tx: Tx,
  by: AccountPermit,
  userId: number,
  mailed: boolean,
): Promise<{ id: number; nonce: string; known: boolean }> {
  await refuseTooMany(tx, by);
  const nonce = randomBytes(16).toString('base64url');
  const made = await insertInvitation(tx, by, userId, nonce, mailed);
  if (!made) throw new InvalidRequest(['user'], `there is no active person ${userId} that you can invite; check the id.`);
  await notifyUser(tx, userId, made.id, 'password_link');
  if (mailed) await enqueue(tx, 'mail_invitation', { invitationId: made.id }, { about: { account: by.accountId, user: userId } });
  return { ...made, nonce };
}

export async function makeOperatorLink(tx: Tx, userId: number, maker: LinkMaker): Promise<{ link: string; expiresAt: string }> {
  const nonce = randomBytes(16).toString('base64url');
  const made = await insertOperatorLink(tx, userId, nonce);
  if (!made) throw new InvalidRequest(['user'], `there is no active person ${userId}; check the id.`);
  await notifyUser(tx, userId, made.id, 'password_link');
  return { link: invitationLink(maker, { id: made.id, nonce }), expiresAt: made.expiresAt };
}

/** Links that a person can make in an hour. */
export const MOST_AN_HOUR = 30;

async function refuseTooMany(tx: Tx, by: AccountPermit): Promise<void> {
  if ((await countMade(tx, by.userId)) >= MOST_AN_HOUR) throw new RateLimited(60 * 60);
}

/** Throws `forbidden` for a link that is wrong, used or expired, without saying which. */
export async function openInvitation(tx: Tx, keys: SecretKeys, id: number, token: string): Promise<OpenInvitation> {
  const found = Number.isSafeInteger(id) && id > 0 ? await findInvitation(tx, id) : null;
  // Checked before `found`, so that a missing invitation takes as long as a wrong token.
  const isToken = matchesValidKey(keys, token, (key) => tokenOf(key, id, found?.nonce ?? ''));
  if (!found || !isToken) {
    throw new AppError('forbidden', 'This link was already used or has expired. Sign in, or ask for a new link.');
  }
  return found;
}

/** Notifies on the pages and by mail, because the link signs in as this person (sql/0022_password_links.sql). */
async function notifyUser(tx: Tx, userId: number, invitationId: number, kind: 'password_link' | 'password_set'): Promise<void> {
  const notificationId = await notifyOfLink(tx, invitationId, kind);
  if (notificationId !== null) await enqueue(tx, 'mail_notification', { notificationId }, { about: { user: userId } });
}

/** Sets the password, ends sessions, notifies. A person without a password joins the invited workspaces: returns their ids. */
export async function redeemInvitation(tx: Tx, invitation: OpenInvitation, passwordHash: string): Promise<readonly number[]> {
  if (!(await useInvitation(tx, invitation.id))) throw new Conflict('This link was already used. Sign in, or ask for a new link.');
  await notifyUser(tx, invitation.userId, invitation.id, 'password_set');
  await setPasswordHash(tx, 'everything', invitation.userId, passwordHash);
  const joined = await settleInvitedWorkspaces(tx, invitation.userId, !invitation.known);
  await markForecastOf(tx, ...joined);
  return joined;
}

/** Mails an invitation's link. The token is computed again: neither row nor job contains it. */
export interface InvitationMail extends LinkMaker {
  mail: { smtpUrl: string | undefined; from: string };
}

/** Does nothing without SMTP_URL or if the link was used or replaced. */
export async function mailInvitation(db: Db, settings: InvitationMail, id: number): Promise<void> {
  const { smtpUrl, from } = settings.mail;
  const invitation = smtpUrl ? await findInvitation(db.pool(), id) : null;
  if (!smtpUrl || !invitation) return;
  await sendLinkMail(db, { smtpUrl, from }, 'invitations', id, invitationMail(invitation, invitationLink(settings, invitation)));
}

export function invitationMail(invitation: OpenInvitation, href: string): Mail {
  const { email, accountName, known } = invitation;
  const subject = known ? 'Set a new password for Stint' : `Join ${accountName} on Stint`;
  const letter = {
    heading: subject,
    ...wordsOf(invitation),
    button: { label: known ? 'Set new password' : 'Set password', href },
  };
  return { to: email, subject, text: letterText(letter), html: letterHtml(letter) };
}

function wordsOf({
  name,
  accountName,
  known,
  forgotten,
  maker,
  workspaces,
}: OpenInvitation): Pick<Letter, 'preheader' | 'lines' | 'notes'> {
  if (forgotten) {
    const line = `${name}, set a new password for ${accountName} on Stint. The link works once, within an hour.`;
    return { preheader: line, lines: [line], notes: ['If you did not request this, ignore this email. Nothing has changed.'] };
  }
  const invites = `${maker} invites you to ${accountName}${workspaces.length ? `, with the workspaces ${listed.format(workspaces)}` : ''}.`;
  const choose = `${name}, set your password. The link works once, within ${known ? '24 hours' : '7 days'}.`;
  return known
    ? { preheader: choose, lines: [`${maker} created a password link for you in ${accountName}.`, choose] }
    : { preheader: invites, lines: [invites, choose] };
}

const listed = new Intl.ListFormat('en');
