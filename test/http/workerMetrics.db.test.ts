/** Metrics of worker processes, and of several processes through one. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { parse } from 'yaml';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { spawnFor } from '../support/processes.ts';
import { startProxy } from '../support/proxy.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
const token = 'a token of the operator';
const environment = { SECRET_KEY: 'test'.repeat(10), METRICS_TOKEN: token, PORT: '0' };

async function start(t: ExecutionContext, script: string, told: string, more: Record<string, string> = {}) {
  const spawned = spawnFor(t, [script], { env: { ...environment, DATABASE_URL: database.url, ...more } });
  const { port } = await spawned.log({ msg: told });
  return { spawned, base: `http://127.0.0.1:${port}` };
}

const read = async (base: string) => (await fetch(`${base}/metrics`, { headers: { Authorization: `Bearer ${token}` } })).text();

const valueIn = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );

async function until(base: string, fits: (text: string) => boolean): Promise<string> {
  const text = await eventually(() => read(base), fits);
  if (!fits(text)) throw new Error(`Never as wanted:\n${text}`);
  return text;
}

/** What the processes of the first tests expose. */
const exposedBy = { web: '', worker: '' };

async function addJob(name: string, payload: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select graphile_worker.add_job($1, $2::json, max_attempts => 1)', [name, payload]);
  await client.end();
}

test('a worker reports on WORKER_PORT whether it is up, and its jobs started, failed and timed by task', async (t) => {
  const { spawned, base } = await start(t, 'workers/index.ts', 'status is served', { WORKER_PORT: '0' });
  await spawned.log({ msg: 'listening' });
  t.is((await fetch(`${base}/healthz`)).status, 200);
  t.is((await fetch(`${base}/readyz`)).status, 200);
  t.is((await fetch(`${base}/metrics`)).status, 401);
  t.is((await fetch(`${base}/anything`)).status, 404);
  await addJob('prune', '{"due":"2026-03-02T00:00:00Z"}');
  await addJob('prune', '{"due":"not a moment"}');
  const text = await until(
    base,
    (seen) =>
      valueIn(seen, 'stint_job_duration_seconds_count{task="prune"}') >= 1 &&
      seen.includes('stint_jobs_failed_total{task="prune",final="true"}'),
  );
  exposedBy.worker = text;
  t.true(valueIn(text, 'stint_jobs_started_total{task="prune"}') >= 2);
  t.is(valueIn(text, 'stint_jobs_failed_total{task="prune",final="true"}'), 1);
  t.is(valueIn(text, 'stint_workers_alive'), 1);
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'stint_pool_connections{state="in_use"}',
    'stint_pool_connections{state="waiting"}',
  ])
    t.true(valueIn(text, name) >= 0, name);
});

test.long('with METRICS_GATHER=database one process answers with the metrics of all, each with the label process', async (t) => {
  const gather = { METRICS_GATHER: 'database' };
  const [one, two] = await Promise.all([start(t, 'src/web.ts', 'listening', gather), start(t, 'src/web.ts', 'listening', gather)]);
  for (let n = 0; n < 3; n++) await fetch(`${two.base}/sign-in`);
  const count = /^stint_request_duration_seconds_count\{operation="GET \/sign-in",method="GET",status="\d+",process="[^"]+"\} 3$/m;
  const text = await until(one.base, (seen) => count.test(seen) && seen.includes('stint_workers_alive'));
  t.is(processes(text).size, 2);
  t.is(text.match(/^# TYPE stint_request_duration_seconds /gm)?.length, 1);
});

const processes = (text: string) => new Set([...text.matchAll(/^stint_build_info\{.*process="([^"]+)"/gm)].map((match) => match[1]));

test('a scrape reports the database as down when it refuses connections or is silent, and omits workers and jobs', async (t) => {
  const proxy = await startProxy(database.url);
  t.teardown(() => proxy.close());
  const { base } = await start(t, 'src/web.ts', 'listening', { DATABASE_URL: proxy.url, METRICS_GATHER: 'database' });
  for (const fault of [proxy.refuse, proxy.blackhole]) {
    exposedBy.web = await until(base, (seen) => seen.includes('stint_workers_alive'));
    t.is(valueIn(exposedBy.web, 'stint_database_up'), 1);
    fault();
    const text = await until(base, (seen) => valueIn(seen, 'stint_database_up') === 0);
    t.notRegex(text, /^(?:stint_workers_alive|stint_jobs|stint_oldest_runnable_job_seconds|stint_database_bytes)/m);
    t.regex(text, /^stint_build_info/m);
    proxy.heal();
  }
});

const monitoring = fileURLToPath(new URL('../../docs/monitoring/', import.meta.url));

test('rules and dashboard name only metrics that the processes expose', (t) => {
  const exposed = exposedBy.web + exposedBy.worker;
  const names = new Set([...exposed.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!));
  const text = readFileSync(`${monitoring}rules.yml`, 'utf8') + readFileSync(`${monitoring}grafana.json`, 'utf8');
  const used = new Set(
    [...text.matchAll(/\b(?:stint|nodejs|process)_[a-z0-9_]+/g)].map((match) => match[0].replace(/_(count|sum|bucket)$/, '')),
  );
  t.true(used.size > 12);
  t.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  );
  const rules: { alert: string; expr: string }[] = parse(readFileSync(`${monitoring}rules.yml`, 'utf8')).groups[0].rules;
  const selectors = rules.flatMap(({ expr }) => [...expr.matchAll(/(stint_\w+)\{(\w+="\w+")/g)]);
  t.true(selectors.length > 5);
  t.deepEqual(
    selectors.filter(([, name, label]) => !exposed.split('\n').some((line) => line.startsWith(`${name}{`) && line.includes(label!))),
    [],
  );
});

test('every alert has a test in which it fires', (t) => {
  const { groups } = parse(readFileSync(`${monitoring}rules.yml`, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
  const tests = readFileSync(`${monitoring}rules.test.yml`, 'utf8');
  t.deepEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).filter((alert) => !tests.includes(`{alertname="${alert}"`)),
    [],
  );
});

if (spawnSync('promtool', ['--version']).status === 0) {
  test('each alert rings in its situation, and no other alert does', (t) => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: monitoring, encoding: 'utf8' });
    t.is(status, 0, stdout + stderr);
  });
}
