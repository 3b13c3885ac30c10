import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { serversOf, waitFor } from '../src/embedded/life.ts';
import { temporaryFolder } from './support/disposable.ts';
import { childrenOf, isAlive, type Spawned, spawnFor } from './support/processes.ts';
import { suite } from './support/suite.ts';

const test = suite(import.meta.url);

const script = fileURLToPath(new URL('../src/start.ts', import.meta.url));
const unset = { DATABASE_URL: undefined, SECRET_KEY: undefined, BASE_URL: undefined, LOG_LEVEL: undefined };

async function remove(folder: string): Promise<void> {
  await waitFor(() => serversOf(join(folder, '.data/postgres/data'), 0).length === 0, 10_000);
  rmSync(folder, { recursive: true, force: true });
}

function place(t: ExecutionContext): string {
  const folder = temporaryFolder();
  t.teardown(() => remove(folder));
  return folder;
}

/** The first test makes the first start here, and later ones start again: a first start takes longest. */
const known = temporaryFolder();
test.after('remove the folder', () => remove(known));

/** `npm start` in `cwd`, in its own process group. */
const npmStart = (t: ExecutionContext, cwd: string, env: Record<string, string | undefined> = {}, words: string[] = []) =>
  spawnFor(t, [script, ...words], { cwd, detached: true, env: { ...unset, PORT: '0', ...env } });

async function running(t: ExecutionContext, cwd: string, env: Record<string, string | undefined> = {}) {
  const spawned = npmStart(t, cwd, env);
  const address = /http:\S+/.exec(await spawned.line(/^Stint is running at /))![0];
  return { spawned, address, pids: childrenOf(spawned.pid) };
}

const gone = (pids: number[]) => waitFor(() => !pids.some(isAlive), 15_000);
const keysOf = ({ lines }: Spawned) =>
  lines.filter((line) => /^(Sample sign-in|REST key|Agent key)/.test(line)).map((line) => line.replace(/http\S+/, ''));

test('it answers at the printed address, Ctrl-C stops all processes, the code is stored compiled, and the next start has the same keys', async (t) => {
  const folder = known;
  // From sources, as users start it, even in a run that bundles everything (support/bundle.ts).
  const fromSource = { NODE_OPTIONS: undefined };
  const first = await running(t, folder, { ...fromSource, NODE_COMPILE_CACHE: undefined });
  t.is((await fetch(`${first.address}/readyz`)).status, 200);
  process.kill(-first.spawned.pid, 'SIGINT');
  t.deepEqual(await first.spawned.exit(), { code: 0, signal: null });
  t.true(await gone(first.pids));
  t.not(readdirSync(join(folder, '.data/compiled')).length, 0);
  const second = await running(t, folder);
  t.deepEqual(keysOf(second.spawned), keysOf(first.spawned));
  for (const name of readdirSync(join(folder, '.data'))) t.is(statSync(join(folder, '.data', name)).mode & 0o077, 0, name);
  process.kill(-second.spawned.pid, 'SIGINT');
  await second.spawned.exit();
});

test.long(
  'without a sample, because of a public BASE_URL or --no-sample, each start prints a one-time owner link; --sample adds the sample',
  async (t) => {
    const folder = place(t);
    const atWork = { BASE_URL: 'https://work.example.com/stint', HOST: '127.0.0.1' };
    const links = [];
    for (const [env, words] of [
      [atWork, []],
      [{}, ['--no-sample']],
    ] as const) {
      const empty = npmStart(t, folder, env, [...words]);
      links.push(await empty.line(/welcome/));
      t.deepEqual(keysOf(empty), []);
      t.false(existsSync(join(folder, '.data/sample.json')));
      process.kill(-empty.pid, 'SIGINT');
      await empty.exit();
    }
    t.regex(links[0]!, /^ {2}https:\/\/work\.example\.com\/stint\/welcome\?token=[\w-]{43}$/);
    t.regex(links[1]!, /^ {2}http:\/\/localhost:\d+\/welcome\?token=[\w-]{43}$/);
    t.not(links[0]!.split('=')[1], links[1]!.split('=')[1]);
    const asked = npmStart(t, folder, atWork, ['--sample']);
    t.regex(await asked.line(/^Sample sign-in/), / [a-z2-8]{5}(-[a-z2-8]{5}){3}$/);
    t.false(asked.lines.some((line) => line.includes('welcome')));
    process.kill(-asked.pid, 'SIGINT');
    await asked.exit();
    const elsewhere = npmStart(t, folder, { ...atWork, DATABASE_URL: 'postgres://127.0.0.1/x', SECRET_KEY: 'x'.repeat(32) }, ['--sample']);
    t.is((await elsewhere.exit()).code, 1);
    t.regex(elsewhere.lines.join(), /Start without DATABASE_URL, or without --sample/);
  },
);

