/** SQL about what the processes of an installation count, and which workers are alive. */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';

/** A process that has not been seen for so long has ended. */
const GONE_SECONDS = 60;

export async function keepMetrics(tx: Tx, process: string, metrics: string): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (delete from process_metrics where seen_at < now() - ${GONE_SECONDS} * interval '1 second' and process <> ${process})
    insert into process_metrics (process, metrics) values (${process}, ${metrics}::json)
    on conflict (process) do update set metrics = excluded.metrics, seen_at = now()`);
}

const Kept = z.object({ metrics: z.array(z.record(z.string(), z.unknown())) });

/** Of every process that was seen lately but this one. */
export async function metricsOfOthers(tx: Tx, process: string): Promise<object[][]> {
  const rows = await tx.any(sql.type(Kept)`
    select metrics from process_metrics where process <> ${process} and seen_at > now() - ${GONE_SECONDS} * interval '1 second' order by process`);
  return rows.map(({ metrics }) => metrics);
}

const Count = z.object({ count: z.number() });

/** A worker process has a row for each of its lanes, with a sign of life every few seconds. */
export const countWorkers = (tx: Tx): Promise<number> =>
  tx.oneFirst(sql.type(Count)`select count(distinct (host, pid)) from workers
    where life = database_life() and seen_at > now() - interval '90 seconds'`);
