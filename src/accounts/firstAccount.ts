/** Creates the first account and owner, or an account's first owner. Needs the printed one-time link (behaviour §12.18, §12.28). */
import { z } from 'zod';
import { type Permit, permitOutside } from '../access/caller.ts';
import { hashSecret, newSecret } from '../access/secrets.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { Label } from '../values/text.ts';
import { endOwnerLinks, findOwnerLink, insertOwnerLink, type OwnerLink } from './linkMailQueries.ts';
import { hashNewPassword, NewPassword } from './password.ts';
import { lockAccount, lockAccounts } from './peopleQueries.ts';
import { chooseZone } from './profileQueries.ts';
import { insertAccount, insertUser } from './queries.ts';
import { Email } from './schema.ts';
import { hasAnyUser } from './sessionQueries.ts';
import { Browser, beginSession, type NewSession, signedIn } from './sessions.ts';

const Nothing = z.strictObject({});

export const hasUsers: Read<z.infer<typeof Nothing>, boolean> = { name: 'hasUsers', input: Nothing, run: hasAnyUser };

const Token = z.strictObject({ token: z.string() });

/** Null if the link is unknown, expired or too late. */
export const getOwnerLink: Read<z.infer<typeof Token>, OwnerLink | null> = {
  name: 'getOwnerLink',
  input: Token,
  run: (tx, _caller, { token }) => findOwnerLink(tx, hashSecret(token)),
};

const FirstOwner = z.strictObject({
  token: z.string().min(1, 'give the one-time token that was printed at the start'),
  account: Label(200).optional(),
  name: Label(200),
  email: Email,
  timezone: Zone,
  password: NewPassword,
  browser: Browser,
});

/** Creates the owner, and the account if needed, and signs the owner in. Throws Conflict if the link was used meanwhile. */
export const createFirstOwner: Write<
  z.infer<typeof FirstOwner>,
  NewSession & { accountId: number },
  Permit & { link: OwnerLink; account: string }
> = {
  name: 'createFirstOwner',
  input: FirstOwner,

  // Checked before hashing, so that only callers with a token cause that work.
  async authorize(tx, caller, { token, account }) {
    const link = (await findOwnerLink(tx, hashSecret(token))) ?? (await refuse(tx));
    return { ...permitOutside(caller), link, account: accountName(link, account) };
  },

  prepare: ({ account }, { name, email, password }) => hashNewPassword(password, [account, name, email]),

  audit: [
    {
      kind: 'account.made',
      when: ({ link }) => link.account === null,
      made: (_permit, _input, { accountId }) => ({ type: 'account', id: accountId }),
    },
    { kind: 'user.added', made: (_permit, _input, { userId }) => ({ type: 'user', id: userId }) },
    signedIn,
  ],

  async run(tx, { account, link }, { token, name, email, timezone, browser }, passwordHash: string) {
    const given = link.account?.id ?? null;
    // The lock lets only one of two parallel requests use the link.
    await (given === null ? lockAccounts(tx) : lockAccount(tx, given));
    if (!(await findOwnerLink(tx, hashSecret(token)))) throw linkUsed();
    await endOwnerLinks(tx, given);
    const accountId = given ?? (await insertAccount(tx, account));
    const owner = { accountId, name, email, timezone, kind: 'person', accountRole: 'owner', passwordHash, weeklyMinutes: null } as const;
    const userId = await insertUser(tx, 'everything', owner);
    await chooseZone(tx, userId);
    return { ...(await beginSession(tx, userId, browser)), accountId };
  },
};

function accountName({ account: there }: OwnerLink, typed: string | undefined): string {
  if (there && typed !== undefined)
    throw new InvalidRequest(
      ['account'],
      `this token belongs to the existing account ${there.name}. Send the form again without an account name.`,
    );
  const name = there?.name ?? typed;
  if (name === undefined) throw new InvalidRequest(['account'], 'give the account a name.');
  return name;
}

async function refuse(tx: Tx): Promise<never> {
  if (await hasAnyUser(tx)) throw linkUsed();
  throw wrongToken();
}

export const wrongToken = () =>
  new InvalidRequest(['token'], 'is wrong or has expired. Use the link that was printed last, or restart the service to print a new one.');

const linkUsed = () => new Conflict('This link was used or the account was created already. Sign in.');

/** One-time links `{base}/welcome?token=TOKEN` for the first owner of an installation or an account (behaviour §12.28). */
export async function makeOwnerLink(tx: Tx, baseUrl: string, accountId: number | null): Promise<string | null> {
  const { secret, hash } = newSecret('owner');
  return (await insertOwnerLink(tx, accountId, hash)) ? `${baseUrl}/welcome?token=${secret}` : null;
}
