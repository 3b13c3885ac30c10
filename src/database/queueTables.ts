/** Storage settings of the queue's table, which graphile-worker leaves to its operator. Fetching walks over the dead rows of finished jobs, so
 *  they are vacuumed sooner than at the usual fifth of a table. How fetches are planned: `queuePool` in workers/pools.ts. */
import type pg from 'pg';

const JOBS = 'graphile_worker._private_jobs';

const settings = ['autovacuum_vacuum_threshold=200', 'autovacuum_vacuum_scale_factor=0.05', 'autovacuum_vacuum_cost_delay=0'];

/** Until version 1.2 the statistics of these columns were made up, and never collected. */
const columns = ['id', 'job_queue_id', 'task_id', 'priority', 'run_at', 'is_available'];

export async function settleQueueTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select reloptions from pg_class where oid = '${JOBS}'::regclass`);
  if (String(rows[0].reloptions) === String(settings)) return;
  await client.query(`alter table ${JOBS} set (${settings}), reset (autovacuum_analyze_threshold, autovacuum_analyze_scale_factor),
    ${columns.map((name) => `alter ${name} set statistics -1`)}, alter task_id reset (n_distinct)`);
}
