/** A test run's leftover processes are found and ended, and no others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './disposable.ts';
import { endChildren, endLeftovers, processesOf } from './leftovers.ts';
import { suite } from './suite.ts';

const test = suite(import.meta.url);

if (process.platform === 'linux') {
  test('processes that keep their files in the folder, or work in it, are ended by name; others go on', async (t) => {
    const folder = temporaryFolder();
    const inside = join(folder, 'tmp');
    mkdirSync(inside);
    const start = (TMPDIR: string, cwd: string) => {
      const child = spawn('/bin/sleep', ['120'], { env: { TMPDIR }, cwd, stdio: 'ignore' });
      t.teardown(() => child.kill('SIGKILL'));
      return child;
    };
    const [told, working, stranger] = [start(inside, '/'), start('/tmp', inside), start(`/tmp/${process.pid}`, '/')];
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    t.deepEqual(endChildren(1, inside), [], 'they are ours');
    const ends = Promise.all([once(told, 'exit'), once(working, 'exit')]);
    const ended = await endLeftovers(inside, 0);
    t.deepEqual(
      ended.map((line) => line.replace(/^\d+ /, '')),
      ['/bin/sleep 120', '/bin/sleep 120'],
    );
    t.deepEqual(new Set(ended.map((line) => Number.parseInt(line, 10))), new Set([told.pid, working.pid]));
    await ends;
    t.deepEqual(processesOf(inside), []);
    t.is(stranger.exitCode, null);
    t.deepEqual(await endLeftovers(inside), []);
  });
}
