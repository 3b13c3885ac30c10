/** When a person works: absences, dated hours and working days (behaviour §34). */
import { z } from 'zod';
import { type AccountPermit, asMember, inAccount } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import { aboutUser } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { enqueueAbsence } from '../queue/jobs.ts';
import { CalendarDate, daysBetween } from '../values/dates.ts';
import { Conflict, Forbidden } from '../values/errors.ts';
import { Id, Text } from '../values/text.ts';
import {
  deleteAbsence,
  deleteHours,
  insertAbsence,
  isInAccount,
  readWorkingTimes,
  setWeekdays,
  updateAbsence,
  upsertHours,
  type WorkingTimes,
} from './workingTimeQueries.ts';

export type { AbsenceLine, WorkingTimes } from './workingTimeQueries.ts';

/** For the person, and for owners and administrators of their account. Throws Forbidden. */
export async function mayPlan(tx: Tx, caller: Caller, userId: number): Promise<AccountPermit> {
  const permit = await asMember(tx, caller);
  if (permit.userId === userId) return permit;
  return maySetHours(tx, caller, userId);
}

/** For owners and administrators of the person's account. Throws Forbidden. */
async function maySetHours(tx: Tx, caller: Caller, userId: number): Promise<AccountPermit> {
  const permit = await inAccount(tx, caller, ['owner', 'admin']);
  if (!(await isInAccount(tx, permit.accountId, userId))) throw new Forbidden();
  return permit;
}

const OneUser = z.strictObject({ userId: Id });

export const getWorkingTimes: Read<z.infer<typeof OneUser>, WorkingTimes & { own: boolean; maySetHours: boolean }> = {
  name: 'getWorkingTimes',
  input: OneUser,
  async run(tx, caller, { userId }) {
    const permit = await mayPlan(tx, caller, userId);
    const own = permit.userId === userId;
    return { ...(await readWorkingTimes(tx, userId, own)), own, maySetHours: permit.accountRole !== 'member' };
  },
};

export const MOST_DAYS = 732;
const NearDate = CalendarDate.refine((date) => date >= '2000' && date < '2200', 'give a date from 2000-01-01 to 2199-12-31');

const absenceFields = { userId: Id, from: NearDate, to: NearDate, half: z.boolean() };

function checkDays({ value: { from, to }, issues }: z.core.ParsePayload<{ from: string; to: string }>): void {
  if (to < from) issues.push({ code: 'custom', path: ['to'], message: 'give a last day that is not before the first', input: to });
  else if (daysBetween(from, to) >= MOST_DAYS)
    issues.push({ code: 'custom', path: ['to'], message: 'give at most two years; for longer, set the weekly hours to 0', input: to });
}

const AbsenceInput = z.strictObject({ ...absenceFields, reason: Text(0, 200), shared: z.boolean() }).check(checkDays);

const overlapWords = ({ from, to }: { from: string; to: string }): string =>
  `This overlaps an absence from ${from} to ${to}. Change or remove that one first, or choose other days.`;

export const addAbsence: Write<z.infer<typeof AbsenceInput>, { id: number }, AccountPermit> = {
  name: 'addAbsence',
  input: AbsenceInput,
  authorize: (tx, caller, { userId }) => mayPlan(tx, caller, userId),
  audit: [{ kind: 'absence.added', about: aboutUser, event: true }],
  async run(tx, { accountId }, { userId, ...absence }) {
    const { id, overlaps } = await insertAbsence(tx, accountId, userId, absence);
    if (overlaps) throw new Conflict(overlapWords(overlaps));
    await tellRequesters(tx, { accountId, userId, id });
    return { id };
  },
};

/** A job, because an absence may concern many items. */
const tellRequesters = (tx: Tx, { accountId, userId, id }: { accountId: number; userId: number; id: number }): Promise<void> =>
  enqueueAbsence(tx, id, { account: accountId, user: userId });

/** Without `reason`, reason and sharing stay: an administrator can't see a private reason. */
const ChangedAbsence = z
  .strictObject({ ...absenceFields, id: Id, reason: Text(0, 200).optional(), shared: z.boolean().optional() })
  .check(checkDays);

