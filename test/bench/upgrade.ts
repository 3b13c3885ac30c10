/** The effect of an upgrade on requests. The previous release serves a database of ROWS items (1,000,000 if unset) with three changes each,
 *  under load. Meanwhile this code migrates, and then replaces it. Needs the git history and npm's registry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { makeBulk } from '../support/bulk.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { type Bench, root, settingsOf, stop } from './bench.ts';
import { load } from './load.ts';
import { atMost, type Goal, round } from './measure.ts';
import { mixOf } from './places.ts';
import { fillChanges } from './rows.ts';

/** Update both with each release. */
const PREVIOUS = { version: '1.1.0', commit: 'eef4111' };
const CONNECTIONS = 8;
const PER_SECOND = 100;
const LOOK_EVERY_MS = 10;
const HOUR_MS = 3_600_000;

export async function upgrade(bench: Bench): Promise<Goal[]> {
  const items = Number(process.env.ROWS ?? (bench.quick ? 2_000 : 1_000_000));
  const previous = previousRelease(bench);
  const url = await bench.database({ migrated: false });
  await migrate(bench, url, previous);
  const bulk = await makeBulk(url, items);
  const client = await bench.client(url);
  await fillChanges(client, bulk, 3);
  await client.query('vacuum analyze');
  const calls = await mixOf(url, bulk, CONNECTIONS);
  const start = async (cwd: string) => {
    const worker = await bench.worker(url, { cwd, unheard: true });
    return { worker, web: await bench.web(url, { cwd }) };
  };
  const old = await start(previous);
  let serving = old.web;
  const second = () => load(serving.port, calls(), { connections: CONNECTIONS, seconds: 1, perSecond: PER_SECOND });
  await second();

  const sum = { requests: 0, failed: 0 };
  const ended = new AbortController();
  const waits = watchLocks(client, ended.signal);
  let current = Promise.resolve();
  const traffic = (async () => {
    while (!ended.signal.aborted) {
      current = second().then(({ requests, statuses }) => {
        sum.requests += requests;
        sum.failed += requests - (statuses[200] ?? 0);
      });
      await current;
    }
  })();
  const steadyMs = bench.quick ? 1_000 : 5_000;
  await sleep(steadyMs);
  const started = performance.now();
  await migrate(bench, url, root);
  const seconds = round((performance.now() - started) / 1_000);
  serving = (await start(root)).web;
  // Until no request is at the old release.
  await current;
  await stop(old.web);
  await stop(old.worker, 'SIGTERM');
  await sleep(steadyMs);
  ended.abort();
  await traffic;
  const longest = await waits;
  console.log(
    `From ${PREVIOUS.version} in ${seconds} s, under ${sum.requests} requests; the longest wait was for a lock of ${longest.what}`,
  );
  return [atMost('longest lock wait of a request, s', longest.seconds, 1), atMost('failed requests', sum.failed, 0)];
}

/** The previous release's sources with the packages of its lock file. */
function previousRelease(bench: Bench): string {
  const folder = temporaryFolder();
  bench.later(() => rmSync(folder, { recursive: true }));
  const archive = execFileSync('git', ['archive', PREVIOUS.commit], { cwd: root, maxBuffer: 2 ** 30 });
  const sources = join(folder, 'previous');
  mkdirSync(sources);
  execFileSync('tar', ['-x', '-C', sources], { input: archive });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: sources, stdio: 'inherit' });
  return sources;
}

/** Migrates as the release step does. */
async function migrate(bench: Bench, url: string, cwd: string): Promise<void> {
  const command = bench.start(['src/cli.ts', 'migrate'], { cwd, env: settingsOf(url) });
  const { code } = await command.exit(HOUR_MS);
  if (code !== 0) throw new Error(`migrate failed:\n${command.lines.join('\n')}`);
}

/** Sessions that wait for a lock, except for the migration itself. */
const WAITS = `
  select extract(epoch from clock_timestamp() - l.waitstart)::float8 as seconds, coalesce(l.relation::regclass::text, l.locktype) as what
  from pg_locks l join pg_stat_activity a using (pid)
  where l.waitstart is not null and a.application_name in ('stint web', 'stint worker') order by 1 desc limit 1`;

/** The longest wait that sampling found. */
async function watchLocks(client: pg.Client, ended: AbortSignal): Promise<{ seconds: number; what: string }> {
  let longest = { seconds: 0, what: 'nothing' };
  while (!ended.aborted) {
    const [wait] = (await client.query(WAITS)).rows;
    if (wait?.seconds > longest.seconds) longest = wait;
    await sleep(LOOK_EVERY_MS);
  }
  return longest;
}