test('--no-sample is refused if the sample account already exists', async (t) => {
  const refused = npmStart(t, known, {}, ['--no-sample']);
  t.is((await refused.exit()).code, 1);
  t.regex(refused.lines.join('\n'), /The sample account is already in \.data\. .*delete the folder \.data/);
});

test('--help prints the options, an unknown option is named, and neither starts anything', async (t) => {
  const folder = place(t);
  const helped = npmStart(t, folder, {}, ['--help']);
  t.is((await helped.exit()).code, 0);
  t.regex(helped.lines.join('\n'), /^Usage: npm start[\s\S]*--no-sample[\s\S]*--sample[\s\S]*--help/);
  const refused = npmStart(t, folder, {}, ['--smaple']);
  t.is((await refused.exit()).code, 1);
  t.regex(refused.lines.join('\n'), /^Unknown option '--smaple'; see npm start -- --help\.$/);
  t.deepEqual(readdirSync(folder), []);
});

test('a second start in the same folder names the running process and its address', async (t) => {
  const { spawned, address } = await running(t, known);
  const second = npmStart(t, known);
  t.is((await second.exit()).code, 1);
  t.regex(second.lines.join('\n'), new RegExp(`already running in this folder: process ${spawned.pid} at ${address}`));
  t.is((await fetch(`${address}/healthz`)).status, 200);
  process.kill(-spawned.pid, 'SIGINT');
  await spawned.exit();
});

test.long('when the web process dies everything stops with the reason', async (t) => {
  const { spawned, pids } = await running(t, known);
  const { pid } = await spawned.log({ process: 'web' });
  process.kill(pid as number, 'SIGKILL');
  t.is((await spawned.exit()).code, 1);
  t.regex(spawned.lines.join('\n'), /The web process ended by itself \(SIGKILL\)/);
  t.true(await gone(pids));
});

test.long('a killed or stopped worker is replaced, and nothing else stops', async (t) => {
  const { spawned, address, pids } = await running(t, known);
  const workers = () =>
    spawned.lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.process === 'worker' && line.msg === 'listening');
  for (const [count, signal] of [
    [1, 'SIGKILL'],
    [2, 'SIGTERM'],
  ] as const) {
    t.true(await waitFor(() => workers().length === count, 20_000));
    // Younger workers count as broken.
    await waitFor(() => Date.now() - Date.parse(workers().at(-1).time) > 1_500, 5_000);
    process.kill(workers().at(-1).pid, signal);
  }
  t.true(await waitFor(() => workers().length === 3, 40_000));
  t.is((await fetch(`${address}/readyz`)).status, 200);
  process.kill(-spawned.pid, 'SIGINT');
  t.deepEqual(await spawned.exit(), { code: 0, signal: null });
  t.true(await gone([...pids, ...workers().map(({ pid }) => pid)]));
});

test.long('web, worker and PostgreSQL stop after a killed start, and the next one works', async (t) => {
  const { spawned, pids } = await running(t, known);
  spawned.kill('SIGKILL');
  await spawned.exit();
  t.true(await gone(pids));
  const next = await running(t, known);
  t.is((await fetch(`${next.address}/readyz`)).status, 200);
});

test('a port in use is reported with what to do, and no process is left running', async (t) => {
  const folder = place(t);
  const other = createServer().listen(0, '127.0.0.1');
  t.teardown(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const spawned = npmStart(t, folder, { PORT: String(port) });
  t.is((await spawned.exit()).code, 1);
  t.deepEqual(spawned.lines, [`Port ${port} is in use: stop what uses it, or choose another one, for example PORT=${port + 1} npm start.`]);
  t.deepEqual(serversOf(join(folder, '.data/postgres/data'), 0), []);
});

test('every fault of the environment is reported at once, before anything starts', async (t) => {
  const folder = place(t);
  const spawned = npmStart(t, folder, { PORT: 'many', DATABASE_POOL_SIZE: '-1' });
  t.is((await spawned.exit()).code, 1);
  t.regex(spawned.lines.join('\n'), /PORT.*\n.*DATABASE_POOL_SIZE/);
  t.false(existsSync(join(folder, '.data')));
});

test.long('a signal during a first start stops it cleanly', async (t) => {
  const folder = place(t);
  const spawned = npmStart(t, folder);
  t.true(await waitFor(() => existsSync(join(folder, '.data/postgres/lock')), 20_000));
  process.kill(-spawned.pid, 'SIGINT');
  t.deepEqual(await spawned.exit(), { code: 0, signal: null });
  t.deepEqual(spawned.lines, []);
  t.deepEqual(serversOf(join(folder, '.data/postgres/data'), 0), []);
  t.false(existsSync(join(folder, '.data/postgres/lock')));
});
