/** The one listening connection of a process. */
import { Listener } from '../../src/database/listen.ts';
import { freshDatabase } from '../support/database.ts';
import { spawnFor } from '../support/processes.ts';
import { startProxy } from '../support/proxy.ts';
import { stopClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';
import { queueOf } from '../support/workers.ts';

const test = suite(import.meta.url);

const listening = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`;

test('each listener gets its own notifications only', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const queue = await queueOf(t, url);
  const listener = new Listener(url);
  t.teardown(() => listener.close());
  const [mine, other] = [await listener.listen('news', '1'), await listener.listen('news', '2')];
  let told = false;
  void other.within(60_000).then(() => {
    told = true;
  });
  await queue.rows(`notify news, '1'`);
  await mine.within(60_000);
  t.false(told);
  t.is((await queue.rows(`select pid ${listening}`)).length, 1);
  mine.end();
  other.end();
});

test('a connection that answers too late is replaced, and all listeners read again', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const queue = await queueOf(t, url);
  const proxy = await startProxy(url);
  t.teardown(proxy.close);
  const listener = new Listener(proxy.url);
  t.teardown(() => listener.close());
  const waiting = await listener.listen('news', '1');
  const clock = stopClock(t);
  const held = proxy.hold();
  const refused = t.throwsAsync(listener.listen('weather', '1'), { message: /timeout/ });
  await held;
  clock.pass(5_000);
  await refused;
  await waiting.within(60_000);
  clock.release();
  proxy.heal();
  await queue.until(`select count(*) = 0 as gone ${listening}`);
  const again = await listener.listen('news', '1');
  await queue.rows(`notify news, '1'`);
  await again.within(60_000);
  t.is((await queue.rows(`select pid ${listening}`)).length, 1);
});

test('a listener stops at once and keeps no process alive, also if the database is silent', async (t) => {
  const url = await freshDatabase(t, { migrated: false });
  const proxy = await startProxy(url);
  t.teardown(proxy.close);
  const script = `
    import { Listener } from './src/database/listen.ts';
    const listener = new Listener(process.argv[1]);
    (await listener.listen('news', '1')).end();
    const asked = new Promise((resolve) => process.once('SIGUSR2', resolve));
    const patience = setTimeout(() => {}, 60_000);
    console.log('listens');
    await asked;
    clearTimeout(patience);
    await listener.close();
    console.log('stopped');`;
  for (const silent of [false, true]) {
    const leaving = spawnFor(t, ['--input-type=module', '-e', script, proxy.url]);
    await leaving.line(/^listens$/);
    if (silent) proxy.blackhole();
    leaving.kill('SIGUSR2');
    await leaving.line(/^stopped$/);
    t.deepEqual(await leaving.exit(), { code: 0, signal: null });
  }
});
