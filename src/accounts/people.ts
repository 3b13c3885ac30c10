/** How owners and administrators manage the people of an account (behaviour §3.17). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { aboutUser } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Write } from '../operations/operation.ts';
import { Forbidden } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { setAccountRole } from './peopleQueries.ts';
import { setWeeklyMinutes } from './queries.ts';
import { accountRoles, WeeklyHours, weeklyMinutes } from './schema.ts';

const byAdministrators = (tx: Tx, caller: Caller) => inAccount(tx, caller, ['owner', 'admin']);

export function ownersOnlyFor(permit: AccountPermit, touchesOwner: boolean) {
  if (touchesOwner && permit.accountRole !== 'owner') throw new Forbidden();
}

const RoleChange = z.strictObject({ userId: Id, accountRole: z.enum(accountRoles) });

export const changeAccountRole: Write<z.infer<typeof RoleChange>, void, AccountPermit> = {
  name: 'changeAccountRole',
  input: RoleChange,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  audit: [{ kind: 'user.role', about: aboutUser }],
  run: (tx, { accountId }, { userId, accountRole }) => setAccountRole(tx, { accountId }, userId, accountRole),
};

const HoursChange = z.strictObject({ userId: Id, weeklyHours: WeeklyHours });

/** Confirms a person's weekly hours. Null removes the confirmation (behaviour §12.14). */
export const changeWeeklyHours: Write<z.infer<typeof HoursChange>, void, AccountPermit> = {
  name: 'changeWeeklyHours',
  input: HoursChange,
  authorize: byAdministrators,
  audit: [{ kind: 'user.changed', about: aboutUser }],
  run: (tx, { accountId }, { userId, weeklyHours }) => setWeeklyMinutes(tx, { accountId }, userId, weeklyMinutes(weeklyHours)),
};
