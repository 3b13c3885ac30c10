/** Clocks that stand still until the test moves them. */
import { mock } from 'node:test';
import type { ExecutionContext } from 'ava';
import pg from 'pg';

export interface StoppedClock {
  pass(ms: number): void;
  /** Back to the machine's clock, at the latest after the test. */
  release(): void;
}

/** It never goes back: what a process has set for later would then stay in its future, for the next tests too. */
const machine = performance.now.bind(performance);
let aheadMs = 0;
let stoppedAt: number | undefined;
performance.now = () => stoppedAt ?? machine() + aheadMs;

/** Stops `performance.now()` and all later global `setTimeout` of this process. */
export function stopClock(t: ExecutionContext): StoppedClock {
  stoppedAt = performance.now();
  mock.timers.enable({ apis: ['setTimeout'] });
  const release = () => {
    if (stoppedAt !== undefined) aheadMs = Math.max(aheadMs, stoppedAt - machine());
    stoppedAt = undefined;
    mock.timers.reset();
  };
  t.teardown(release);
  return {
    pass(ms) {
      stoppedAt! += ms;
      mock.timers.tick(ms);
    },
    release,
  };
}

/** Lets `performance.now()` of this process run ahead by more. */
export function passTime(ms: number): void {
  aheadMs += ms;
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
