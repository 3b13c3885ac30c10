/** The commands of the Procfile, started as a platform starts them: built in one place, run in another, by a shell that execs Node. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { buildInto } from '../../src/build/index.ts';
import { makeBulk } from '../support/bulk.ts';
import { fileDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { limitedRole } from '../support/limitedRole.ts';
import { answered, isAlive } from '../support/processes.ts';
import { suite } from '../support/suite.ts';
import { queueOf } from '../support/workers.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));
const place = temporaryFolder();
const database = fileDatabase();
const commands = Object.fromEntries(
  readFileSync(`${root}Procfile`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/s) as [string, string]),
);

const sourcesOf = (folder: string): string[] => JSON.parse(readFileSync(join(folder, 'built/sources.json'), 'utf8')).files;

test.before(async () => {
  for (const name of ['package.json', 'sql', 'src', 'workers']) cpSync(join(root, name), join(place, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  await buildInto(join(place, 'built'));
  // A process that loads a source fails.
  for (const source of sourcesOf(place)) rmSync(join(place, source));
});

function startAs(t: ExecutionContext, name: string, env: Record<string, string> = {}) {
  const child = spawn('sh', ['-c', commands[name]!], {
    cwd: place,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      DATABASE_URL: database.url,
      SECRET_KEY: 'test'.repeat(10),
      PORT: '0',
      ...env,
      // Without settings of a run that bundles everything (support/bundle.ts).
      NODE_OPTIONS: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => void (isAlive(child.pid!) && child.kill('SIGKILL')));
  let said = '';
  const listening = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('"msg":"listening"')) resolve(said);
      });
    child.once('exit', () => reject(new Error(`${name} ended before it listened:\n${said}`)));
  });
  listening.catch(() => {});
  return { child, listening, ended: once(child, 'exit') };
}

test('the worker process that the platform started drains on SIGTERM and exits with 0', async (t) => {
  const { child, listening, ended } = startAs(t, 'worker');
  await listening;
  child.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
  if (existsSync('/proc')) t.false(isAlive(child.pid!));
});

test('a web process reports version and commit in its first log line and at /healthz, and on SIGTERM frees its port and exits with 0', async (t) => {
  const { child, listening, ended } = startAs(t, 'web');
  const said = await listening;
  const first = JSON.parse(said.split('\n')[0]!);
  t.like(first, { msg: 'starting', version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version });
  const address = `http://127.0.0.1:${/"port":(\d+)/.exec(said)![1]}/healthz`;
  t.deepEqual(await (await fetch(address)).json(), { status: 'up', version: first.version, commit: first.commit });
  child.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
  if (existsSync('/proc')) t.false(isAlive(child.pid!));
  await t.throwsAsync(fetch(address));
});

test('the release step migrates the database and exits with 0', async (t) => {
  const { ended } = startAs(t, 'release');
  t.deepEqual(await ended, [0, null]);
});

test('a built process refuses to start beside changed sources', async (t) => {
  const changed = sourcesOf(place)[0]!;
  mkdirSync(dirname(join(place, changed)), { recursive: true });
  writeFileSync(join(place, changed), '// changed');
  t.teardown(() => rmSync(join(place, changed)));
  const { listening, ended } = startAs(t, 'web');
  await t.throwsAsync(listening, { message: /built\/ was not made from the sources beside it: run npm run build, then start again\./ });
  t.deepEqual(await ended, [1, null]);
});

test('without the development packages npm run build says in one sentence what to do', (t) => {
  const bare = temporaryFolder();
  cpSync(join(root, 'src'), join(bare, 'src'), { recursive: true });
  cpSync(join(root, 'package.json'), join(bare, 'package.json'));
  const { status, stderr } = spawnSync(process.execPath, ['src/build/index.ts'], {
    cwd: bare,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  t.is(status, 1);
  t.is(stderr, 'npm run build needs the development packages: run npm ci first, without --omit=dev.\n');
});

test('two web processes, two workers and release share 20 connections: no request fails under load or while one of each is replaced', async (t) => {
  t.timeout(300_000);
  const [bulk, queue, role] = [await makeBulk(database.url, 20), await queueOf(t, database.url), await limitedRole(t, database.url, 20)];
  const { env: platform } = JSON.parse(readFileSync(`${root}app.json`, 'utf8'));
  const env = {
    DATABASE_URL: role.url,
    DATABASE_POOL_SIZE: platform.DATABASE_POOL_SIZE.value,
    WORKER_CONCURRENCY: platform.WORKER_CONCURRENCY.value,
    RATE_LIMIT_REST: '100000',
  };
  const start = async (name: string) => {
    const started = startAs(t, name, env);
    const base = `http://127.0.0.1:${/"port":(\d+)/.exec(await started.listening)?.[1]}`;
    if (name === 'web') await answered(`${base}/readyz`);
    return { ...started, base };
  };
  const release = () => startAs(t, 'release', env).ended;
  const stop = ({ child, ended }: Awaited<ReturnType<typeof start>>) => {
    child.kill('SIGTERM');
    return ended;
  };
  const answers = new Set<string>();
  const call = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, { ...init, headers: { 'X-API-Key': bulk.key, 'Content-Type': 'application/json' } });
    const text = await answer.text();
    answers.add(answer.ok ? 'ok' : `${answer.status} ${text}`);
  };
  /** Bursts of clients, more than the process has connections, until the returned function is called. */
  const load = ({ base }: { base: string }) => {
    const api = `${base}/api/v1`;
    const comment = { workspaceId: bulk.workspaceId, id: bulk.firstTaskId, body: 'Under load' };
    let over = false;
    const client = async () => {
      await call(`${api}/item?workspaceId=${bulk.workspaceId}&id=${bulk.firstTaskId}`);
      await call(`${api}/comments`, { method: 'POST', body: JSON.stringify(comment) });
    };
    const bursts = async () => {
      for (; !over; await sleep(20)) await Promise.all([client(), client(), client(), client()]);
    };
    const running = bursts();
    return () => {
      over = true;
      return running;
    };
  };
  const addJobs = () =>
    queue.rows(
      `select graphile_worker.add_job('remind_long_timer', json_build_object('entryId', n)),
         graphile_worker.add_job('snapshot_workspace', json_build_object('workspaceId', $1::int)) from generate_series(1, 100) n`,
      [bulk.workspaceId],
    );

  t.deepEqual(await release(), [0, null]);
  const [web, otherWeb, worker] = await Promise.all(['web', 'web', 'worker', 'worker'].map(start));
  const [endLoad, endOtherLoad] = [load(web!), load(otherWeb!)];
  await addJobs();
  t.deepEqual(await release(), [0, null]);
  // As a platform does: the router sends no more requests to the stopped process while its replacement starts.
  await endLoad();
  const [nextWeb, , ...ended] = await Promise.all([start('web'), start('worker'), stop(web!), stop(worker!)]);
  t.deepEqual(ended, [
    [0, null],
    [0, null],
  ]);
  const endNextLoad = load(nextWeb);
  await addJobs();
  await queue.until(`select count(*) = 0 as done from graphile_worker.jobs where run_at <= now()`, 120_000);
  await Promise.all([endOtherLoad(), endNextLoad()]);
  t.deepEqual([...answers], ['ok']);
});
