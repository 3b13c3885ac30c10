/** Checks that everything scheduled for a minute happened once. */
import type { Postgres } from './postgres.ts';
import type { Once } from './report.ts';

/** Blocks and the reminders due for each. A cancelled block may have been reminded of before. */
const due = `
  due as (
    select b.id, 'block_starts' as kind, b.starts_at - b.remind_minutes * interval '1 minute' as due_at, b.created_at from plan_blocks b
    where remind_start and state <> 'cancelled'
    union all
    select b.id, 'block_ends', b.ends_at - interval '5 minutes', b.created_at from plan_blocks b where remind_end and state <> 'cancelled'
    union all
    select b.id, 'block_missed', n.due_at, n.due_at from plan_blocks b left join notifications n on n.block_id = b.id and n.kind = 'block_missed'
    where state = 'missed'
  ),
  told as (
    select d.*, (select count(*) from notifications n where n.block_id = d.id and n.kind = d.kind) as times,
           (select max(n.created_at) from notifications n where n.block_id = d.id and n.kind = d.kind) as told_at
    from due d where coalesce(greatest(d.due_at, d.created_at), '-infinity') <= now()
  )`;

/** `latestSeconds`: of the sent ones. */
export async function readReminders(postgres: Postgres): Promise<Once & { latestSeconds: number }> {
  const rows = await postgres.rows(
    `with ${due} select id, kind, times, extract(epoch from told_at - greatest(due_at, created_at))::float8 as late from told`,
  );
  const strays = await postgres.rows(
    'select block_id as id, kind from notifications where block_id is not null group by 1, 2 having count(*) > 1',
  );
  return {
    expected: rows.length,
    lost: rows.filter(({ times }) => times === '0').map(({ id, kind }) => `${kind} of block ${id}`),
    doubled: strays.map(({ id, kind }) => `${kind} of block ${id}`),
    latestSeconds: Math.max(0, ...rows.map(({ late }) => late ?? 0)),
  };
}

/** Blocks whose minute has passed without any effect. */
export async function overdueBlocks(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.rows(`
    select id, state from plan_blocks
    where ends_at <= now() and state in ('scheduled', 'running') or auto_start and state = 'scheduled' and starts_at <= now()`);
  return rows.map(({ id, state }) => `block ${id} is still ${state}`);
}

/** Blocks that should start their owner's timer by themselves, for owners who have not left: their count, and those without exactly one
 *  timer. */
export async function readAutomatic(postgres: Postgres): Promise<{ expected: number; wrong: string[] }> {
  const rows = await postgres.rows(`
    select b.id, b.state, b.reason,
           (select count(*) from time_entries e where e.user_id = b.user_id and e.kind = 'timer' and e.item_id = b.item_id) as timers
    from plan_blocks b where auto_start and starts_at <= now()
      and exists (select from memberships m join users u on u.id = m.user_id and u.active where m.user_id = b.user_id and m.workspace_id = b.workspace_id)`);
  // A delay of ninety seconds can't miss a block of three minutes.
  const wrong = rows.filter(({ state, timers }) => !['running', 'finished'].includes(state) || timers !== '1');
  return {
    expected: rows.length,
    wrong: wrong.map(({ id, state, reason, timers }) => `block ${id} is ${state}, ${timers} timers: ${reason}`),
  };
}

/** Job locks that no living lane holds: of ended lanes, or older than any job may run. */
export async function orphanedLocks(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.rows(`
    select j.id, j.locked_by from graphile_worker._private_jobs j
    where j.locked_at is not null and (j.locked_at < now() - interval '90 seconds'
      or not exists (select from workers w where w.id = j.locked_by and w.seen_at > now() - interval '15 seconds'))`);
  return rows.map(({ id, locked_by }) => `job ${id} of ${locked_by}`);
}
