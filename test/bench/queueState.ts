/** The state of the queue's tables: dead rows, vacuums, and the cost of fetching a job. */
import type pg from 'pg';
import { median, round } from './measure.ts';
import { fetchOf } from './queue.ts';

export async function queueState(client: pg.Client) {
  const { rows } = await client.query(
    `select (select count(*)::int from graphile_worker._private_jobs) as jobs,
       sum(n_tup_ins) filter (where relname = '_private_jobs')::int as "jobs made",
       sum(n_dead_tup)::int as "dead rows", sum(autovacuum_count)::int as vacuums,
       (sum(pg_total_relation_size(relid)) filter (where relname = '_private_jobs') / 1024)::int as "table kB"
     from pg_stat_user_tables where schemaname = 'graphile_worker'`,
  );
  return rows[0] as Record<'jobs' | 'jobs made' | 'dead rows' | 'vacuums' | 'table kB', number>;
}

const LOOKS = 9;

/** Call it before a worker starts. Resolves to a function that fetches jobs of all kinds as the worker does, and rolls back. */
export async function watchFetches(client: pg.Client, url: string) {
  const { text, values } = await fetchOf(client, url);
  return async () => {
    const { rows } = await client.query('select array_agg(id) as ids from graphile_worker._private_tasks');
    const asked = values.map((value) => (Array.isArray(value) ? rows[0].ids : value));
    const plans: { 'Execution Time': number; Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }[] = [];
    for (let n = 0; n < LOOKS; n++) {
      await client.query('begin');
      plans.push((await client.query(`explain (analyze, buffers, format json) ${text}`, asked)).rows[0]['QUERY PLAN'][0]);
      await client.query('rollback');
    }
    return {
      'fetch pages': median(plans.map(({ Plan }) => Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'])),
      'fetch ms': round(median(plans.map((plan) => plan['Execution Time']))),
    };
  };
}
