/** What happens later: job names, payload schemas, and enqueueing in the transaction of the write that causes it. */
import { z } from 'zod';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { Id } from '../values/text.ts';
import type { About } from './about.ts';

/** What the schedule hands over: the moment that a tick was due. */
const Tick = z.strictObject({ due: z.iso.datetime({ offset: true }) });

export const payloads = {
  /** Computes the forecasts that a mark has made out of date. */
  snapshot_workspace: z.strictObject({ workspaceId: Id }),
  /** Computes a forecast that there is no snapshot of for today. */
  snapshot_forecast: z.strictObject({ forecastId: Id }),
  /** Enqueues the day's first forecast of every workspace. */
  daily_snapshots: Tick,
  /** Enqueues the keeping of a Monday's point in the trends of every workspace. */
  weekly_trend_points: Tick,
  /** Keeps the point of that day in the trends of a workspace's projects. */
  trend_workspace: z.strictObject({ workspaceId: Id, day: z.iso.date() }),
  /** Deletes what is kept for a time only. */
  prune: Tick,
  /** Erases some of what is due to be erased, and enqueues itself while there is more. */
  erase: Tick,
  /** Opens a block's timer at its start, or finds it missed. */
  start_plan_block: z.strictObject({ blockId: Id, revision: Id }),
  /** Finishes a running block at its end; a scheduled one is missed. */
  end_plan_block: z.strictObject({ blockId: Id, revision: Id }),
  /** Tells the owner that a block is about to start or to end. */
  remind_plan_block: z.strictObject({ blockId: Id, edge: z.enum(['start', 'end']) }),
  /** Tells a person that a timer has run for a long time. */
  remind_long_timer: z.strictObject({ entryId: Id }),
  /** Mails a notification, once at most. */
  mail_notification: z.strictObject({ notificationId: Id }),
  /** Tells what is due, and hands the digests of the day over, to those whose day has come so far. */
  begin_days: Tick,
  /** Mails a person's digest of that day, once at most. */
  mail_digest: z.strictObject({ userId: Id, day: z.iso.date() }),
  /** Asks the model to rewrite a note that somebody waits for. */
  rewrite_note: z.strictObject({ rewriteId: Id }),
  /** Mails an invitation's link, once at most. */
  mail_invitation: z.strictObject({ invitationId: Id }),
  /** Mails the link that changes an address, to the new one; and that it was changed, to the old one. */
  mail_email_change: z.strictObject({ changeId: Id }),
  mail_email_changed: z.strictObject({ changeId: Id }),
  /** Makes and mails links to new passwords for whoever signs in with an address, if anybody does. */
  forgotten_password: z.strictObject({ email: z.string().max(320), address: z.string().max(100).optional() }),
  /** Sends what is due by a webhook. */
  deliver_webhook: z.strictObject({ webhookId: Id }),
  /** The same of one whose latest attempt failed: what waits for it in vain keeps no other waiting. */
  deliver_failing_webhook: z.strictObject({ webhookId: Id }),
  /** Tells the accounts of these people that somebody typed a wrong password for them; nobody's where nobody has the address. */
  failed_sign_in: z.strictObject({ userIds: z.array(Id), address: z.string().max(100) }),
} as const;

export type JobName = keyof typeof payloads;
export type Payload<Name extends JobName> = z.infer<(typeof payloads)[Name]>;

/** Jobs that send something out of the installation, or remind somebody: they can be held (outboundQueries.ts). */
export const outbound = {
  mails: ['mail_notification', 'mail_digest', 'mail_invitation', 'mail_email_change', 'mail_email_changed', 'forgotten_password'],
  reminders: ['remind_plan_block', 'remind_long_timer'],
  webhooks: ['deliver_webhook', 'deliver_failing_webhook'],
} as const satisfies Record<string, readonly JobName[]>;
export const outboundTasks: readonly JobName[] = Object.values(outbound).flat();

export interface Later {
  /** When, as an ISO instant; at once when left out. */
  runAt?: string;
  /** So long from now, by the database's clock. */
  delaySeconds?: number;
  /** One queued job per key: enqueueing again moves it. It is a convenience, never what makes a thing happen once. */
  key?: string;
  /** For the log. */
  about?: About;
}

/** Adds a job in `tx`. It is gone when the transaction is. */
export async function enqueue<Name extends JobName>(tx: Tx, name: Name, payload: Payload<Name>, later: Later = {}): Promise<void> {
  const body = JSON.stringify({ ...payloads[name].parse(payload), about: later.about });
  await tx.query(sql.unsafe`select graphile_worker.add_job(${name}, ${body}::json,
    run_at => coalesce(${later.runAt ?? null}::timestamptz, now() + ${later.delaySeconds ?? 0} * interval '1 second'), job_key => ${later.key ?? null})`);
}

export type Job = { [Name in JobName]: { name: Name; payload: Payload<Name> } & Omit<Later, 'delaySeconds'> }[JobName];

/** Adds any number of jobs in one statement. */
export async function enqueueAll(tx: Tx, jobs: Job[]): Promise<void> {
  const specs = jobs.map(({ name, payload, runAt, key, about }) => ({
    name,
    payload: { ...payloads[name].parse(payload), about },
    runAt,
    key,
  }));
  await tx.query(sql.unsafe`
    select count(*) from graphile_worker.add_jobs(array(
      select (j.name, j.payload, null, coalesce(j."runAt", now()), null, j.key, null, null)::graphile_worker.job_spec
      from json_to_recordset(${JSON.stringify(specs)}::json) as j (name text, payload json, "runAt" timestamptz, key text)))`);
}

/** Takes queued jobs back by their keys. A job that already runs is not stopped: its own state check makes it harmless. */
export async function dequeue(tx: Tx, ...keys: string[]): Promise<void> {
  await tx.query(sql.unsafe`select graphile_worker.remove_job(key) from unnest(${sql.array(keys, 'text')}) key`);
}

/** CTEs `mark` and `job`, for a statement whose CTE `saved` has account_id and workspace_id: marks the workspace's forecast as out of
 *  date and, only when it was not marked, enqueues the recomputation a second later. The statement must read from `job`. */
export function markForecast(condition: boolean): Fragment {
  return sql.fragment`
    mark as (
      insert into capacity_marks (account_id, workspace_id)
      select account_id, workspace_id from saved where ${condition}
      on conflict do nothing returning account_id, workspace_id
    ),
    job as (
      select graphile_worker.add_job('snapshot_workspace', json_build_object('workspaceId', workspace_id, 'about', json_build_object('account', account_id)), run_at => now() + interval '1 second')
      from mark
    )`;
}

/** For a transaction that has changed recorded or planned time: marks the workspaces' forecasts as `markForecast` does. */
export async function markForecastOf(tx: Tx, ...workspaceIds: number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with saved as (select account_id, id as workspace_id from workspaces where id = any(${sql.array(workspaceIds, 'int8')}) order by id),
    ${markForecast(true)}
    select count(*) from job`);
}
