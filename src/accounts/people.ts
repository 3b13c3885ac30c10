/** What an account's owners and administrators do with its people (behaviour §3.17). */
import { z } from 'zod';
import { type AccountPermit, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Tx } from '../database/db.ts';
import type { TransactionWrite } from '../operations/operation.ts';
import { Zone } from '../values/dates.ts';
import { Forbidden } from '../values/errors.ts';
import { Id, Label } from '../values/text.ts';
import { activateUser, lockAccount, requireOwner, setAccountRole } from './peopleQueries.ts';
import { deactivateUser, insertUser, setWeeklyMinutes } from './queries.ts';
import { accountRoles, Email, userKinds, WeeklyHours, weeklyMinutes } from './schema.ts';

const byAdministrators = (tx: Tx, caller: Caller) => inAccount(tx, caller, ['owner', 'admin']);

/** Only an owner makes, changes or sends away owners: no administrator outranks them. */
function ownersOnlyFor(permit: AccountPermit, touchesOwner: boolean) {
  if (touchesOwner && permit.accountRole !== 'owner') throw new Forbidden();
}

const NewPerson = z.strictObject({
  email: Email,
  name: Label(200),
  kind: z.enum(userKinds),
  accountRole: z.enum(accountRoles),
  timezone: Zone,
  weeklyHours: WeeklyHours,
});

export const addPerson: TransactionWrite<z.infer<typeof NewPerson>, AccountPermit, { id: number }> = {
  name: 'addPerson',
  input: NewPerson,
  authorize: byAdministrators,
  async run(tx, permit, { weeklyHours, ...person }) {
    ownersOnlyFor(permit, person.accountRole === 'owner');
    const { accountId } = permit;
    return {
      id: await insertUser(tx, { accountId }, { ...person, accountId, passwordHash: null, weeklyMinutes: weeklyMinutes(weeklyHours) }),
    };
  },
};

const RoleChange = z.strictObject({ userId: Id, accountRole: z.enum(accountRoles) });

export const changeAccountRole: TransactionWrite<z.infer<typeof RoleChange>, AccountPermit, void> = {
  name: 'changeAccountRole',
  input: RoleChange,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  run: (tx, { accountId }, { userId, accountRole }) => setAccountRole(tx, accountId, userId, accountRole),
};

const HoursChange = z.strictObject({ userId: Id, weeklyHours: WeeklyHours });

/** Confirms how many hours a week a person has; null takes the confirmation back (behaviour §12.14). */
export const changeWeeklyHours: TransactionWrite<z.infer<typeof HoursChange>, AccountPermit, void> = {
  name: 'changeWeeklyHours',
  input: HoursChange,
  authorize: byAdministrators,
  run: (tx, { accountId }, { userId, weeklyHours }) => setWeeklyMinutes(tx, { accountId }, userId, weeklyMinutes(weeklyHours)),
};

const Activation = z.strictObject({ userId: Id, active: z.boolean() });

export const setActive: TransactionWrite<z.infer<typeof Activation>, AccountPermit, void> = {
  name: 'setActive',
  input: Activation,
  authorize: (tx, caller) => inAccount(tx, caller, ['owner']),
  async run(tx, { accountId }, { userId, active }) {
    await lockAccount(tx, accountId);
    if (active) return activateUser(tx, accountId, userId);
    await deactivateUser(tx, { accountId }, userId);
    await requireOwner(tx, accountId);
  },
};
