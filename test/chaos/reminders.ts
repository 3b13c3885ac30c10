/** Checks that everything scheduled for a minute happened once. */
import type { Postgres } from './postgres.ts';
import { type Once, onceOf } from './report.ts';

/** The reminders due for each block. A cancelled one may have been reminded of before. `latestSeconds`: of the sent ones. */
export async function readReminders(postgres: Postgres): Promise<Once & { latestSeconds: number }> {
  const rows = await postgres.rows(`
    with due as (
      select id, 'block_starts' as kind, starts_at - remind_minutes * interval '1 minute' as due_at, created_at from plan_blocks
      where remind_start and state <> 'cancelled'
      union all
      select id, 'block_ends', ends_at - interval '5 minutes', created_at from plan_blocks where remind_end and state <> 'cancelled'
      union all
      select id, 'block_missed', null, null from plan_blocks where state = 'missed'
    )
    select format('%s of block %s', d.kind, d.id) as what, count(n.id)::int as times,
      extract(epoch from max(n.created_at - coalesce(greatest(d.due_at, d.created_at), n.due_at)))::float8 as late
    from due d left join notifications n on n.block_id = d.id and n.kind = d.kind
    where coalesce(greatest(d.due_at, d.created_at), '-infinity') <= now() group by d.id, d.kind, d.due_at, d.created_at
    union all
    select format('%s of block %s, due or not', kind, block_id), count(*)::int, null from notifications where block_id is not null
    group by block_id, kind having count(*) > 1`);
  return { ...onceOf(rows), latestSeconds: Math.max(0, ...rows.map(({ late }) => late ?? 0)) };
}

/** Blocks whose minute has passed without any effect. */
export async function overdueBlocks(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.rows(`
    select id, state from plan_blocks
    where ends_at <= now() and state in ('scheduled', 'running') or auto_start and state = 'scheduled' and starts_at <= now()`);
  return rows.map(({ id, state }) => `block ${id} is still ${state}`);
}

/** Blocks that should have started their owner's timer by themselves, and have not exactly one. A delay of ninety seconds can't miss a
 *  block of three minutes. */
export async function wronglyStarted(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.rows(`
    select format('block %s is %s, %s timers: %s', b.id, b.state, count(e.id), b.reason) as told
    from plan_blocks b left join time_entries e on e.user_id = b.user_id and e.kind = 'timer' and e.item_id = b.item_id
    where b.auto_start and b.starts_at <= now() group by b.id having b.state not in ('running', 'finished') or count(e.id) <> 1`);
  return rows.map(({ told }) => told);
}

/** Job locks that no living lane holds: of ended lanes, or older than any job may run. */
export async function orphanedLocks(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.rows(`
    select j.id, j.locked_by from graphile_worker._private_jobs j
    where j.locked_at is not null and (j.locked_at < now() - interval '90 seconds'
      or not exists (select from workers w where w.id = j.locked_by and w.seen_at > now() - interval '15 seconds'))`);
  return rows.map(({ id, locked_by }) => `job ${id} of ${locked_by}`);
}
