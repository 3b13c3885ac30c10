/** The mail with an invitation's link, worked out anew: neither row nor job holds the token. */
import type { Db } from '../database/db.ts';
import { sendMail } from '../mailer.ts';
import { findInvitation, type OpenInvitation } from './invitationQueries.ts';
import { invitationLink, type LinkMaker } from './invitations.ts';

export interface InvitationMail extends LinkMaker {
  mail: { smtpUrl: string | undefined; from: string };
}

/** Does nothing without SMTP_URL or when the link has been used or replaced. */
export async function mailInvitation(db: Db, settings: InvitationMail, id: number): Promise<void> {
  const { smtpUrl, from } = settings.mail;
  const invitation = smtpUrl ? await findInvitation(db.pool(), id) : null;
  if (!smtpUrl || !invitation) return;
  const link = invitationLink(settings, invitation);
  await sendMail(smtpUrl, from, {
    to: invitation.email,
    subject: invitation.known ? 'Your new password for Stint' : `Join ${invitation.accountName} on Stint`,
    text: textOf(invitation, link),
  });
}

function textOf({ name, accountName, known, forgotten }: OpenInvitation, link: string): string {
  if (forgotten)
    return `${name}, you asked for a new password for ${accountName} on Stint. Choose it here within an hour:\n\n${link}\n\nIf it was not you, leave this link alone: nothing has changed.\n`;
  return `${name}, choose your password here within ${known ? '24 hours' : 'seven days'}:\n\n${link}\n`;
}
