/** Signing in with e-mail and password (behaviour §12.10), and with which account, where one address has people in several. */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { permitOutside } from '../access/caller.ts';
import { insertFailedSignIn } from '../audit/recordQueries.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { sameSecret } from '../values/compare.ts';
import { Unauthenticated } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { restoreAccountRows, setAccountDue } from './erasureQueries.ts';
import { verifyPasswords } from './password.ts';
import { countMostAccounts, findLogin, findLogins, type Login } from './sessionQueries.ts';
import { type Begun, Browser, beginSession, signedIn } from './sessions.ts';

const Who = z.strictObject({ email: z.string() });

const loginsOf = async (tx: Tx, email: string) => (email.length <= 320 && !email.includes('\0') ? findLogins(tx, email) : []);

/** Whom attempts to sign in with an address are counted for: whoever has it, however it was typed. */
export const whoSignsIn: Read<z.infer<typeof Who>, number[]> = {
  name: 'whoSignsIn',
  input: Who,
  run: async (tx, _caller, { email }) => (await loginsOf(tx, email)).map(({ id }) => id),
};

/** One of several accounts in which the address has this password, with the proof of that for a few minutes. */
export interface AccountChoice {
  userId: number;
  accountName: string;
  /** When it is erased: it can be restored, not entered. */
  erasedAt: string | null;
  until: number;
  proof: string;
}

/** `checks`: how many passwords are checked, whatever the address. `line`: of whom the check takes its turn. */
const Input = Who.extend({ password: z.string(), checks: z.int().min(1), line: z.string(), browser: Browser });
const CHOOSE_WITHIN_MS = 5 * 60_000;

/** Only who knows the stored hash can make it, and a new password ends it. */
const proofOf = ({ id, passwordHash }: Login, until: number): string =>
  createHmac('sha256', passwordHash!).update(`sign-in:${id}:${until}`).digest('base64url');

/** As many passwords are checked at each sign-in as the address in most accounts needs, so that the time tells nothing. Counted once a
 *  minute. */
const mostAccounts = new LRUCache<Db, number>({ max: 100, ttl: 60_000, fetchMethod: (db) => countMostAccounts(db.pool()) });

export const passwordsToCheck = async (db: Db): Promise<number> => (await mostAccounts.fetch(db))!;

/** Throws Unauthenticated when e-mail and password do not belong together. */
export const signIn: TransactionWrite<
  z.infer<typeof Input>,
  { found: readonly Login[] },
  Begun | { choices: AccountChoice[] },
  readonly Login[]
> = {
  name: 'signIn',
  input: Input,

  async authorize(tx, caller, { email }) {
    return { ...permitOutside(caller), found: await loginsOf(tx, email) };
  },

  async prepare({ found }, { password, checks, line }) {
    const hashes = Array.from({ length: Math.max(checks, found.length) }, (_, n) => found[n]?.passwordHash ?? null);
    const right = await verifyPasswords(password, hashes, line);
    const fitting = found.filter((_, n) => right[n]);
    if (fitting.length === 0) throw wrong();
    return fitting;
  },

  audit: [{ ...signedIn, made: (_permit, _input, begun) => ('userId' in begun ? { type: 'user', id: begun.userId } : null) }],

  async run(tx, { found }, { browser }, proved) {
    // Deactivated, or given another password, while this one was checked.
    const fitting = found.filter(({ id, passwordHash }) => proved.some((one) => one.id === id && one.passwordHash === passwordHash));
    const [login] = fitting;
    if (!login) throw wrong();
    if (fitting.length === 1 && login.erasedAt === null) return beginSession(tx, login.id, browser);
    const until = Date.now() + CHOOSE_WITHIN_MS;
    return {
      choices: fitting.map((one) => ({
        userId: one.id,
        accountName: one.accountName,
        erasedAt: one.erasedAt,
        until,
        proof: proofOf(one, until),
      })),
    };
  },
};

const Failed = z.strictObject({ email: z.string() });

/** Tells that a password was wrong. Whether anybody has the address makes no difference here: a job finds out for whom (behaviour §17.5). */
export const noteFailedSignIn: TransactionWrite<z.infer<typeof Failed>, { userIds: number[] }, void> = {
  name: 'noteFailedSignIn',
  input: Failed,
  authorize: async (tx, caller, { email }) => ({ ...permitOutside(caller), userIds: (await loginsOf(tx, email)).map(({ id }) => id) }),
  run: (tx, { userIds, caller }) => enqueue(tx, 'failed_sign_in', { userIds, address: caller.address ?? '' }),
};

export async function tellFailedSignIns(db: Db, userIds: readonly number[], address: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const userId of userIds) await insertFailedSignIn(tx, userId, address);
  });
}

const Choice = z.strictObject({ userId: Id, until: z.number(), proof: z.string(), browser: Browser });

/** Throws Unauthenticated unless `signIn` has proved it minutes ago. */
function requireProof(login: Login | null, { until, proof }: z.infer<typeof Choice>): Login {
  const inTime = until > Date.now() && until <= Date.now() + CHOOSE_WITHIN_MS;
  if (!login?.passwordHash || !inTime || !sameSecret(proof, proofOf(login, until))) throw wrong();
  return login;
}

/** Continues where `signIn` asked which account. Throws Unauthenticated when that was too long ago. */
export const chooseAccount: TransactionWrite<z.infer<typeof Choice>, { login: Login | null }, Begun> = {
  name: 'chooseAccount',
  input: Choice,
  authorize: async (tx, caller, { userId }) => ({ ...permitOutside(caller), login: await findLogin(tx, userId) }),
  audit: [signedIn],
  async run(tx, { login }, choice) {
    const { id, erasedAt } = requireProof(login, choice);
    if (erasedAt !== null) throw wrong();
    return beginSession(tx, id, choice.browser);
  },
};

/** An owner restores an account that is to be erased, and is signed in with it. */
export const restoreAccount: TransactionWrite<z.infer<typeof Choice>, { login: Login | null }, Begun> = {
  name: 'restoreAccount',
  input: Choice,
  authorize: chooseAccount.authorize,
  audit: [{ kind: 'account.restored', made: ({ login }) => login && { type: 'account', id: login.accountId }, event: true }, signedIn],
  async run(tx, { login }, choice) {
    const { id, accountId } = requireProof(login, choice);
    await restoreAccountRows(tx, accountId);
    return beginSession(tx, id, choice.browser);
  },
};

const Nothing = z.strictObject({});

export const eraseAccount: TransactionWrite<z.infer<typeof Nothing>, AccountPermit, string> = {
  name: 'eraseAccount',
  input: Nothing,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'account.erased', about: ({ accountId }) => ({ type: 'account', id: accountId }), event: true }],
  run: (tx, { accountId }) => setAccountDue(tx, accountId),
};

const wrong = () =>
  new Unauthenticated('E-mail and password do not belong together: try again, or ask an administrator for an invitation.');
