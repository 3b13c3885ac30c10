/** SQL of the jobs that keep snapshots up to date. The SQL of the computation is in computing/storeQueries.ts. */
import { z } from 'zod';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { DAILY, inTurn } from '../../queue/turnQueries.ts';

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

/** The database's time as an ISO instant. */
export function readTime(tx: Tx): Promise<string> {
  return tx.oneFirst(sql.type(Moment)`select clock_timestamp()::text as now`);
}

/** Enqueues jobs for recently read forecasts with this workspace, single workspaces first. Deletes outdated snapshots of the others. The
 *  n-th job waits for the first ones of other accounts. */
export async function enqueueRenewals(tx: Tx, workspaceId: number, since: string): Promise<void> {
  await tx.query(sql.unsafe`
    with touched as (
      select f.id, f.account_id, f.workspace_id, f.read_at, f.read_at > now() - interval '15 minutes' as read
      from workspaces w join capacity_forecasts f on f.account_id = w.account_id and f.workspace_ids @> array[w.id]
      where w.id = ${workspaceId}
    ),
    dropped as (
      delete from capacity_snapshots s using touched t where s.forecast_id = t.id and not t.read and s.as_of < ${since}::timestamptz
    ),
    wanted as (
      select id, account_id, row_number() over (order by workspace_id = 0, read_at desc) - 1 as place from touched where read
    )
    select count(*) from graphile_worker.add_jobs(array(
      select ('renew_forecast', json_build_object('forecastId', id, 'about', json_build_object('account', account_id)), null, now(), null,
        'renew_forecast:' || id, ${inTurn(sql.fragment`place`)}, null)::graphile_worker.job_spec
      from wanted order by place))`);
}

const Page = z.object({ last: z.number().nullable() });

/** Enqueues a page of the day's first snapshots at low priority (behaviour §6.27), and jobs that tell of their outlooks (§10.30). Returns the last id, null after the last page. */
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

/** The same for forecasts of all visible workspaces that were read in the last day. */
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
