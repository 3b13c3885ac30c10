/** People come in: added by an administrator, sent a link, and through it to a password of their own (behaviour §12.12). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { type Permit, permitOutside } from '../access/caller.ts';
import type { Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { Zone } from '../values/dates.ts';
import { Id, Label } from '../values/text.ts';
import type { OpenInvitation } from './invitationQueries.ts';
import { invite, type LinkMaker, openInvitation, useUp } from './invitations.ts';
import { hashNewPassword, NewPassword } from './password.ts';
import { ownersOnlyFor } from './people.ts';
import { insertUser } from './queries.ts';
import { accountRoles, Email, userKinds, WeeklyHours, weeklyMinutes } from './schema.ts';
import { type Begun, Browser, beginSession, signedIn } from './sessions.ts';

export interface InvitationSettings extends LinkMaker {
  mail: { smtpUrl: string | undefined };
}

export interface Invited {
  /** Shown to the inviter, this once; null for a link that goes by mail alone, as one for who has a password does. */
  link: string | null;
  /** It goes to the person by mail. */
  mailed: boolean;
  /** It opens the account of somebody who has a password already. */
  known: boolean;
}

const NewPerson = z.strictObject({
  email: Email,
  name: Label(200),
  kind: z.enum(userKinds),
  accountRole: z.enum(accountRoles),
  timezone: Zone,
  weeklyHours: WeeklyHours,
});
const OnePerson = z.strictObject({ userId: Id });
/** As it stands in the link; the id is what anybody may have typed. */
const Link = z.strictObject({ id: z.string(), token: z.string() });
const Acceptance = Link.extend({ password: NewPassword, browser: Browser });

const invited = ({ invitation }: { invitation: OpenInvitation }): Subject => ({ type: 'user', id: invitation.userId });

/** For whom a link is, as its page tells. */
export type Invitee = Pick<OpenInvitation, 'name' | 'email' | 'accountName' | 'known'>;

export function invitationOperations(settings: InvitationSettings) {
  async function send(tx: Tx, by: AccountPermit, userId: number): Promise<Invited> {
    const { id, link, known } = await invite(tx, by, userId, settings);
    const mailed = settings.mail.smtpUrl !== undefined;
    if (mailed) await enqueue(tx, 'mail_invitation', { invitationId: id }, { about: { account: by.accountId, user: userId } });
    return { link: mailed && known ? null : link, mailed, known };
  }
  const open = (tx: Tx, { id, token }: z.infer<typeof Link>) => openInvitation(tx, settings, Number(id), token);

  /** A person who is to sign in gets a link at once; null for a service user. */
  const addPerson: TransactionWrite<z.infer<typeof NewPerson>, AccountPermit, { id: number; invited: Invited | null }> = {
    name: 'addPerson',
    input: NewPerson,
    authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin']),
    audit: [
      { kind: 'user.added', made: (_permit, _input, { id }) => ({ type: 'user', id }) },
      { kind: 'link.made', made: (_permit, _input, { id, invited }) => (invited ? { type: 'user', id } : null), event: true },
    ],
    async run(tx, permit, { weeklyHours, ...person }) {
      ownersOnlyFor(permit, person.accountRole === 'owner');
      const { accountId } = permit;
      const minutes = weeklyMinutes(weeklyHours);
      const id = await insertUser(tx, { accountId }, { ...person, accountId, passwordHash: null, weeklyMinutes: minutes });
      return { id, invited: person.kind === 'person' ? await send(tx, permit, id) : null };
    },
  };

  /** A fresh link; earlier ones of theirs end. */
  const invitePerson: TransactionWrite<z.infer<typeof OnePerson>, AccountPermit, Invited> = {
    name: 'invitePerson',
    input: OnePerson,
    authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin']),
    audit: [{ kind: 'link.made', about: (_permit, { userId }) => ({ type: 'user', id: userId }), event: true }],
    run: (tx, permit, { userId }) => send(tx, permit, userId),
  };

  const getInvitation: Read<z.infer<typeof Link>, Invitee> = {
    name: 'getInvitation',
    input: Link,
    async run(tx, _caller, link) {
      const { name, email, accountName, known } = await open(tx, link);
      return { name, email, accountName, known };
    },
  };

  /** Sets the password, uses the link up and signs the person in. */
  const acceptInvitation: TransactionWrite<z.infer<typeof Acceptance>, Permit & { invitation: OpenInvitation }, Begun, string> = {
    name: 'acceptInvitation',
    input: Acceptance,
    authorize: async (tx, caller, link) => ({ ...permitOutside(caller), invitation: await open(tx, link) }),
    prepare: ({ invitation: { name, email, accountName } }, { password }) => hashNewPassword(password, [name, email, accountName]),
    audit: [{ kind: 'link.used', about: invited, event: true }, { kind: 'password.set', about: invited, event: true }, signedIn],
    async run(tx, { invitation }, { browser }, passwordHash) {
      await useUp(tx, invitation, passwordHash);
      return beginSession(tx, invitation.userId, browser);
    },
  };

  return { addPerson, invitePerson, getInvitation, acceptInvitation };
}
