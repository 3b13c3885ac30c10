/** An import on a slow database, and on one that fails (behaviour §2.26). */
import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { stintHere } from '../support/cli.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { stopClock } from '../support/stoppedClock.ts';
import { suite } from '../support/suite.ts';
import { oneWorkspace } from '../support/world.ts';

const test = suite(import.meta.url);

const text = JSON.stringify(oneWorkspace({ items: [{ ref: 't', type: 'task', title: 'T' }] }));

/** Imports while each new item makes the database run `statement`. Returns the number of accounts as well. */
async function importWith(t: ExecutionContext, statement: string, when: string, meanwhile = async (_client: pg.Client) => {}) {
  const url = await freshDatabase(t);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    create function disturb() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
    create ${when} for each row execute function disturb()`);
  const [outcome] = await Promise.all([stintHere(url, ['import', '-'], { input: text }), meanwhile(client)]);
  const { rows } = await client.query('select count(*)::integer as accounts from accounts');
  await client.end();
  return { ...outcome, accounts: rows[0].accounts as number };
}

const afterItem = 'trigger disturb after insert on items';
const end = 'perform pg_terminate_backend(pg_backend_pid())';

test('an import statement may take longer than the 10 seconds of a web request', async (t) => {
  const clock = stopClock(t);
  const isLimited = `current_setting('statement_timeout')::interval between '1 ms' and '12 s'`;
  const statement = `if ${isLimited} then raise 'limited'; end if; perform pg_advisory_xact_lock(1)`;
  const { code, stderr, accounts } = await importWith(t, statement, afterItem, async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(
      async () => (await client.query(waits)).rowCount,
      (count) => count === 1,
    );
    clock.pass(12_000);
    await client.query('select pg_advisory_unlock(1)');
  });
  t.is(stderr, '');
  t.is(code, 0);
  t.is(accounts, 1);
});

test('an import whose connection is ended says that nothing was imported, why, and what to do', async (t) => {
  const { code, stderr, accounts } = await importWith(t, end, afterItem);
  t.is(code, 1);
  t.regex(
    stderr,
    /^Nothing was imported, because the database failed: .+ \(terminating connection.*\)\. Run 'doctor', .* import again\.$/m,
  );
  t.is(accounts, 0);
});

test("an import that hits the role's statement timeout quotes PostgreSQL's message", async (t) => {
  const { stderr, accounts } = await importWith(t, "raise exception 'too slow' using errcode = '57014'", afterItem);
  t.regex(stderr, /^Nothing was imported, because the database failed: it refused a statement \(too slow\)\./);
  t.is(accounts, 0);
});

test('an import whose connection ends during the commit says that it may have been imported', async (t) => {
  const { stderr } = await importWith(t, end, 'constraint trigger disturb after insert on items deferrable initially deferred');
  t.regex(stderr, /^The database failed while it saved the import: .*The import may have succeeded: check with 'account list'/);
});
