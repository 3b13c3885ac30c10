/** `npm run bench -- upgrade`: the effect of an upgrade on requests. The previous release serves a database of ROWS items (1,000,000 if
 *  unset) with three changes each, under load. Meanwhile this code migrates, and then replaces it. Needs the git history. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { memoryOf } from '../../src/start/services.ts';
import { makeBulk } from '../support/bulk.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { spawnNode } from '../support/processes.ts';
import { load } from './load.ts';
import { printGoals, round } from './measure.ts';
import { mixOf } from './mixed.ts';
import { fillChanges } from './rows.ts';
import { emptyDatabase, settingsOf, startWebProcess } from './servers.ts';

/** Update both with each release. */
const PREVIOUS = { version: '1.1.0', commit: 'eef4111' };
const ROWS = Number(process.env.ROWS ?? 1_000_000);
const CHANGES_EACH = 3;
const CONNECTIONS = 8;
const PER_SECOND = 100;
const LOOK_EVERY_MS = 10;
/** Load before and after the upgrade. */
const STEADY_MS = 5_000;
const HOUR_MS = 3_600_000;
const root = fileURLToPath(new URL('../../', import.meta.url));

export async function upgrade(adminUrl: string): Promise<void> {
  const folder = temporaryFolder();
  try {
    await measure(await emptyDatabase(adminUrl, 'bench_upgrade'), previousRelease(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The previous release's sources with the current packages. */
function previousRelease(folder: string): string {
  const archive = execFileSync('git', ['archive', PREVIOUS.commit], { cwd: root, maxBuffer: 2 ** 30 });
  const sources = join(folder, 'previous');
  mkdirSync(sources);
  execFileSync('tar', ['-x', '-C', sources], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  return sources;
}

async function measure(url: string, previous: string): Promise<void> {
  await migrate(url, previous);
  const filling = performance.now();
  const bulk = await makeBulk(url, ROWS);
  const client = new pg.Client(url);
  // The server stops first if something fails.
  client.on('error', () => {});
  await client.connect();
  await fillChanges(client, bulk, CHANGES_EACH);
  await client.query('vacuum analyze');
  console.log(`Filled in ${Math.round((performance.now() - filling) / 1000)} s`);
  const calls = await mixOf(url, bulk, CONNECTIONS);
  const releases = [await startRelease(url, previous)];
  const second = () => load(releases.at(-1)!.port, calls(), { connections: CONNECTIONS, seconds: 1, perSecond: PER_SECOND });
  await second();
  const looking = new AbortController();
  const waits = watchLocks(client, looking.signal);
  const traffic = new Traffic(second);
  await sleep(STEADY_MS);
  const started = performance.now();
  await migrate(url, root);
  const seconds = (performance.now() - started) / 1000;
  console.log(`Migrated in ${round(seconds)} s`);
  releases.push(await startRelease(url, root));
  await traffic.next();
  await releases[0]!.stop();
  await sleep(STEADY_MS);
  await traffic.end();

  looking.abort();
  const longest = await waits;
  await releases[1]!.stop();
  await client.end();
  console.log(
    `\nFrom ${PREVIOUS.version} with ${ROWS.toLocaleString('en')} items and ${CHANGES_EACH} changes each, under at most ${PER_SECOND} requests/s`,
  );
  console.table({ 'migrate, s': round(seconds), requests: traffic.requests, 'longest wait for a lock of': longest.what });
  printGoals([
    { text: 'longest lock wait of a request, s', value: longest.seconds, bound: 1, want: 'at most' },
    { text: 'failed requests', value: traffic.failed, bound: 0, want: 'at most' },
  ]);
}

/** Migrates as the release step does. */
async function migrate(url: string, cwd: string): Promise<void> {
  const command = spawnNode(['src/cli.ts', 'migrate'], { cwd, env: settingsOf(url) });
  const { code } = await command.exit(HOUR_MS);
  if (code !== 0) throw new Error(`migrate failed:\n${command.lines.join('\n')}`);
}

async function startRelease(url: string, cwd: string) {
  const worker = spawnNode([...memoryOf.worker, 'workers/index.ts'], { cwd, env: settingsOf(url), unheard: true });
  const web = await startWebProcess(url, {}, cwd);
  return {
    port: web.port,
    async stop() {
      await web.stop();
      worker.kill('SIGTERM');
      await worker.exit();
    },
  };
}

/** Load in steps of one second. */
class Traffic {
  requests = 0;
  failed = 0;
  readonly #second: () => ReturnType<typeof load>;
  #current: Promise<void>;
  #ended = false;

  constructor(second: () => ReturnType<typeof load>) {
    this.#second = second;
    this.#current = this.#run();
  }

  /** Resolves when all open requests have been answered. */
  next(): Promise<void> {
    return this.#current;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#current;
  }

  async #run(): Promise<void> {
    const { requests, statuses } = await this.#second();
    this.requests += requests;
    this.failed += requests - (statuses[200] ?? 0);
    if (!this.#ended) this.#current = this.#run();
  }
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
