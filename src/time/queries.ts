/** SQL of recorded time. Every change of a user's time or plans first locks their users row, so that later reads stay valid. */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Caller, Permit } from '../access/caller.ts';
import { AccessRow, accessTo, callerCte, mayAtHome } from '../access/queries.ts';
import { TIME_READ } from '../access/rights.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { markForecastOf } from '../queue/jobs.ts';
import { CredentialRefused, Forbidden } from '../values/errors.ts';
import { EntryRow } from './schema.ts';

const Locked = z.object({ id: z.number() });

/** Blocks other changes to the caller's time and plans until the transaction ends. Throws Unauthenticated. */
export async function lockPerson(tx: Tx, caller: Caller): Promise<void> {
  const locked = await tx.maybeOne(sql.type(Locked)`
    with ${callerCte(caller)} select u.id from users u join who on who.user_id = u.id for no key update of u`);
  if (!locked) throw new CredentialRefused();
}

/** The same for a job, whose user may be inactive by now. */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await tx.query(sql.unsafe`select id from users where id = ${userId} for no key update`);
}

/** The same for a member of the workspace. Does nothing for other users: their changes don't wait. */
export async function lockMember(tx: Tx, workspaceId: number, userId: number): Promise<void> {
  await tx.query(sql.unsafe`
    select u.id from users u where u.id = ${userId}
      and exists (select from memberships m where m.workspace_id = ${workspaceId} and m.user_id = u.id) for no key update`);
}

/** The database's clock, to the millisecond. Not now(), which is the transaction's start, before it waited for a lock. */
const clock = sql.fragment`date_trunc('milliseconds', clock_timestamp())`;

export const entryColumnsIn = (workspaceId: string) =>
  fixedSql(
    `e.id, e.revision, ${workspaceId} as workspace_id, e.item_id, i.title as item_title, e.kind, e.started_at, e.ended_at, e.day, e.minutes, e.note, e.corrected`,
  );
export const entryColumns = entryColumnsIn('e.workspace_id');

// SQL of time on items that have moved (behaviour §42.7). Agents read their person's by the rights in the item's workspace, else by those in
// the workspace where it was written, without the item. For pages see ownTimeQueries.ts, for other people overseesTime.

const readsTimeIn = (workspaceId: string): Fragment =>
  sql.fragment`exists (select from access reading where reading.workspace_id = ${fixedSql(workspaceId)} and reading.rights & ${TIME_READ} <> 0)`;

/** Condition for a statement with `access` to all workspaces: the caller reads their own entry `e` by their rights in this row of access. */
export const ownEntryIn = (access: string): Fragment => sql.fragment`${fixedSql(access)}.workspace_id =
  case when e.written_in is null or ${readsTimeIn('e.workspace_id')} then e.workspace_id else e.written_in end`;

/** The same for a part `p` of an entry. */
export const ownPartIn = (access: string): Fragment => sql.fragment`${fixedSql(access)}.workspace_id =
  case when p.moved_to is not null and ${readsTimeIn('p.moved_to')} then p.moved_to else p.workspace_id end`;

/** For a row with `workspace_id` and `rights` there: the caller's rights in the workspace of the item `i`, null if out of reach. */
export const rightsAtItem = (row: string): Fragment =>
  fixedSql(`case when i.workspace_id = ${row}.workspace_id then ${row}.rights
    else (select access.rights from access where access.workspace_id = i.workspace_id limit 1) end`);

/** SQL condition: the caller is an owner of the workspace in which the timer `e` was started. */
export const ownsTimer = (caller: Caller): Fragment =>
  mayAtHome(caller, sql.fragment`e.written_in`, (access) => fixedSql(`${access}.role = 'owner'`));

const Owned = z.object({ owned: z.boolean() });

/** True if the caller may see and stop the timer that this user has on the item. */
export function ownsTimerOf(tx: Tx, caller: Caller, workspaceId: number, itemId: number, userId: number): Promise<boolean> {
  return tx.oneFirst(sql.type(Owned)`
    with ${accessTo(caller, workspaceId)}
    select exists (select from access, time_entries e where e.user_id = ${userId} and e.minutes is null and e.item_id = ${itemId}
      and e.workspace_id = access.workspace_id and ${ownsTimer(caller)}) as owned`);
}

