/** Signing in with e-mail and password (behaviour §12.10). */
import { z } from 'zod';
import { permitOutside } from '../access/caller.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Unauthenticated } from '../values/errors.ts';
import { verifyPassword } from './password.ts';
import { findLogin, type Login } from './sessionQueries.ts';
import { type Begun, Browser, beginSession } from './sessions.ts';

const Input = z.strictObject({ email: z.string(), password: z.string(), browser: Browser });

/** Throws Unauthenticated when e-mail and password do not belong together: after the same time, whether anybody has that e-mail. */
export const signIn: TransactionWrite<z.infer<typeof Input>, { login: Login | null }, Begun, string | null> = {
  name: 'signIn',
  input: Input,

  async authorize(tx, caller, { email }) {
    const login = email.length <= 320 && !email.includes('\0') ? await findLogin(tx, email) : null;
    return { ...permitOutside(caller), login };
  },

  async prepare({ login }, { password }) {
    if (!(await verifyPassword(password, login?.passwordHash ?? null))) throw wrong();
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
