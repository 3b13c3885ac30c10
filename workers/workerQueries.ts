/** SQL about worker processes and their jobs. It writes to a private table of graphile-worker. Its functions can't unlock a single job,
 *  give back an attempt or record an error. */
import { z } from 'zod';
import { fixedSql, type Tx } from '../src/database/db.ts';
import { sql } from '../src/database/sql.ts';

export interface LaneRow {
  id: string;
  lane: string;
  pid: number;
  host: string;
}

const Sign = z.object({ id: z.string(), seenAt: z.string(), ageMs: z.number() });
export type Sign = z.infer<typeof Sign>;

/** Writes a heartbeat of these lanes. Returns the heartbeats of all others. */
export async function beat(tx: Tx, lanes: LaneRow[]): Promise<readonly Sign[]> {
  const ids = sql.array(
    lanes.map(({ id }) => id),
    'text',
  );
  return tx.any(sql.type(Sign)`
    with beaten as (
      insert into workers (id, lane, pid, host)
      select id, lane, pid, host from json_to_recordset(${JSON.stringify(lanes)}::json) as l (id text, lane text, pid integer, host text)
      order by id
      on conflict (id) do update set seen_at = now(), life = database_life()
    )
    select id, seen_at::text as "seenAt", (extract(epoch from now() - seen_at) * 1000)::float8 as "ageMs" from workers where id <> all(${ids})`);
}

const unlocked = sql.fragment`locked_by = null, locked_at = null, run_at = greatest(run_at, now())`;
const uncounted = sql.fragment`attempts = greatest(0, attempts - 1)`;

const Count = z.object({ count: z.number() });

/** Counted apart from attempts: a job with MOST_DEATHS is set aside (tasks.ts). In `about`, which 1.2.0 removes before it checks the payload. */
const died = fixedSql(`payload = jsonb_set(payload::jsonb || jsonb_build_object('about', coalesce(payload::jsonb -> 'about', '{}')),
  '{about,deaths}', to_jsonb(coalesce((payload #>> '{about,deaths}')::integer, 0) + 1))::json`);

/** Unlocks jobs of these dead lanes and locks of unknown lanes older than `afterMs`. Returns their number. The attempt does not count, but
 *  the death does. Reads the whole queue. */
export async function unlockJobsOfDeadLanes(tx: Tx, dead: readonly Sign[], afterMs: number): Promise<number> {
  return tx.oneFirst(sql.type(Count)`
    with dead as (
      delete from workers w using json_to_recordset(${JSON.stringify(dead)}::json) as d (id text, "seenAt" timestamptz)
      where w.id = d.id and w.seen_at = d."seenAt" returning w.id
    ),
    freed as (
      update graphile_worker._private_jobs j
      set ${unlocked}, ${uncounted}, ${died}, last_error = 'The worker that ran it ended without an answer.'
      where locked_by is not null and (
        locked_by in (select id from dead)
        or locked_at < now() - ${afterMs} * interval '1 millisecond' and not exists (select from workers w where w.id = j.locked_by))
      returning 1
    )
    select count(*)::integer from freed`);
}

/** Unlocks jobs that living lanes locked more than `afterMs` ago and do not know. Returns the number of jobs. Reads the whole queue. */
export async function unlockForgottenJobs(tx: Tx, lanes: string[], known: string[], afterMs: number): Promise<number> {
  return tx.oneFirst(sql.type(Count)`
    with freed as (
      update graphile_worker._private_jobs set ${unlocked}, ${uncounted}
      where locked_by = any(${sql.array(lanes, 'text')}) and locked_at < now() - ${afterMs} * interval '1 millisecond'
        and id <> all(${sql.array(known, 'int8')})
      returning 1
    )
    select count(*)::integer from freed`);
}

/** Removes ended lanes and unlocks their jobs. The attempt does not count. */
export async function removeLanes(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(sql.unsafe`
    with gone as (delete from workers where id = any(${sql.array(ids, 'text')}))
    update graphile_worker._private_jobs set ${unlocked}, ${uncounted}
    where locked_by = any(${sql.array(ids, 'text')})`);
}
