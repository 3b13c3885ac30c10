/** Mails an invitation's link. The token is computed again: neither row nor job contains it. */
import type { Db } from '../database/db.ts';
import { type Letter, letterHtml, letterText } from '../mailer/letter.ts';
import type { Mail } from '../mailer.ts';
import { findInvitation, type OpenInvitation } from './invitationQueries.ts';
import { invitationLink, type LinkMaker } from './invitations.ts';
import { sendLinkMail } from './sendLinkMail.ts';

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
    return { preheader: line, lines: [line], notes: ['If you did not request this, ignore this mail. Nothing has changed.'] };
  }
  const invites = `${maker} invites you to ${accountName}${workspaces.length ? `, with the workspaces ${listed.format(workspaces)}` : ''}.`;
  const choose = `${name}, set your password. The link works once, within ${known ? '24 hours' : '7 days'}.`;
  return known
    ? { preheader: choose, lines: [`${maker} created a password link for you in ${accountName}.`, choose] }
    : { preheader: invites, lines: [invites, choose] };
}

const listed = new Intl.ListFormat('en');
