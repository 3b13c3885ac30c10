/** Sign-in with email and password (behaviour §12.10), then the choice of an account if the address is in several. */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import { permitOutside } from '../access/caller.ts';
import { insertFailedSignIn } from '../audit/recordQueries.ts';
import type { Db, Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { enqueue } from '../queue/jobs.ts';
import { Unauthenticated } from '../values/errors.ts';
import { Id, sameSecret } from '../values/text.ts';
import { verifyPasswords } from './password.ts';
import { restoreAccountRows, setAccountDue } from './peopleQueries.ts';
import { countMostAccounts, findLogin, findLogins, type Login } from './sessionQueries.ts';
import { Browser, beginSession, type NewSession, signedIn } from './sessions.ts';

const Who = z.strictObject({ email: z.string() });

const loginsOf = async (tx: Tx, email: string) => (email.length <= 320 && !email.includes('\0') ? findLogins(tx, email) : []);

export const whoSignsIn: Read<z.infer<typeof Who>, number[]> = {
  name: 'whoSignsIn',
  input: Who,
  run: async (tx, _caller, { email }) => (await loginsOf(tx, email)).map(({ id }) => id),
};

/** An account in which the address has this password. The proof is valid for five minutes. */
export interface AccountChoice {
  userId: number;
  accountName: string;
  /** When the account will be erased. It can be restored, but not entered. */
  erasedAt: string | null;
  until: number;
  proof: string;
}

/** `checks`: number of passwords to check, the same for all addresses. `line`: queue line of the check. */
const Input = Who.extend({ password: z.string(), checks: z.int().min(1), line: z.string(), browser: Browser });
const CHOOSE_WITHIN_MS = 5 * 60_000;

/** Making the proof needs the stored hash. A new password makes it invalid. */
function proofOf({ id, passwordHash }: Login, until: number): string {
  if (passwordHash === null) throw wrong();
  return createHmac('sha256', passwordHash).update(`sign-in:${id}:${until}`).digest('base64url');
}

/** Every sign-in checks as many passwords as the address with most accounts needs, so that time reveals nothing. Counted once a minute. */
const mostAccounts = new LRUCache<Db, number>({ max: 100, ttl: 60_000, fetchMethod: (db) => countMostAccounts(db.pool()) });

export const passwordsToCheck = (db: Db): Promise<number> => mostAccounts.forceFetch(db);

/** Throws Unauthenticated if the password is wrong or the address is unknown. */
export const signIn: Write<z.infer<typeof Input>, NewSession | { choices: AccountChoice[] }, { found: readonly Login[] }> = {
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

  async run(tx, { found }, { browser }, proved: readonly Login[]) {
    // The user may have been deactivated or got another password during the check.
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

/** Enqueues the audit of a wrong password, also for unknown addresses (behaviour §17.5). */
export const noteFailedSignIn: Write<z.infer<typeof Failed>, void, { userIds: number[] }> = {
  name: 'noteFailedSignIn',
  input: Failed,
  authorize: async (tx, caller, { email }) => ({ ...permitOutside(caller), userIds: (await loginsOf(tx, email)).map(({ id }) => id) }),
  run: (tx, { userIds, caller }) => enqueue(tx, 'failed_sign_in', { userIds, address: caller.address ?? '' }),
};

export async function auditFailedSignIns(db: Db, userIds: readonly number[], address: string): Promise<void> {
  await db.transaction(async (tx) => {
    for (const userId of userIds) await insertFailedSignIn(tx, userId, address);
  });
}

const Choice = z.strictObject({ userId: Id, until: z.number(), proof: z.string(), browser: Browser });

function requireProof(login: Login | null, { until, proof }: z.infer<typeof Choice>): Login {
  const inTime = until > Date.now() && until <= Date.now() + CHOOSE_WITHIN_MS;
  if (!login?.passwordHash || !inTime || !sameSecret(proof, proofOf(login, until))) throw wrong();
  return login;
}

/** The second step of `signIn`. Throws Unauthenticated if the proof expired. */
export const chooseAccount: Write<z.infer<typeof Choice>, NewSession, { login: Login | null }> = {
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

export const restoreAccount: Write<z.infer<typeof Choice>, NewSession, { login: Login | null }> = {
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

export const eraseAccount: Write<z.infer<typeof Nothing>, string, AccountPermit> = {
  name: 'eraseAccount',
  input: Nothing,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'account.erased', about: ({ accountId }) => ({ type: 'account', id: accountId }), event: true }],
  run: (tx, { accountId }) => setAccountDue(tx, accountId),
};

const wrong = () => new Unauthenticated('The email or password is not correct. Try again, or reset your password.');
