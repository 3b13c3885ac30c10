/** The table of jobs, and what graphile-worker's fetch reads of it. */
import type pg from 'pg';
import type { Statement } from '../bench/capture.ts';

export const JOBS = 'graphile_worker._private_jobs';

/** Adds so many due jobs. */
export const addJobs = (client: pg.Client, count: number) =>
  client.query(
    `select count(*) from graphile_worker.add_jobs(array(
       select ('any', '{}'::json, null, now(), null, null, null, null)::graphile_worker.job_spec from generate_series(1, $1::int)))`,
    [count],
  );

/** The fetch statement among the sent ones. */
export const fetchAmong = (sent: Statement[]): Statement =>
  sent.find(({ text }) => /skip locked/.test(text) && /update .*_private_jobs/s.test(text))!;

/** The plan of its execution. */
export const planOf = async (client: pg.Client, { text, values }: Statement): Promise<Node> =>
  (await client.query(`explain (analyze, format json) ${text}`, values)).rows[0]['QUERY PLAN'][0].Plan;

interface Node {
  'Actual Rows': number;
  'Relation Name'?: string;
  Plans?: Node[];
}

/** Most rows of the table that one node reads. */
export const mostRows = (node: Node): number =>
  Math.max(node['Relation Name'] === '_private_jobs' ? node['Actual Rows'] : 0, ...(node.Plans ?? []).map(mostRows));
