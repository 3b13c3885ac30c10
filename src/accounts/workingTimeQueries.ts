/** SQL of absences, dated hours, working days and public holidays (behaviour §34). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { Forbidden } from '../values/errors.ts';
import { markForecastsOf } from './queries.ts';

const Absence = z.object({
  id: z.number(),
  from: z.string(),
  to: z.string(),
  half: z.boolean(),
  /** Null if it is private and another person's. */
  reason: z.string().nullable(),
  shared: z.boolean(),
});
export type AbsenceLine = z.infer<typeof Absence>;

const WorkingTimes = z.object({
  id: z.number(),
  name: z.string(),
  /** Null: not confirmed. */
  weeklyMinutes: z.number().nullable(),
  weekdays: z.number(),
  today: z.string(),
  /** Earliest first, those that have begun included. */
  hours: z.array(z.object({ from: z.string(), weeklyMinutes: z.number(), weekdays: z.number() })),
  /** Latest first. */
  absences: z.array(Absence),
  region: z.string().nullable(),
  accountRegion: z.string().nullable(),
});
export type WorkingTimes = z.infer<typeof WorkingTimes>;

export function readWorkingTimes(tx: Tx, userId: number, own: boolean): Promise<WorkingTimes> {
  return tx.one(sql.type(WorkingTimes)`
    select u.id, u.name, weekly_minutes_now(u.id, u.weekly_minutes) as "weeklyMinutes", current_date as today,
      coalesce((select h.weekdays from working_hours h where h.user_id = u.id and h.starts_on <= current_date order by h.starts_on desc limit 1),
        u.weekdays) as weekdays,
      (select coalesce(json_agg(json_build_object('from', h.starts_on, 'weeklyMinutes', h.weekly_minutes, 'weekdays', h.weekdays) order by h.starts_on), '[]')
        from working_hours h where h.user_id = u.id) as hours,
      (select coalesce(json_agg(json_build_object('id', o.id, 'from', o.first_day, 'to', o.last_day, 'half', o.half,
          'reason', case when ${own} or o.shared then o.reason end, 'shared', o.shared) order by o.first_day desc, o.id desc), '[]')
        from absences o where o.user_id = u.id) as absences,
      u.holiday_region as region, a.holiday_region as "accountRegion"
    from users u join accounts a on a.id = u.account_id where u.id = ${userId}`);
}

const There = z.object({ there: z.boolean() });

export function isInAccount(tx: Tx, accountId: number, userId: number): Promise<boolean> {
  return tx.oneFirst(sql.type(There)`
    select exists (select from users where id = ${userId} and account_id = ${accountId} and erased_at is null) as there`);
}

/** One writer at a time for a person's absences. */
async function lockUser(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`select from users where id = ${userId} for no key update`);
}

const Inserted = z.object({ id: z.number() });
const Span = z.object({ from: z.string(), to: z.string() });

export async function insertAbsence(
  tx: Tx,
  accountId: number,
  userId: number,
  absence: Omit<AbsenceLine, 'id' | 'reason'> & { reason: string },
) {
  const { from, to, half, reason, shared } = absence;
  await lockUser(tx, userId);
  const overlaps = await tx.maybeOne(sql.type(Span)`
    select first_day as from, last_day as to from absences
    where user_id = ${userId} and first_day <= ${to}::date and last_day >= ${from}::date order by first_day limit 1`);
  if (overlaps) return { id: 0, overlaps };
  const added = await tx.one(sql.type(Inserted)`
    insert into absences (account_id, user_id, first_day, last_day, half, reason, shared)
    values (${accountId}, ${userId}, ${from}, ${to}, ${half}, ${reason}, ${shared})
    returning id`);
  await markForecastsOf(tx, userId);
  return { ...added, overlaps: null };
}

interface ChangedAbsence {
  id: number;
  from: string;
  to: string;
  half: boolean;
  reason?: string | undefined;
  shared?: boolean | undefined;
}

