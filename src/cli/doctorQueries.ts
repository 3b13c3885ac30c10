/** What `doctor` asks the database. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Tx } from '../db.ts';

const Version = z.object({ version: z.string() });
const There = z.object({ there: z.boolean() });
const Name = z.object({ name: z.string() });

export async function readServerVersion(tx: Tx): Promise<string> {
  return tx.oneFirst(sql.type(Version)`select current_setting('server_version') as version`);
}

/** Names of the migrations applied; none when there is not even a table of them. */
export async function readMigrations(tx: Tx): Promise<readonly string[]> {
  const there = await tx.oneFirst(sql.type(There)`select to_regclass('migrations') is not null as there`);
  return there ? tx.anyFirst(sql.type(Name)`select name from migrations order by number`) : [];
}

const Queue = z.object({
  runnable: z.number(),
  scheduled: z.number(),
  running: z.number(),
  failed: z.number(),
  stuck: z.number(),
  oldest_seconds: z.number().nullable(),
  last_error: z.string().nullable(),
});

/** Counts of jobs. Running: locked by a worker; stuck: by one that was not seen for `deadAfterSeconds`; failed: out of attempts, for good. */
export async function readQueue(tx: Tx, deadAfterSeconds: number): Promise<z.infer<typeof Queue>> {
  return tx.one(sql.type(Queue)`
    select count(*) filter (where runnable) as runnable,
      count(*) filter (where locked_at is null and attempts < max_attempts and not runnable) as scheduled,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
      count(*) filter (where locked_at < now() - ${deadAfterSeconds} * interval '1 second' and not exists (
        select from workers w where w.id = locked_by and w.seen_at > now() - ${deadAfterSeconds} * interval '1 second')) as stuck,
      floor(extract(epoch from now() - min(run_at) filter (where runnable)))::integer as oldest_seconds,
      (array_agg(task_identifier || ': ' || split_part(last_error, E'\n', 1)) filter (where locked_at is null and attempts >= max_attempts))[1] as last_error
    from (select *, locked_at is null and attempts < max_attempts and run_at <= now() as runnable from graphile_worker.jobs) jobs`);
}
