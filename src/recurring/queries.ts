/** SQL of series of recurring tasks. Each change locks the series' row first (behaviour §37.9–§37.14). */
import { z } from 'zod';
import { visibleById } from '../access/accountAccessQueries.ts';
import type { Permit } from '../access/caller.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { makeRecurring } from '../queue/jobs.ts';
import { isClosed } from '../workspaces/queries.ts';
import { HeldSeries, type Mode, type Reason } from './schema.ts';

/** For a statement with `access`: the series of a visible task in its workspace, as Series; null if it has none. Of several, the newest that
 *  has not ended, as in lockSeriesOf: a series moves with its latest task, and may come back after the task got another. */
export const seriesJson = (itemId: Fragment): Fragment => sql.fragment`(
  select json_build_object('rule', r.rule, 'startsOn', r.starts_on, 'lastOn', r.last_on, 'nextOn', r.next_on, 'mode', r.mode, 'state', r.state,
    'reason', r.reason, 'problem', r.problem, 'revision', r.revision, 'setBy', json_build_object('id', u.id, 'name', u.name),
    'latest', (select i.id from items i where i.id = r.item_id and ${visibleById}))
  from recurrence_items o cross join lateral (select * from recurrences one where one.id = o.recurrence_id limit 1) r
  cross join lateral (select * from users one where one.id = r.user_id limit 1) u
  where o.item_id = ${itemId} and r.workspace_id = access.workspace_id order by r.state = 'ended', r.id desc limit 1)`;

const held =
  fixedSql(`r.id, r.account_id as "accountId", r.workspace_id as "workspaceId", r.item_id as "itemId", r.user_id as "userId", r.revision,
  r.rule, r.starts_on as "startsOn", r.last_on as "lastOn", r.next_on as "nextOn", r.mode, r.state, r.reason`);

const Clock = z.object({ zone: z.string(), now: z.string() });
export type Clock = z.infer<typeof Clock>;

/** A user's time zone, and the database's time. */
export const readClock = (tx: Tx, userId: number): Promise<Clock> =>
  tx.one(sql.type(Clock)`select timezone as zone, clock_timestamp() as now from users where id = ${userId}`);

/** The newest series of a task that has not ended, in the task's workspace. Locks the task first, so that two people can't set two series. */
export async function lockSeriesOf(tx: Tx, itemId: number): Promise<HeldSeries | null> {
  await tx.query(sql.unsafe`select from items where id = ${itemId} for no key update`);
  return tx.maybeOne(sql.type(HeldSeries)`
    select ${held} from recurrences r
    where r.id in (select recurrence_id from recurrence_items where item_id = ${itemId}) and r.state <> 'ended'
      and r.workspace_id = (select workspace_id from items where id = ${itemId})
    order by r.id desc limit 1 for update`);
}

const Due = HeldSeries.extend({ closed: z.boolean(), shown: z.boolean(), ...Clock.shape });

/** An active series with the state of its latest task, and its user's zone. Other workers wait. */
export async function lockActive(tx: Tx, id: number): Promise<z.infer<typeof Due> | null> {
  await tx.query(sql.unsafe`select from recurrences where id = ${id} for update`);
  return tx.maybeOne(sql.type(Due)`
    select ${held}, ${fixedSql(isClosed('i.status'))} as closed, i.shown, u.timezone as zone, clock_timestamp() as now
    from recurrences r join items i on i.id = r.item_id join users u on u.id = r.user_id where r.id = ${id} and r.state = 'active'`);
}

const UserId = z.object({ user_id: z.number() });

export const readSetter = (tx: Tx, id: number): Promise<number | null> =>
  tx.maybeOneFirst(sql.type(UserId)`select user_id from recurrences where id = ${id}`);

interface Content {
  rule: string;
  mode: Mode;
  startsOn: string;
  lastOn: string;
  nextOn: string;
  dueAt: string | null;
}

const Id = z.object({ id: z.number() });

/** Inserts a series with the task as its first one. */
export async function insertSeries(tx: Tx, { accountId, workspaceId, userId }: Permit, itemId: number, c: Content): Promise<number> {
  const id = await tx.oneFirst(sql.type(Id)`
    insert into recurrences (account_id, workspace_id, item_id, user_id, rule, starts_on, last_on, next_on, mode, state, due_at)
    values (${accountId}, ${workspaceId}, ${itemId}, ${userId}, ${c.rule}, ${c.startsOn}, ${c.lastOn}, ${c.nextOn}, ${c.mode}, 'active', ${c.dueAt}::timestamptz)
    returning id`);
  await insertOccurrence(tx, { id, accountId, workspaceId }, c.lastOn, itemId);
  return id;
}

/** The primary key prevents a second task for that date. */
export async function insertOccurrence(tx: Tx, series: Pick<HeldSeries, 'id' | 'accountId' | 'workspaceId'>, date: string, itemId: number) {
  await tx.query(sql.unsafe`
    insert into recurrence_items (account_id, workspace_id, recurrence_id, occurs_on, item_id)
    values (${series.accountId}, ${series.workspaceId}, ${series.id}, ${date}, ${itemId})`);
}

/** Also resumes a paused series. The rule then runs with this user's rights. */
export async function updateSeries(tx: Tx, { userId }: Permit, id: number, c: Content): Promise<void> {
  await tx.query(sql.unsafe`
    update recurrences set rule = ${c.rule}, mode = ${c.mode}, user_id = ${userId}, starts_on = ${c.startsOn}, last_on = ${c.lastOn}, next_on = ${c.nextOn},
      due_at = ${c.dueAt}::timestamptz, state = 'active', reason = null, problem = null, revision = revision + 1 where id = ${id}`);
}

interface Advance {
  itemId: number;
  lastOn: string;
  /** null ends the series. */
  nextOn: string | null;
  dueAt: string | null;
}

export async function advanceSeries(tx: Tx, id: number, { itemId, lastOn, nextOn, dueAt }: Advance): Promise<void> {
  await tx.query(sql.unsafe`
    update recurrences set item_id = ${itemId}, last_on = ${lastOn}, next_on = ${nextOn}, due_at = ${dueAt}::timestamptz,
      state = case when ${nextOn}::date is null then 'ended' else state end, reason = case when ${nextOn}::date is null then 'finished' end
    where id = ${id}`);
}

export async function endSeries(
  tx: Tx,
  id: number,
  state: 'paused' | 'ended',
  reason: Reason,
  problem: string | null = null,
): Promise<void> {
  await tx.query(sql.unsafe`
    update recurrences set state = ${state}, reason = ${reason}, problem = ${problem}, due_at = null, revision = revision + 1 where id = ${id}`);
}

/** Enqueues the next task now, in the person's turn. */
export async function enqueueSeries(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`select ${makeRecurring} from recurrences r where r.id = ${id}`);
}

export const MOST_ENQUEUED = 500;
const Last = z.object({ last: z.number().nullable(), count: z.number() });

/** Enqueues up to MOST_ENQUEUED due series with ids after `after`. */
export function enqueueDueSeries(tx: Tx, after: number): Promise<z.infer<typeof Last>> {
  return tx.one(sql.type(Last)`
    with due as materialized (
      select id, account_id, user_id from recurrences where due_at <= now() and id > ${after} order by id limit ${MOST_ENQUEUED}),
    jobs as materialized (select ${makeRecurring} from due r)
    select max(id) as last, count(*) as count from due, (select count(*) from jobs) j`);
}
