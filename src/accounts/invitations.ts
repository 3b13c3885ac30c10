/** Invitation links: `{base}/invitation?i=ID&t=TOKEN`. The token is worked out anew from the row, never stored (behaviour §12.12). */
import { createHmac, randomBytes } from 'node:crypto';
import type { AccountPermit } from '../access/accountAccessQueries.ts';
import type { Tx } from '../database/db.ts';
import { enqueue, markForecastOf } from '../queue/jobs.ts';
import { AppError, Conflict, InvalidRequest, RateLimited } from '../values/errors.ts';
import { isMadeByUs, type SecretKeys } from '../values/secretKeys.ts';
import {
  countMade,
  findInvitation,
  insertInvitation,
  insertOperatorLink,
  type OpenInvitation,
  settleInvitedTo,
  tellOfLink,
  useInvitation,
} from './invitationQueries.ts';
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

/** A fresh link for a person of the account; who has a password already is told of it. Throws InvalidRequest when there is no such active
 *  person within the inviter's reach. */
export async function invite(
  tx: Tx,
  by: AccountPermit,
  userId: number,
  maker: LinkMaker,
  mailed: boolean,
): Promise<{ id: number; link: string; known: boolean }> {
  await refuseTooMany(tx, by);
  const nonce = randomBytes(16).toString('base64url');
  const made = await insertInvitation(tx, by, userId, nonce, mailed);
  if (!made) throw new InvalidRequest(['user'], `there is no active person ${userId} that you can invite; check the id.`);
  const { id, known } = made;
  await tell(tx, userId, id, 'password_link');
  return { id, link: invitationLink(maker, { id, nonce }), known };
}

/** A link made at the command line. Throws InvalidRequest when there is no such active person. */
export async function makeOperatorLink(tx: Tx, userId: number, maker: LinkMaker): Promise<{ link: string; expiresAt: string }> {
  const nonce = randomBytes(16).toString('base64url');
  const made = await insertOperatorLink(tx, userId, nonce);
  if (!made) throw new InvalidRequest(['user'], `there is no active person ${userId}; check the id.`);
  await tell(tx, userId, made.id, 'password_link');
  return { link: invitationLink(maker, { id: made.id, nonce }), expiresAt: made.expiresAt };
}

const MOST_AN_HOUR = 30;

/** Nobody's mailbox is filled in an account's name. */
async function refuseTooMany(tx: Tx, by: AccountPermit): Promise<void> {
  if ((await countMade(tx, by.userId)) >= MOST_AN_HOUR) throw new RateLimited(60 * 60);
}

/** Whom the link is for. Throws a `forbidden` error for a link that is wrong, used or too old, without telling which. */
export async function openInvitation(tx: Tx, keys: SecretKeys, id: number, token: string): Promise<OpenInvitation> {
  const found = Number.isSafeInteger(id) && id > 0 ? await findInvitation(tx, id) : null;
  // Compared before anything else is looked at: an absent invitation takes as long as a wrong token.
  const isToken = isMadeByUs(keys, token, (key) => tokenOf(key, id, found?.nonce ?? ''));
  if (!found || !isToken) {
    throw new AppError(
      'forbidden',
      'This link is not valid any more: it works once and for seven days at most. Sign in, or ask for a new one.',
    );
  }
  return found;
}

/** On the pages, and by mail where it is set up: whoever opens the link gets in as the person (sql/0022_password_links.sql). */
async function tell(tx: Tx, userId: number, invitationId: number, kind: 'password_link' | 'password_set'): Promise<void> {
  const notificationId = await tellOfLink(tx, invitationId, kind);
  if (notificationId !== null) await enqueue(tx, 'mail_notification', { notificationId }, { about: { user: userId } });
}

/** Sets the password and uses the link up, once; sessions end, and who had a password is told. Who had none joins what they were invited to:
 *  the ids of these workspaces. */
export async function useUp(tx: Tx, invitation: OpenInvitation, passwordHash: string): Promise<readonly number[]> {
  if (!(await useInvitation(tx, invitation.id))) throw new Conflict('This link has been used already: sign in, or ask for a new one.');
  await tell(tx, invitation.userId, invitation.id, 'password_set');
  await setPasswordHash(tx, 'everything', invitation.userId, passwordHash);
  const joined = await settleInvitedTo(tx, invitation.userId, !invitation.known);
  await markForecastOf(tx, ...joined);
  return joined;
}
