/** Fixed planner statistics for the usually empty queue. With those of an empty table, PostgreSQL reads every job to fetch ten, for
 *  twenty times the CPU (docs/figures.md). Neither graphile-worker nor session settings can prevent that. */
import type pg from 'pg';

const JOBS = 'graphile_worker._private_jobs';

/** Fetching reads the dead rows of finished jobs, so vacuum earlier than the default. */
const settings = {
  autovacuum_analyze_threshold: '2147483647',
  autovacuum_analyze_scale_factor: '0',
  autovacuum_vacuum_threshold: '200',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_cost_delay: '0',
};

const columns = ['id', 'job_queue_id', 'task_id', 'priority', 'run_at', 'is_available'];

/** Number of task kinds that the planner expects. Then an index scan in order is cheaper than sorting. */
const KINDS = 5;

export async function setQueueStatistics(client: pg.Client): Promise<void> {
  if (await isSettled(client)) return;
  await client.query(`alter table ${JOBS} set (${Object.entries(settings).map((pair) => pair.join(' = '))})`);
  await client.query('begin');
  try {
    await client.query(
      `alter table ${JOBS} ${columns.map((name) => `alter ${name} set statistics -1`)}, alter task_id set (n_distinct = ${KINDS})`,
    );
    // One row of each kind, so no kind becomes a most common value.
    const { rows } = await client.query(`insert into ${JOBS} (task_id) select 1000000 + n from generate_series(1, 1000) n returning id`);
    await client.query(`analyze ${JOBS} (${columns})`);
    await client.query(`delete from ${JOBS} where id = any($1)`, [rows.map(({ id }) => id)]);
    // 0: later analyze runs keep these statistics.
    await client.query(`alter table ${JOBS} ${columns.map((name) => `alter ${name} set statistics 0`)}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query(`vacuum ${JOBS}`);
}

/** A dump contains the settings, but not the statistics. */
async function isSettled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select c.reloptions @> $1 and count(s.attname) = $3 as settled
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = any($2) and a.attstattarget = 0
     left join pg_stats s on s.schemaname = 'graphile_worker' and s.tablename = c.relname and s.attname = a.attname
     where c.oid = '${JOBS}'::regclass group by c.reloptions`,
    [Object.entries(settings).map((pair) => pair.join('=')), columns, columns.length],
  );
  return rows[0]?.settled === true;
}
