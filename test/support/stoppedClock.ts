/** Clocks that stand still until the test moves them. */
import { mock } from 'node:test';
import type { ExecutionContext } from 'ava';
import pg from 'pg';

export interface StoppedClock {
  pass(ms: number): void;
  /** Back to the machine's clock, at the latest after the test. */
  release(): void;
}

/** Stops `performance.now()` and all later global `setTimeout` of this process. */
export function stopClock(t: ExecutionContext): StoppedClock {
  const machine = performance.now;
  let now = performance.now();
  performance.now = () => now;
  mock.timers.enable({ apis: ['setTimeout'] });
  const release = () => {
    performance.now = machine;
    mock.timers.reset();
  };
  t.teardown(release);
  return {
    pass(ms) {
      now += ms;
      mock.timers.tick(ms);
    },
    release,
  };
}

/** Lets `performance.now()` of this process run ahead. Returns a function that moves it further ahead. */
export function shiftClock(t: ExecutionContext): (ms: number) => void {
  const machine = performance.now;
  let ahead = 0;
  performance.now = () => machine.call(performance) + ahead;
  t.teardown(() => {
    performance.now = machine;
  });
  return (ms) => {
    ahead += ms;
  };
}

export interface StoppedDatabaseClock {
  passMinute(): Promise<void>;
}

/** For connections from now on, `clock_timestamp()` stands five seconds after the start of a minute. */
export async function stopDatabaseClock(databaseUrl: string): Promise<StoppedDatabaseClock> {
  const run = async (text: string) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await run(`create schema stopped;
    create table stopped.clock as select date_trunc('minute', now()) + interval '5 seconds' as at;
    grant usage on schema stopped to public;
    grant select on stopped.clock to public;
    create function stopped.clock_timestamp() returns timestamptz language sql stable as 'select at from stopped.clock';
    do $$ begin execute format('alter database %I set search_path = stopped, pg_catalog, public', current_database()); end $$`);
  return { passMinute: () => run(`update stopped.clock set at = at + interval '1 minute'`) };
}
