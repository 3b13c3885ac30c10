/** Administrators add people and send links. With the link the person sets a password (behaviour §12.12). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { type Permit, permitOutside } from '../access/caller.ts';
import { aboutUser, type Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { Id, Label } from '../values/text.ts';
import { addressesIn, type NamedAddress } from './addresses.ts';
import { type ExistingUser, type OpenInvitation, readByEmails, storeInvitedWorkspaces } from './invitationQueries.ts';
import { invitationLink, invite, type LinkMaker, openInvitation, redeemInvitation } from './invitations.ts';
import { mailFailed } from './linkMailQueries.ts';
import { hashNewPassword, NewPassword } from './password.ts';
import { ownersOnlyFor } from './people.ts';
import { insertUser } from './queries.ts';
import { accountRoles, Email, memberRoles, normalEmail, userKinds, WeeklyHours, weeklyMinutes } from './schema.ts';
import { Browser, beginSession, type NewSession, signedIn } from './sessions.ts';

export interface InvitationSettings extends LinkMaker {
  mail: { smtpUrl: string | undefined };
}

export interface Invited {
  /** Shown to the inviter once. Null if it is only mailed, as for a person with a password. */
  link: string | null;
  mailed: boolean;
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
/** Equal to the limit of links in an hour (invitations.ts). */
const MOST_AT_ONCE = 30;
const MOST_TYPED = 20_000;
const Several = z.strictObject({
  addresses: z.string().max(MOST_TYPED, `give at most ${MOST_AT_ONCE} addresses at a time`),
  accountRole: z.enum(accountRoles),
  workspaces: z
    .array(z.strictObject({ workspaceId: Id, role: z.enum(memberRoles) }))
    .max(500)
    .refine((all) => new Set(all.map(({ workspaceId }) => workspaceId)).size === all.length, 'name each workspace once'),
});
/** `handOver`: show the link instead of mailing it, because the mail before failed. */
const OnePerson = z.strictObject({ userId: Id, handOver: z.boolean().optional() });
const Link = z.strictObject({ id: z.string(), token: z.string() });
const Acceptance = Link.extend({ password: NewPassword, browser: Browser });

const invited = ({ invitation }: { invitation: OpenInvitation }): Subject => ({ type: 'user', id: invitation.userId });

export type Invitee = Pick<OpenInvitation, 'name' | 'email' | 'accountName' | 'known' | 'maker' | 'workspaces'>;

/** The result for each address (behaviour §30.7). */
export interface InvitedAll {
  invited: (NamedAddress & Invited & { id: number })[];
  here: readonly ExistingUser[];
  faulty: string[];
}

/** Invites all new addresses with the same role and workspaces, or none. Existing users and faulty addresses do not fail it. */
async function inviteAll(
  tx: Tx,
  permit: AccountPermit,
  { addresses, accountRole, workspaces }: z.infer<typeof Several>,
  send: (userId: number) => Promise<Invited>,
): Promise<InvitedAll> {
  ownersOnlyFor(permit, accountRole === 'owner');
  const { good, faulty } = addressesIn(addresses);
  if (good.length === 0) throw new InvalidRequest(['addresses'], 'give addresses such as ana@acme.example, or Ana Lind <ana@acme.example>');
  if (good.length > MOST_AT_ONCE)
    throw new InvalidRequest(['addresses'], `give at most ${MOST_AT_ONCE} addresses at a time; you gave ${good.length}`);
  const emails = good.map(({ email }) => email);
  const here = await readByEmails(tx, permit, emails);
  const known = new Set(here.map(({ email }) => normalEmail(email)));
  const invited: InvitedAll['invited'] = [];
  for (const one of good.filter(({ email }) => !known.has(normalEmail(email)))) {
    // The first sign-in takes the zone of the person's browser.
    const person = { ...one, ...({ kind: 'person', accountRole, timezone: 'UTC', passwordHash: null, weeklyMinutes: null } as const) };
    const id = await insertUser(tx, permit, { ...person, accountId: permit.accountId });
    if (!(await storeInvitedWorkspaces(tx, permit, id, workspaces)))
      throw new InvalidRequest(['workspaces'], 'a workspace no longer exists; reload the page');
    invited.push({ ...one, id, ...(await send(id)) });
  }
  return { invited, here, faulty };
}

/** Reads and redeems links. */
function linkOperations(settings: InvitationSettings) {
  const open = (tx: Tx, { id, token }: z.infer<typeof Link>) => openInvitation(tx, settings, Number(id), token);

  const getInvitation: Read<z.infer<typeof Link>, Invitee> = {
    name: 'getInvitation',
    input: Link,
    async run(tx, _caller, link) {
      const { name, email, accountName, known, maker, workspaces } = await open(tx, link);
      return { name, email, accountName, known, maker, workspaces };
    },
  };

  const acceptInvitation: Write<
    z.infer<typeof Acceptance>,
    NewSession & { joined: readonly number[] },
    Permit & { invitation: OpenInvitation }
  > = {
    name: 'acceptInvitation',
    input: Acceptance,
    authorize: async (tx, caller, link) => ({ ...permitOutside(caller), invitation: await open(tx, link) }),
    prepare: ({ invitation: { name, email, accountName } }, { password }) => hashNewPassword(password, [name, email, accountName]),
    audit: [
      { kind: 'link.used', about: invited, event: true },
      { kind: 'password.set', about: invited, event: true },
      {
        kind: 'member.put',
        made: ({ invitation }, _input, { joined }) => joined.map((workspaceId) => ({ type: 'member', id: invitation.userId, workspaceId })),
      },
      signedIn,
    ],
    async run(tx, { invitation }, { browser }, passwordHash: string) {
      const joined = await redeemInvitation(tx, invitation, passwordHash);
      return { ...(await beginSession(tx, invitation.userId, browser)), joined };
    },
  };

  return { getInvitation, acceptInvitation };
}

export function invitationOperations(settings: InvitationSettings) {
  async function send(tx: Tx, by: AccountPermit, userId: number, handOver = false): Promise<Invited> {
    const mailed = settings.mail.smtpUrl !== undefined && !handOver;
    const { id, nonce, known } = await invite(tx, by, userId, mailed);
    return { link: mailed && known ? null : invitationLink(settings, { id, nonce }), mailed, known };
  }

  const addPerson: Write<z.infer<typeof NewPerson>, { id: number; invited: Invited | null }, AccountPermit> = {
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

  const inviteSeveral: Write<z.infer<typeof Several>, InvitedAll, AccountPermit> = {
    name: 'inviteSeveral',
    input: Several,
    authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin']),
    audit: [
      { kind: 'user.added', made: (_permit, _input, { invited }) => invited.map(({ id }) => ({ type: 'user', id })) },
      { kind: 'link.made', made: (_permit, _input, { invited }) => invited.map(({ id }) => ({ type: 'user', id })), event: true },
    ],
    run: (tx, permit, input) => inviteAll(tx, permit, input, (userId) => send(tx, permit, userId)),
  };

  const invitePerson: Write<z.infer<typeof OnePerson>, Invited, AccountPermit> = {
    name: 'invitePerson',
    input: OnePerson,
    authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin']),
    audit: [{ kind: 'link.made', about: aboutUser, event: true }],
    async run(tx, permit, { userId, handOver }) {
      if (handOver && !(await mailFailed(tx, permit, userId)))
        throw new Conflict('The email was already sent or is being sent. Reload the page.');
      return send(tx, permit, userId, handOver);
    },
  };

  return { addPerson, inviteSeveral, invitePerson, ...linkOperations(settings) };
}
