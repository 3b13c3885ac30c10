/** SQL of the jobs that keep snapshots up to date. The SQL of the computation is in computing/storeQueries.ts. */
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { forecastOfAccount } from '../../items/forecastQueries.ts';
import { DAILY } from '../../queue/turnQueries.ts';

const Moment = z.object({ now: z.string() });

/** Removes the mark of a workspace and returns the database's time. Call it outside a transaction, so that writers see it immediately. */
export async function takeMark(tx: Tx, workspaceId: number): Promise<string> {
  return tx.oneFirst(sql.type(Moment)`
    with taken as (delete from capacity_marks where workspace_id = ${workspaceId}) select clock_timestamp()::text as now`);
}

/** Waits for transactions that hold this lock (sql/0082_mark_locks.sql). Fails with SQLSTATE 55P03 after `mostMs`. Returns the database's
 *  time. */
export async function awaitWriters(tx: Tx, workspaceId: number, mostMs: number): Promise<string> {
  const { now } = await tx.one(sql.type(Moment.extend({ patience: z.string() }))`
    select set_config('lock_timeout', ${`${mostMs}ms`}, true) as patience,
      pg_advisory_xact_lock(x'434d4b'::integer, (${workspaceId} % 2147483648)::integer) as lock, clock_timestamp()::text as now`);
  return now;
}

/** Marks recently read forecasts with this workspace for the renewal job of their account. Deletes outdated snapshots of the others, also
 *  unfinished ones. Creates the account's forecast if its workspaces changed and the old one was read. */
export async function enqueueRenewals(tx: Tx, workspaceId: number, since: string): Promise<void> {
  await tx.query(sql.unsafe`
    with touched as (
      select f.id, f.read_at > now() - interval '15 minutes' as read
      from workspaces w join capacity_forecasts f on f.account_id = w.account_id and f.workspace_ids @> array[w.id]
      where w.id = ${workspaceId}
    ),
    dropped as (
      delete from capacity_snapshots s using touched t where s.forecast_id = t.id and not t.read and s.as_of < ${since}::timestamptz
    ),
    outdated as (
      update capacity_forecasts f set renew_since = greatest(f.renew_since, ${since}::timestamptz)
      from touched t where f.id = t.id and t.read returning f.account_id
    ),
    made as (
      insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week, read_at, renew_since)
      select a.account_id, a.scope_key, a.workspace_id, a.workspace_ids, a.week, now(), ${since}::timestamptz
      from workspaces w cross join lateral (${forecastOfAccount(sql.fragment`w.account_id`)}) a
      where w.id = ${workspaceId} and exists (
        select from capacity_forecasts f where f.account_id = w.account_id and f.read_at > now() - interval '15 minutes')
      on conflict do nothing returning account_id
    ),
    job as (
      select graphile_worker.add_job('renew_forecasts', json_build_object('accountId', account_id, 'about', json_build_object('account', account_id)),
        job_key => 'renew_forecasts:' || account_id)
      from (select account_id from outdated union select account_id from made) accounts
    )
    select count(*) from job`);
}

/** Computing may take at most a fifth of the time: for each forecast, and for all renewals of an account together. */
const SHARE = 5;
/** Computing time that an account may use at once before its share applies. */
const AHEAD = `${2 * SHARE} seconds`;

const Renewal = z.object({ forecastId: z.number(), since: z.string(), waitsUntil: z.string().nullable() });

/** The account's forecast that may be renewed first. `since`: when it changed. `waitsUntil`: null if it may be renewed now. */
export const readRenewal = (tx: Tx, accountId: number) =>
  tx.maybeOne(sql.type(Renewal)`
    select r.id as "forecastId", r.since, case when r.begins > clock_timestamp() then r.begins::text end as "waitsUntil"
    from (
      select f.id, f.renew_since::text as since, s.rests_until,
        greatest(s.rests_until, (select forecasts_owed_until from accounts where id = f.account_id) - ${AHEAD}::interval) as begins
      from capacity_forecasts f left join lateral (
        select s.as_of + ${SHARE} * s.took_ms * interval '1 millisecond' as rests_until
        from capacity_snapshots s where s.forecast_id = f.id and s.day = current_date order by s.as_of desc limit 1) s on true
      where f.account_id = ${accountId} and f.renew_since is not null
    ) r order by r.rests_until nulls first, r.id limit 1`);

