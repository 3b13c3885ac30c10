/** Signing in with e-mail and password (behaviour §12.10). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { Read, TransactionWrite } from '../operations/operation.ts';
import { Unauthenticated } from '../values/errors.ts';
import { verifyPassword } from './password.ts';
import { findLogin, type Login } from './sessionQueries.ts';
import { type Begun, Browser, beginSession } from './sessions.ts';

const Who = z.strictObject({ email: z.string() });

const loginOf = (tx: Tx, email: string) => (email.length <= 320 && !email.includes('\0') ? findLogin(tx, email) : Promise.resolve(null));

/** Whom attempts to sign in with an address are counted for: whoever has it, however it was typed. Null for nobody. */
export const whoSignsIn: Read<z.infer<typeof Who>, number | null> = {
  name: 'whoSignsIn',
  input: Who,
  run: async (tx, _caller, { email }) => (await loginOf(tx, email))?.id ?? null,
};

/** `line`: of whom the check of the password takes its turn. */
const Input = Who.extend({ password: z.string(), line: z.string(), browser: Browser });

/** Throws Unauthenticated when e-mail and password do not belong together: after the same time, whether anybody has that e-mail. */
export const signIn: TransactionWrite<z.infer<typeof Input>, { login: Login | null }, Begun, string | null> = {
  name: 'signIn',
  input: Input,

  async authorize(tx, caller, { email }) {
    return { ...permitOutside(caller), login: await loginOf(tx, email) };
  },

  async prepare({ login }, { password, line }) {
    if (!(await verifyPassword(password, login?.passwordHash ?? null, line))) throw wrong();
    return login?.passwordHash ?? null;
  },

  async run(tx, { login }, { browser }, proved) {
    // Deactivated, or given another password, while this one was checked.
    if (!login || login.passwordHash !== proved) throw wrong();
    return beginSession(tx, login.id, browser);
  },
};

const wrong = () =>
  new Unauthenticated('E-mail and password do not belong together: try again, or ask an administrator for an invitation.');