/** Returns another absence that it would overlap, or null. `own`: it may change a private reason. Throws Forbidden for an unknown one. */
export async function updateAbsence(tx: Tx, userId: number, { id, from, to, half, reason, shared }: ChangedAbsence, own: boolean) {
  await lockUser(tx, userId);
  const overlaps = await tx.maybeOne(sql.type(Span)`
    select first_day as from, last_day as to from absences
    where user_id = ${userId} and id <> ${id} and first_day <= ${to}::date and last_day >= ${from}::date order by first_day limit 1`);
  if (overlaps) return overlaps;
  const changed = await tx.maybeOneFirst(sql.type(Id)`
    update absences set first_day = ${from}, last_day = ${to}, half = ${half},
      reason = case when ${own} or shared then coalesce(${reason ?? null}, reason) else reason end,
      shared = case when ${own} or shared then coalesce(${shared ?? null}, shared) else shared end
    where id = ${id} and user_id = ${userId} returning id`);
  if (changed === null) throw new Forbidden();
  await markForecastsOf(tx, userId);
  return null;
}

const Id = z.object({ id: z.number() });

/** Throws Forbidden for an unknown one. */
export async function deleteAbsence(tx: Tx, userId: number, id: number): Promise<void> {
  const removed = await tx.maybeOneFirst(sql.type(Id)`
    delete from absences where id = ${id} and user_id = ${userId} returning id`);
  if (removed === null) throw new Forbidden();
  await markForecastsOf(tx, userId);
}

export async function upsertHours(
  tx: Tx,
  accountId: number,
  userId: number,
  { from, weeklyMinutes, weekdays }: WorkingTimes['hours'][number],
): Promise<void> {
  await lockUser(tx, userId);
  await tx.query(sql.unsafe`
    insert into working_hours (account_id, user_id, starts_on, weekly_minutes, weekdays)
    values (${accountId}, ${userId}, ${from}, ${weeklyMinutes}, ${weekdays})
    on conflict (user_id, starts_on) do update set weekly_minutes = excluded.weekly_minutes, weekdays = excluded.weekdays`);
  await markForecastsOf(tx, userId);
}

/** Removing them twice is harmless. */
export async function deleteHours(tx: Tx, userId: number, from: string): Promise<void> {
  await tx.query(sql.unsafe`delete from working_hours where user_id = ${userId} and starts_on = ${from}`);
  await markForecastsOf(tx, userId);
}

export async function setWeekdays(tx: Tx, userId: number, weekdays: number): Promise<void> {
  await tx.query(sql.unsafe`
    with begun as (
      update working_hours set weekdays = ${weekdays} where user_id = ${userId}
        and starts_on = (select max(starts_on) from working_hours where user_id = ${userId} and starts_on <= current_date) returning 1)
    update users set weekdays = ${weekdays} where id = ${userId} and not exists (select from begun)`);
  await markForecastsOf(tx, userId);
}

/** Replaces all days of a region. */
export async function storeHolidays(tx: Tx, region: string, days: readonly { day: string; half: boolean; name: string }[]): Promise<void> {
  await tx.query(sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`holidays ${region}`}, 0))`);
  await tx.query(sql.unsafe`delete from holidays where region = ${region}`);
  await tx.query(sql.unsafe`
    insert into holidays (region, day, half, name)
    select ${region}, d.day, d.half, d.name from json_to_recordset(${JSON.stringify(days)}::json) as d (day date, half boolean, name text)`);
}

const Region = z.object({ region: z.string() });

export function chosenRegions(tx: Tx): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(Region)`
    select holiday_region as region from users where holiday_region <> 'none' union
    select holiday_region from accounts where holiday_region <> 'none' order by 1`);
}

/** Marks the forecasts that have people with these holidays. */
export async function setRegion(tx: Tx, accountId: number, userId: number | null, region: string | null): Promise<void> {
  if (userId !== null) {
    await tx.query(sql.unsafe`update users set holiday_region = ${region} where id = ${userId} and account_id = ${accountId}`);
    return markForecastsOf(tx, userId);
  }
  await tx.query(sql.unsafe`update accounts set holiday_region = ${region} where id = ${accountId}`);
  const workspaceIds = await tx.anyFirst(sql.type(Id)`
    select w.id from workspaces w where w.account_id = ${accountId} and (
      exists (select from memberships m join users u on u.id = m.user_id and u.holiday_region is null where m.workspace_id = w.id)
      or exists (select from items i join users u on u.id = i.assignee_id and u.holiday_region is null where i.workspace_id = w.id and i.shown))`);
  await markForecastOf(tx, ...workspaceIds);
}