const ownEntry = (condition: Fragment, workspaceId = 'e.workspace_id') => sql.fragment`(
  select to_json(found) from (
    select ${entryColumnsIn(workspaceId)} from time_entries e left join items i on i.id = e.item_id and ${visibleById}
    where e.user_id = access.user_id and ${condition}
  ) found)`;

/** For a statement with `access` to one workspace: the caller's running timer in any workspace. Its item only if visible in this one. */
export const runningTimerJson = sql.fragment`(
  select to_json(found) from (
    select ${entryColumns} from time_entries e
    join memberships m on m.user_id = e.user_id and m.workspace_id = e.workspace_id and m.rights & ${TIME_READ} <> 0
    join workspaces w on w.id = e.workspace_id and w.archived_at is null
    left join items i on i.id = e.item_id and ${visibleById}
    where e.user_id = access.user_id and e.minutes is null
  ) found)`;

export const timeFacts = sql.fragment`
  access.account_id, access.user_id, access.workspace_id, access.rights, access.context_rights,
  ${clock} as now, (clock_timestamp() at time zone 'UTC')::date as today,
  ${ownEntry(sql.fragment`e.minutes is null`)} as running`;

export const TimeFactsRow = AccessRow.extend({ now: z.string(), today: z.string(), running: EntryRow.nullable() });

export interface TimeFacts {
  now: string;
  today: string;
  running: EntryRow | null;
}

export function permitOf(caller: Caller, row: z.infer<typeof TimeFactsRow>): Permit & TimeFacts {
  return {
    caller,
    accountId: row.account_id,
    userId: row.user_id,
    workspaceId: row.workspace_id ?? 0,
    rights: row.rights,
    contextRights: row.context_rights,
    now: row.now,
    today: row.today,
    running: row.running,
  };
}

const ItemReachRow = TimeFactsRow.extend({ title: z.string().nullable() });
export type ItemReach = Permit & TimeFacts & { itemTitle: string };

/** The caller's rights in an item's workspace. Throws Unauthenticated; Forbidden unless the item is visible. */
export async function readItemReach(tx: Tx, caller: Caller, itemId: number): Promise<ItemReach> {
  const row = await tx.maybeOne(sql.type(ItemReachRow)`
    with ${accessTo(caller, sql.fragment`(select workspace_id from items where id = ${itemId})`)}
    select ${timeFacts}, (select i.title from items i where i.id = ${itemId} and ${visibleById}) as title from access`);
  if (!row) throw new CredentialRefused();
  if (row.title === null) throw new Forbidden();
  return { ...permitOf(caller, row), itemTitle: row.title };
}

const EntryReachRow = TimeFactsRow.extend({ entry: EntryRow.nullable() });
export type EntryReach = Permit & TimeFacts & { entry: EntryRow };

/** One of the caller's entries and the rights in its workspace, else in that where it was written; 0 without access to both. Throws
 *  Unauthenticated, Forbidden. */
export async function readEntryReach(tx: Tx, caller: Caller, entryId: number): Promise<EntryReach> {
  const reached = mayAtHome(caller, sql.fragment`e.workspace_id`, () => sql.fragment`true`);
  const workspaceId = sql.fragment`(select case when e.written_in is null or ${reached} then e.workspace_id else e.written_in end
    from time_entries e where e.id = ${entryId})`;
  const row = await tx.maybeOne(sql.type(EntryReachRow)`
    with ${accessTo(caller, workspaceId)}
    select ${timeFacts}, ${ownEntry(sql.fragment`e.id = ${entryId}`, 'coalesce(access.workspace_id, e.workspace_id)')} as entry from access`);
  if (!row) throw new CredentialRefused();
  if (!row.entry) throw new Forbidden();
  return { ...permitOf(caller, row), workspaceId: row.entry.workspace_id, entry: row.entry };
}

const Now = z.object({ now: z.string() });

export const readClock = (tx: Tx): Promise<string> => tx.oneFirst(sql.type(Now)`select ${clock} as now`);

/** A user's running timer, for jobs. Does not check if the user may see its item. */
export async function readRunning(tx: Tx, userId: number): Promise<EntryRow | null> {
  return tx.maybeOne(sql.type(EntryRow)`
    select ${entryColumns} from time_entries e left join items i on false where e.user_id = ${userId} and e.minutes is null`);
}

export type EntryState = Pick<EntryRow, 'item_id' | 'kind' | 'started_at' | 'ended_at' | 'day' | 'minutes' | 'note' | 'corrected'>;

