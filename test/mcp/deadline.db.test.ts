/** One deadline for every call. Only the wait for a rewrite does not count towards it (behaviour §13.1). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEADLINE_MS } from '../../src/app.ts';
import { Listener } from '../../src/database/listen.ts';
import { fileDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { call, mcpWorld, once, post } from '../support/mcpWorld.ts';
import { startProxy } from '../support/proxy.ts';
import { stopClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';
import { startWeb } from '../support/world.ts';

const test = suite(import.meta.url);

const database = fileDatabase();
let world: Awaited<ReturnType<typeof mcpWorld>>;
let id: number;
test.before('an item', async () => {
  world = await mcpWorld(database.url);
  [{ id }] = (await world.make({ type: 'task', title: 'T' })) as [{ id: number }];
});
test.after('close', () => world?.end());

test('behind a slow database svc_add_note meets the deadline like any call, also without a rewrite', async (t) => {
  const agents = [await world.agentOf(world.ownerId), await world.agentOf(world.ownerId, { plainLanguage: true })];
  for (const { key } of agents) {
    // Own connections: on the moved clock the server would close idle ones.
    const proxy = await startProxy(database.url);
    const web = await startWeb(proxy.url, {}, DEADLINE_MS);
    t.teardown(async () => {
      proxy.heal();
      await web.stop();
      proxy.close();
    });
    const addNote = () => {
      const params = { name: 'svc_add_note', arguments: once({ id, body: '```\ncode alone\n```' }) };
      return post({ url: `${web.baseUrl}/mcp`, key }, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    };
    t.is((await addNote()).status, 200);
    const clock = stopClock(t);
    let held = proxy.hold();
    const answer = addNote();
    // Two statements, each sent and answered late: longer than the deadline, and neither too long alone.
    for (let n = 0; n < 4; n++) {
      await held;
      clock.pass(3_000);
      held = proxy.hold();
    }
    t.is((await answer).status, 503);
    proxy.heal();
    clock.release();
  }
});

test('a note that is rewritten may take longer than the deadline', async (t) => {
  const web = await startWeb(database.url, { REWRITE_TIMEOUT_MS: '30000' }, DEADLINE_MS);
  t.teardown(web.stop);
  const { key } = await world.agentOf(world.ownerId, { plainLanguage: true });
  await world.fixtures.sql(`create function tell() returns trigger language plpgsql as $$ begin notify rewriting; return null; end $$;
    create trigger tell after insert on note_rewrites for each row execute function tell()`);
  const listener = new Listener(database.url);
  t.teardown(() => listener.close());
  const begun = await listener.listen('rewriting', '');
  const clock = stopClock(t);
  const answer = call({ url: `${web.baseUrl}/mcp`, key }, 'svc_add_note', once({ id, body: 'It basically works.' }));
  await begun.within(60_000);
  // The time that passes before the call waits for the rewrite counts: it listens, then looks at the row once.
  const looked = `select 1 from pg_stat_activity where datname = current_database() and state = 'idle' and query ~ 'select state, rewritten'`;
  await eventually(
    () => world.fixtures.sql(looked),
    (rows) => rows.length > 0,
  );
  await nextTurn();
  clock.pass(12_000);
  // As a worker stores the outcome.
  await world.fixtures.sql(
    `with settled as (update note_rewrites set state = 'done', rewritten = 'It works.' returning id)
     select pg_notify('note_rewritten', id::text) from settled`,
  );
  t.is((await answer).value.note.body, 'It works.');
});
