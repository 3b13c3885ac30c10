/** A link mailed to the new address confirms the change. Then the old address gets a mail (behaviour §22.5). */
import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type AccountPermit, asMember } from '../access/accountAccessQueries.ts';
import { type Permit, permitOutside } from '../access/caller.ts';
import { aboutSelf } from '../audit/line.ts';
import type { Db, Tx } from '../database/db.ts';
import { letterHtml, letterText } from '../mailer/letter.ts';
import { type Mail, sendMail } from '../mailer.ts';
import type { Read, Write } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { AppError, Conflict, InvalidRequest, RateLimited } from '../values/errors.ts';
import { matchesValidKey } from '../values/secretKeys.ts';
import type { InvitationMail } from './invitations.ts';
import type { InvitationSettings } from './invite.ts';
import { sendLinkMail } from './linkMails.ts';
import {
  countRequestedChanges,
  type EmailChange,
  findEmailChange,
  findMadeChange,
  insertEmailChange,
  useEmailChange,
} from './profileQueries.ts';
import { updateUser } from './queries.ts';
import { Email } from './schema.ts';

const MOST_AN_HOUR = 3;

const tokenOf = (secretKey: string, id: number, nonce: string): string =>
  createHmac('sha256', secretKey).update(`email:${id}:${nonce}`).digest('base64url');

const NewAddress = z.strictObject({ email: Email });
const Link = z.strictObject({ id: z.string(), token: z.string() });

export type OpenChange = Pick<EmailChange, 'name' | 'email' | 'oldEmail' | 'accountName'>;

export function emailOperations(settings: InvitationSettings) {
  /** The address changes only when the link is used. The answer does not reveal whether another user has the address. */
  const askForEmail: Write<z.infer<typeof NewAddress>, void, AccountPermit> = {
    name: 'askForEmail',
    input: NewAddress,
    authorize: asMember,
    audit: [{ kind: 'email.asked', about: aboutSelf, event: true }],
    async run(tx, { userId, accountId }, { email }) {
      if (settings.mail.smtpUrl === undefined)
        throw new InvalidRequest([], 'This installation sends no email. Ask its operator to change the address.');
      if ((await countRequestedChanges(tx, userId)) >= MOST_AN_HOUR) throw new RateLimited(60 * 60);
      const changeId = await insertEmailChange(tx, userId, email, randomBytes(16).toString('base64url'));
      if (changeId === null) throw new InvalidRequest(['email'], 'this is already your address. Enter another one.');
      await enqueue(tx, 'mail_email_change', { changeId }, { about: { account: accountId, user: userId } });
    },
  };

  async function open(tx: Tx, { id, token }: z.infer<typeof Link>): Promise<EmailChange> {
    const number = Number(id);
    const found = Number.isSafeInteger(number) && number > 0 ? await findEmailChange(tx, number) : null;
    // Checked before `found`, so that a missing link takes as long as a wrong token.
    const isToken = matchesValidKey(settings, token, (key) => tokenOf(key, number, found?.nonce ?? ''));
    if (!found || !isToken) throw new AppError('forbidden', 'This link was used, replaced or has expired. Request a new link.');
    return found;
  }

  const getEmailChange: Read<z.infer<typeof Link>, OpenChange> = {
    name: 'getEmailChange',
    input: Link,
    async run(tx, _caller, link) {
      const { name, email, oldEmail, accountName } = await open(tx, link);
      return { name, email, oldEmail, accountName };
    },
  };

  const confirmEmail: Write<z.infer<typeof Link>, { email: string }, Permit & { change: EmailChange }> = {
    name: 'confirmEmail',
    input: Link,
    authorize: async (tx, caller, link) => ({ ...permitOutside(caller), change: await open(tx, link) }),
    audit: [{ kind: 'email.changed', about: ({ change }) => aboutSelf(change) }],
    async run(tx, { change: { id, accountId, userId, email } }) {
      if (!(await useEmailChange(tx, id))) throw new Conflict('This link was already used. Request a new link if you need one.');
      await updateUser(tx, { accountId }, userId, { email });
      await enqueue(tx, 'mail_email_changed', { changeId: id }, { about: { account: accountId, user: userId } });
      return { email };
    },
  };

  return { askForEmail, getEmailChange, confirmEmail };
}

/** Mails the new address. Does nothing without SMTP_URL or if the link was used or replaced. */
export async function mailEmailChange(db: Db, { mail, secretKey, baseUrl }: InvitationMail, id: number): Promise<void> {
  const change = mail.smtpUrl ? await findEmailChange(db.pool(), id) : null;
  if (!mail.smtpUrl || !change) return;
  const { smtpUrl, from } = mail;
  const href = `${baseUrl}/email?i=${id}&t=${tokenOf(secretKey, id, change.nonce)}`;
  await sendLinkMail(db, { smtpUrl, from }, 'email_changes', id, emailChangeMail(change, href));
}

export function emailChangeMail({ name, email, accountName }: OpenChange, href: string): Mail {
  const line = `${name} of ${accountName} wants to use this address to sign in to Stint. If this is you, confirm it within 24 hours.`;
  const letter = {
    ...{ preheader: line, heading: 'Confirm your new email address', lines: [line], button: { label: 'Confirm address', href } },
    notes: ['If this is not you, ignore this email. Nothing has changed.'],
  };
  return { to: email, subject: letter.heading, text: letterText(letter), html: letterHtml(letter) };
}

export async function mailEmailChanged(db: Db, { mail, baseUrl }: InvitationMail, id: number): Promise<void> {
  const change = mail.smtpUrl ? await findMadeChange(db.pool(), id) : null;
  if (!mail.smtpUrl || !change) return;
  await sendMail(mail.smtpUrl, mail.from, emailChangedMail(change, baseUrl));
}

export function emailChangedMail({ name, email, oldEmail, accountName }: OpenChange, baseUrl: string): Mail {
  const line = `${name}, your address in ${accountName} changed from ${oldEmail} to ${email}. Use the new one to sign in.`;
  const letter = {
    ...{ preheader: line, heading: 'Your email address was changed', lines: [line] },
    button: { label: 'Sign in', href: `${baseUrl}/sign-in` },
    notes: ['If you did not change it, tell an owner or administrator of the account immediately.'],
  };
  return { to: oldEmail, subject: letter.heading, text: letterText(letter), html: letterHtml(letter) };
}
