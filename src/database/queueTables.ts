/** What PostgreSQL believes of the queue's jobs, said once and for all. The table is empty most of the time and full when it matters: a plan
 *  made from the statistics of an empty one reads every job to fetch ten, for twenty times the CPU (docs/figures.md). So nothing is
 *  collected any more; what is believed comes from jobs that nobody has seen. */
import type pg from 'pg';

const JOBS = 'graphile_worker._private_jobs';

/** Fetching walks over the dead rows of jobs that are done: they are cleared away sooner than the usual fifth of a table. */
const settings = {
  autovacuum_analyze_threshold: '2147483647',
  autovacuum_analyze_scale_factor: '0',
  autovacuum_vacuum_threshold: '200',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_cost_delay: '0',
};

const believed = ['id', 'job_queue_id', 'task_id', 'priority', 'run_at', 'is_available'];

/** Any task is one in so many: enough of them that the first ten in order are looked for, not all of them sorted. */
const KINDS = 5;

export async function settleQueueTables(client: pg.Client): Promise<void> {
  if (await isSettled(client)) return;
  await client.query(`alter table ${JOBS} set (${Object.entries(settings).map((pair) => pair.join(' = '))})`);
  await client.query('begin');
  try {
    await client.query(
      `alter table ${JOBS} ${believed.map((name) => `alter ${name} set statistics -1`)}, alter task_id set (n_distinct = ${KINDS})`,
    );
    // No two of a kind: then no kind is known by its number, and each is as likely as KINDS says.
    const { rows } = await client.query(`insert into ${JOBS} (task_id) select 1000000 + n from generate_series(1, 1000) n returning id`);
    await client.query(`analyze ${JOBS} (${believed})`);
    await client.query(`delete from ${JOBS} where id = any($1)`, [rows.map(({ id }) => id)]);
    // 0: whoever analyses the table leaves these as they are.
    await client.query(`alter table ${JOBS} ${believed.map((name) => `alter ${name} set statistics 0`)}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  await client.query(`vacuum ${JOBS}`);
}

/** A dump brings the settings along, but not what is believed. */
async function isSettled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select c.reloptions @> $1 and count(s.attname) = $3 as settled
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = any($2) and a.attstattarget = 0
     left join pg_stats s on s.schemaname = 'graphile_worker' and s.tablename = c.relname and s.attname = a.attname
     where c.oid = '${JOBS}'::regclass group by c.reloptions`,
    [Object.entries(settings).map((pair) => pair.join('=')), believed, believed.length],
  );
  return rows[0]?.settled === true;
}
