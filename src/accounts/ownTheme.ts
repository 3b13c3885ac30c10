/** The theme of a person, stored with the user so that it applies on all devices (behaviour §18.10). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Write } from '../operations/operation.ts';
import { themes } from './schema.ts';
import { setTheme } from './sessionQueries.ts';

const Chosen = z.strictObject({ theme: z.enum(themes) });

export const chooseTheme: Write<z.infer<typeof Chosen>, void, AccountPermit> = {
  name: 'chooseTheme',
  input: Chosen,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner', 'admin', 'member']),
  run: (tx, { userId }, { theme }) => setTheme(tx, userId, theme),
};