export const changeAbsence: Write<z.infer<typeof ChangedAbsence>, void, AccountPermit> = {
  name: 'changeAbsence',
  input: ChangedAbsence,
  authorize: (tx, caller, { userId }) => mayPlan(tx, caller, userId),
  audit: [{ kind: 'absence.changed', about: aboutUser, event: true }],
  async run(tx, permit, { userId, ...absence }) {
    const overlaps = await updateAbsence(tx, userId, absence, permit.userId === userId);
    if (overlaps) throw new Conflict(overlapWords(overlaps));
    await tellRequesters(tx, { accountId: permit.accountId, userId, id: absence.id });
  },
};

const RemovedAbsence = z.strictObject({ userId: Id, id: Id });

export const removeAbsence: Write<z.infer<typeof RemovedAbsence>, void, AccountPermit> = {
  name: 'removeAbsence',
  input: RemovedAbsence,
  authorize: (tx, caller, { userId }) => mayPlan(tx, caller, userId),
  audit: [{ kind: 'absence.removed', about: aboutUser, event: true }],
  run: (tx, _permit, { userId, id }) => deleteAbsence(tx, userId, id),
};

export const weekdayKeys = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Stored as bits, 1 for Monday. */
export const WorkingDays = z.array(z.enum(weekdayKeys), 'choose working days').min(1, 'choose at least one working day').max(7);
export const weekdayBits = (days: readonly (typeof weekdayKeys)[number][]): number =>
  weekdayKeys.reduce((bits, day, n) => bits | (days.includes(day) ? 1 << n : 0), 0);
export const WORKWEEK_BITS = weekdayBits(['mon', 'tue', 'wed', 'thu', 'fri']);
export const workingDaysOf = (bits: number): (typeof weekdayKeys)[number][] => weekdayKeys.filter((_, n) => (bits & (1 << n)) !== 0);

const hoursMessage = 'give hours per week, from 0 to 168';
const HoursInput = z.strictObject({
  userId: Id,
  from: NearDate,
  weeklyHours: z.number({ error: hoursMessage }).min(0, hoursMessage).max(168, hoursMessage),
  workingDays: WorkingDays,
});

/** Hours and working days from a day on. Confirms the hours. */
export const setHoursFrom: Write<z.infer<typeof HoursInput>, void, AccountPermit> = {
  name: 'setHoursFrom',
  input: HoursInput,
  authorize: (tx, caller, { userId }) => maySetHours(tx, caller, userId),
  audit: [{ kind: 'hours.dated', about: aboutUser, event: true }],
  async run(tx, { accountId }, { userId, from, weeklyHours, workingDays }) {
    const row = { from, weeklyMinutes: Math.round(weeklyHours * 60), weekdays: weekdayBits(workingDays) };
    await upsertHours(tx, accountId, userId, row);
  },
};

const RemovedHours = z.strictObject({ userId: Id, from: CalendarDate });

export const removeHoursFrom: Write<z.infer<typeof RemovedHours>, void, AccountPermit> = {
  name: 'removeHoursFrom',
  input: RemovedHours,
  authorize: (tx, caller, { userId }) => maySetHours(tx, caller, userId),
  audit: [{ kind: 'hours.dated', about: aboutUser, event: true }],
  run: (tx, _permit, { userId, from }) => deleteHours(tx, userId, from),
};

const DaysInput = z.strictObject({ userId: Id, workingDays: WorkingDays });

/** Working days of now. */
export const changeWorkingDays: Write<z.infer<typeof DaysInput>, void, AccountPermit> = {
  name: 'changeWorkingDays',
  input: DaysInput,
  authorize: (tx, caller, { userId }) => maySetHours(tx, caller, userId),
  audit: [{ kind: 'user.changed', about: aboutUser }],
  run: (tx, _permit, { userId, workingDays }) => setWeekdays(tx, userId, weekdayBits(workingDays)),
};