/** Counts the newest snapshot towards the share of its account. Skips it rather than wait for an import, which locks the account. */
export async function countRenewal(tx: Tx, forecastId: number): Promise<void> {
  await tx.query(sql.unsafe`
    update accounts set forecasts_owed_until = greatest(forecasts_owed_until, now()) + ${SHARE} * s.took_ms * interval '1 millisecond'
    from (select account_id, took_ms from capacity_snapshots where forecast_id = ${forecastId} and day = current_date order by as_of desc limit 1) s
    where id = (select id from accounts where id = s.account_id for no key update skip locked)`);
}

/** Unless a later change needs another renewal. */
export async function endRenewal(tx: Tx, { forecastId, since }: { forecastId: number; since: string }): Promise<void> {
  await tx.query(
    sql.unsafe`update capacity_forecasts set renew_since = null where id = ${forecastId} and renew_since = ${since}::timestamptz`,
  );
}

const Page = z.object({ last: z.number().nullable() });

/** Enqueues a page of the day's first snapshots at low priority (behaviour §6.27), and jobs that notify of their outlooks (§10.30). Returns
 *  the last id, null after the last page. */
export async function enqueueDailySnapshots(tx: Tx, after: number, limit: number): Promise<number | null> {
  return tx.oneFirst(sql.type(Page)`
    with page as (select id, account_id from workspaces where id > ${after} and archived_at is null order by id limit ${limit}),
    made as (
      insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
      select account_id, id::text, id, array[id], date_trunc('week', current_date)::date from page
      on conflict do nothing returning id, workspace_id
    ),
    wanted as (
      select id from made
      union
      select f.id from capacity_forecasts f join page on f.scope_key = page.id::text
      where f.week = date_trunc('week', current_date)::date or f.read_at > now() - interval '1 day'
    ),
    jobs as (select count(*) from graphile_worker.add_jobs(array(select ${forecastJob} from wanted))),
    told as (
      select count(*) from graphile_worker.add_jobs(array(
        select ('tell_outlooks', json_build_object('workspaceId', id, 'about', json_build_object('account', account_id)), null, now(), null,
          'tell_outlooks:' || id, ${DAILY}::integer, null)::graphile_worker.job_spec
        from page where exists (select from items i where i.workspace_id = page.id and i.type in ('release', 'milestone') and i.shown and not i.closed)))
    )
    select (select max(id) from page) as last from jobs, told`);
}

/** The same for the forecasts that pages show, by accounts. */
export async function enqueueAccountSnapshots(tx: Tx, after: number, limit: number): Promise<number | null> {
  return tx.oneFirst(sql.type(Page)`
    with page as (select id from accounts where id > ${after} order by id limit ${limit}),
    scopes as (
      select a.* from page cross join lateral (${forecastOfAccount(sql.fragment`page.id`)}) a where cardinality(a.workspace_ids) > 1
    ),
    made as (
      insert into capacity_forecasts (account_id, scope_key, workspace_id, workspace_ids, week)
      select account_id, scope_key, workspace_id, workspace_ids, week from scopes on conflict do nothing returning id
    ),
    wanted as (
      select id from made
      union
      select f.id from capacity_forecasts f join scopes using (scope_key, week)
    ),
    jobs as (select count(*) from graphile_worker.add_jobs(array(select ${forecastJob} from wanted)))
    select (select max(id) from page) as last from jobs`);
}

/** The same for other forecasts of several workspaces that were read in the last day. */
export async function enqueueSharedSnapshots(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`
    select count(*) from graphile_worker.add_jobs(array(
      select ${forecastJob} from (
        select id from capacity_forecasts where workspace_id = 0 and read_at > now() - interval '1 day') wanted))`);
}

/** Low priority: jobs that a reader waits for run first. */
const forecastJob = sql.fragment`
  ('snapshot_forecast', json_build_object('forecastId', wanted.id), null, now(), null, 'snapshot_forecast:' || wanted.id, ${DAILY}::integer, null)::graphile_worker.job_spec`;

export async function enqueueTrends(tx: Tx, day: string, after: number, limit: number): Promise<number | null> {
  return tx.oneFirst(sql.type(Page)`
    with page as (select id from workspaces where id > ${after} and archived_at is null order by id limit ${limit}),
    jobs as (
      select count(*) from graphile_worker.add_jobs(array(
        select ('trend_workspace', json_build_object('workspaceId', id, 'day', ${day}::text), null, now(), null, 'trend:' || id, ${DAILY}::integer, null)::graphile_worker.job_spec
        from page)))
    select (select max(id) from page) as last from jobs`);
}
