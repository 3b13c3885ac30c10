/** Scheduled jobs. Every worker checks once a minute, and a row per tick makes it happen only once.
 *
 *  A tick is enqueued up to a minute early and runs at its time by the database's clock. After downtime, only the latest missed tick is
 *  enqueued. */
import cron from 'node-cron';
import type { Tx } from '../src/database/db.ts';
import { sql } from '../src/database/sql.ts';
import type { Logger } from '../src/log.ts';
import type { JobName } from '../src/queue/jobs.ts';

export interface ScheduleRow {
  task: JobName;
  /** Due at the start of each period, in UTC. Weeks start on Monday. All time zones differ from UTC by whole quarters of an hour. */
  every: 'quarter hour' | 'hour' | 'day' | 'week';
}

export const schedule: ScheduleRow[] = [
  { task: 'daily_snapshots', every: 'day' },
  { task: 'weekly_trend_points', every: 'week' },
  { task: 'renew_holidays', every: 'week' },
  { task: 'prune', every: 'hour' },
  { task: 'erase', every: 'hour' },
  { task: 'begin_days', every: 'quarter hour' },
  { task: 'due_recurrences', every: 'quarter hour' },
];

const LOOK = '* * * * *';

/** Enqueues the latest due tick of each row if it is new, in one statement. The job's payload is `{due}`. */
export async function enqueueDueTicks(tx: Tx, rows: ScheduleRow[] = schedule): Promise<void> {
  await tx.query(sql.unsafe`
    with tick as (
      insert into schedule_ticks (task, due)
      select task, case every when 'quarter hour' then date_bin('15 minutes', now() + interval '1 minute', '2000-01-01 00:00Z')
        else date_trunc(every, now() + interval '1 minute', 'UTC') end
      from json_to_recordset(${JSON.stringify(rows)}::json) as s (task text, every text) order by task
      on conflict do nothing returning task, due
    )
    select graphile_worker.add_job(task, json_build_object('due', due), run_at => due) from tick`);
}

export function startSchedule(tx: Tx, log: Logger): { stop(): void } {
  const look = () => enqueueDueTicks(tx).catch((error) => log.warn({ err: error }, 'could not read the schedule'));
  void look();
  const task = cron.schedule(LOOK, look, { timezone: 'UTC', noOverlap: true, suppressMissedWarning: true });
  return { stop: () => void task.destroy() };
}
