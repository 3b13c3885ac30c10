import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { DAILY } from '../queue/turnQueries.ts';

const GONE_SECONDS = 60;

export async function storeMetrics(tx: Tx, process: string, metrics: string): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (delete from process_metrics where seen_at < now() - ${GONE_SECONDS} * interval '1 second' and process <> ${process})
    insert into process_metrics (process, metrics) values (${process}, ${metrics}::json)
    on conflict (process) do update set metrics = excluded.metrics, seen_at = now()`);
}

const Sample = z.looseObject({ labels: z.record(z.string(), z.union([z.string(), z.number()])) });
const Kept = z.object({ process: z.string(), metrics: z.array(z.looseObject({ values: z.array(Sample) })) });

export function readMetrics(tx: Tx): Promise<readonly z.infer<typeof Kept>[]> {
  return tx.any(sql.type(Kept)`
    select process, metrics from process_metrics where seen_at > now() - ${GONE_SECONDS} * interval '1 second' order by process`);
}

const Bytes = z.object({ bytes: z.number() });

export function readDatabaseBytes(tx: Tx): Promise<number> {
  return tx.oneFirst(sql.type(Bytes)`select pg_database_size(current_database()) as bytes`);
}

const Late = z.object({ webhook: z.number(), forecast: z.number() });

/** In seconds: how long a webhook has failed, and how long the oldest change waits for a forecast. Daily jobs do not count. */
export function readLate(tx: Tx): Promise<z.infer<typeof Late>> {
  return tx.one(sql.type(Late)`
    select coalesce(extract(epoch from now() - w.since), 0)::double precision as webhook,
      coalesce(extract(epoch from now() - least(m.since, j.since)), 0)::double precision as forecast
    from (select min(failing_since) as since from webhooks where revoked_at is null and rests_since is null) w,
      (select min(marked_at) as since from capacity_marks) m,
      (select min(created_at) as since from graphile_worker.jobs
       where task_identifier in ('snapshot_workspace', 'snapshot_forecast', 'renew_forecasts') and priority < ${DAILY} and attempts < max_attempts) j`);
}
