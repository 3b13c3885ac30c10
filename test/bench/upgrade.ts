/** The effect of an upgrade on requests. The previous release serves a database of 1,000,000 items with three changes each, under load.
 *  Meanwhile this code migrates, and then replaces it. Needs the git history and npm's registry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { makeBulk } from '../support/bulk.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { type Bench, root, settingsOf, stop } from './bench.ts';
import { load } from './load.ts';
import { atMost, type Goal } from './measure.ts';
import { mixOf } from './places.ts';
import { fillChanges } from './rows.ts';

/** Update both with each release. */
const PREVIOUS = { version: '1.1.0', commit: 'eef4111' };
const CONNECTIONS = 8;
const PER_SECOND = 100;
const STEADY_MS = 4_000;
const LOOK_EVERY_MS = 10;
const HOUR_MS = 3_600_000;

export async function upgrade(bench: Bench): Promise<Goal[]> {
  const previous = previousRelease(bench);
  const url = await bench.database({ migrated: false });
  await migrate(bench, url, previous);
  const bulk = await makeBulk(url, bench.quick ? 2_000 : 1_000_000);
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

  let [requests, failed] = [0, 0];
  const ended = new AbortController();
  const longestWait = watchLocks(client, ended.signal);
  const traffic = (async () => {
    while (!ended.signal.aborted) {
      const result = await second();
      requests += result.requests;
      failed += result.requests - (result.statuses[200] ?? 0);
    }
  })();
  await sleep(STEADY_MS);
  await migrate(bench, url, root);
  serving = (await start(root)).web;
  // By then no request is at the old release.
  await sleep(STEADY_MS);
  await stop(old.web);
  await stop(old.worker, 'SIGTERM');
  await sleep(STEADY_MS);
  ended.abort();
  await traffic;
  return [
    atMost('longest wait of a request for a lock, s', await longestWait, 1),
    atMost(`failed requests of ${requests} under an upgrade from ${PREVIOUS.version}`, failed, 0),
  ];
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

/** The longest wait for a lock that sampling found, except for the migration's own. */
async function watchLocks(client: pg.Client, ended: AbortSignal): Promise<number> {
  let longest = 0;
  while (!ended.aborted) {
    const { rows } = await client.query(
      `select coalesce(extract(epoch from max(clock_timestamp() - l.waitstart)), 0)::float8 as seconds
       from pg_locks l join pg_stat_activity a using (pid) where a.application_name in ('stint web', 'stint worker')`,
    );
    longest = Math.max(longest, rows[0].seconds);
    await sleep(LOOK_EVERY_MS);
  }
  return longest;
}