/** Inserts an entry of the permit's user. Locks the item against archiving meanwhile. Throws Forbidden if it is archived already. */
export async function insertEntry(tx: Tx, permit: Permit, state: EntryState): Promise<EntryRow> {
  const saved = await tx.maybeOne(sql.type(EntryRow)`
    with target as (select * from items where id = ${state.item_id} and workspace_id = ${permit.workspaceId} and shown for share),
    saved as (
      insert into time_entries (account_id, workspace_id, user_id, item_id, kind, started_at, ended_at, day, minutes, note)
      select t.account_id, t.workspace_id, ${permit.userId}, t.id, ${state.kind}, ${state.started_at}::timestamptz, ${state.ended_at}::timestamptz,
             ${state.day}::date, ${state.minutes}::integer, ${state.note}
      from target t
      returning *
    )
    select ${entryColumns} from saved e join target i on true`);
  if (!saved) throw new Forbidden();
  return saved;
}

/** Locks the item of time or a plan against archiving and moves until the transaction ends. Throws Forbidden if it is archived or has moved. */
export async function lockItemOf(
  tx: Tx,
  { item_id: id, workspace_id: workspaceId }: Pick<EntryRow, 'item_id' | 'workspace_id'>,
): Promise<void> {
  const locked = await tx.maybeOne(sql.type(Locked)`
    select id from items where id = ${id} and workspace_id = ${workspaceId} and shown for share`);
  if (!locked) throw new Forbidden();
}

const WrittenIn = z.object({ written_in: z.number().nullable() });

/** Writes the entry's next revision. With a `reason`, keeps the previous version. Marks the forecast of the workspace where it was written. */
export async function updateEntry(tx: Tx, id: number, state: EntryState, reason: string | null = null): Promise<void> {
  const writtenIn = await tx.maybeOneFirst(sql.type(WrittenIn)`
    with before as (
      insert into time_entry_versions
        (account_id, entry_id, revision, workspace_id, item_id, kind, started_at, ended_at, day, minutes, note, reason)
      select account_id, id, revision, workspace_id, item_id, kind, started_at, ended_at, day, minutes, note, ${reason}
      from time_entries where id = ${id} and ${reason}::text is not null
    )
    update time_entries e
    set workspace_id = i.workspace_id, item_id = i.id, kind = ${state.kind}, started_at = ${state.started_at}::timestamptz,
        ended_at = ${state.ended_at}::timestamptz, day = ${state.day}::date, minutes = ${state.minutes}::integer, note = ${state.note},
        corrected = ${state.corrected}, revision = e.revision + 1
    from items i, time_entries was where e.id = ${id} and was.id = e.id and i.id = ${state.item_id} returning was.written_in`);
  if (writtenIn !== null) await markForecastOf(tx, writtenIn);
}

const DayMinutes = z.object({ day: z.string(), minutes: z.number() });

/** A user's minutes on each of the days, without the entry `without`. A running timer counts up to `now`. */
export async function readDayMinutes(tx: Tx, userId: number, days: string[], without: number, now: string): Promise<Map<string, number>> {
  const rows = await tx.any(sql.type(DayMinutes)`
    select d.day, coalesce(sum(p.minutes), 0) as minutes
    from unnest(${sql.array(days, 'date')}) d (day)
    left join lateral (
      select minutes from time_parts where user_id = ${userId} and day = d.day and entry_id <> ${without}
      union all
      select r.minutes from time_entries e, split_by_utc_day(e.started_at, greatest(e.started_at, ${now}::timestamptz)) r
      where e.user_id = ${userId} and e.minutes is null and e.id <> ${without} and r.day = d.day
    ) p on true
    group by d.day`);
  return new Map(rows.map(({ day, minutes }) => [day, minutes]));
}

const LongTimer = z.object({
  account_id: z.number(),
  workspace_id: z.number(),
  user_id: z.number(),
  started_at: z.string(),
  due_at: z.string(),
  is_due: z.boolean(),
});

/** Locks a running timer until the transaction ends. `is_due`: it has run for `hours`. */
export async function lockRunningTimer(tx: Tx, entryId: number, hours: number): Promise<z.infer<typeof LongTimer> | null> {
  return tx.maybeOne(sql.type(LongTimer)`
    select account_id, workspace_id, user_id, started_at, started_at + make_interval(hours => ${hours}) as due_at,
           started_at + make_interval(hours => ${hours}) <= clock_timestamp() as is_due
    from time_entries where id = ${entryId} and minutes is null for update`);
}
