/** Background jobs: names, payload schemas, and enqueueing in the transaction of the write that causes them. */
import { z } from 'zod';
import type { Db, Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { isRecord } from '../values/records.ts';
import { Id } from '../values/text.ts';
import { DAILY, inTurn } from './turnQueries.ts';

/** From the schedule: the time when the tick was due. */
const Tick = z.strictObject({ due: z.iso.datetime({ offset: true }) });

export const payloads = {
  snapshot_workspace: z.strictObject({ workspaceId: Id }),
  snapshot_forecast: z.strictObject({ forecastId: Id }),
  /** Computes an account's forecasts again after changes, one in each run. */
  renew_forecasts: z.strictObject({ accountId: Id }),
  daily_snapshots: Tick,
  weekly_trend_points: Tick,
  /** Stores the public holidays of the coming years. */
  renew_holidays: Tick,
  trend_workspace: z.strictObject({ workspaceId: Id, day: z.iso.date() }),
  prune: Tick,
  /** Erases some of the due data, and enqueues itself while there is more. */
  erase: Tick,
  /** Starts a block's timer at its start, or marks the block as missed. */
  start_plan_block: z.strictObject({ blockId: Id, revision: Id }),
  /** Finishes a running block at its end, or marks a scheduled one as missed. */
  end_plan_block: z.strictObject({ blockId: Id, revision: Id }),
  remind_plan_block: z.strictObject({ blockId: Id, edge: z.enum(['start', 'end']) }),
  remind_long_timer: z.strictObject({ entryId: Id }),
  /** Notifies the requesters of items that are due in an absence of their assignee. */
  tell_absence: z.strictObject({ absenceId: Id }),
  /** Notifies owners and watchers of a workspace's releases and milestones whose outlook changed. */
  tell_outlooks: z.strictObject({ workspaceId: Id }),
  /** Mails a notification, at most once. */
  mail_notification: z.strictObject({ notificationId: Id }),
  /** Notifies users of due work and enqueues their digests, as their local day begins. */
  begin_days: Tick,
  /** Mails a user's digest of that day, at most once. */
  mail_digest: z.strictObject({ userId: Id, day: z.iso.date() }),
  /** Enqueues the series whose next task is due. */
  due_recurrences: Tick,
  /** Makes the next task of a series if it is due. */
  make_recurring: z.strictObject({ recurrenceId: Id }),
  rewrite_note: z.strictObject({ rewriteId: Id }),
  mail_invitation: z.strictObject({ invitationId: Id }),
  /** Mails the confirmation link to the new address, and later a notice to the old one. */
  mail_email_change: z.strictObject({ changeId: Id }),
  mail_email_changed: z.strictObject({ changeId: Id }),
  /** Mails links for new passwords to all users with this address, if any. */
  forgotten_password: z.strictObject({ email: z.string().max(320), address: z.string().max(100).optional() }),
  /** Scans an uploaded file. */
  scan_file: z.strictObject({ fileId: Id }),
  /** Reads an uploaded file and stores what an import of it would do. `revision`: of the choices. */
  prepare_import: z.strictObject({ importId: Id, revision: z.int() }),
  /** Writes an import in batches, after the last one that was written. */
  run_import: z.strictObject({ importId: Id }),
  undo_import: z.strictObject({ importId: Id }),
  /** Makes the zip of an account's data. */
  make_export: z.strictObject({ exportId: Id }),
  mail_export: z.strictObject({ exportId: Id }),
  deliver_webhook: z.strictObject({ webhookId: Id }),
  /** Delivers a webhook whose latest attempt failed or was slow. A separate lane, so that it does not delay others. */
  deliver_failing_webhook: z.strictObject({ webhookId: Id }),
  /** Records a failed sign-in in the accounts of these users. Empty if no user has the address; the job runs all the same. */
  failed_sign_in: z.strictObject({ userIds: z.array(Id), address: z.string().max(100) }),
} as const;

export type JobName = keyof typeof payloads;
export type Payload<Name extends JobName> = z.infer<(typeof payloads)[Name]>;

/** Jobs that send something out of the installation, or a reminder. They can be held (queueQueries.ts). */
export const outbound = {
  mails: [
    'mail_notification',
    'mail_digest',
    'mail_invitation',
    'mail_email_change',
    'mail_email_changed',
    'mail_export',
    'forgotten_password',
  ],
  reminders: ['remind_plan_block', 'remind_long_timer'],
  webhooks: ['deliver_webhook', 'deliver_failing_webhook'],
} as const satisfies Record<string, readonly JobName[]>;
export const outboundTasks: readonly JobName[] = Object.values(outbound).flat();

export interface Later {
  /** Start time as an ISO instant; default: now. */
  runAt?: string;
  /** Delay by the database's clock. */
  delaySeconds?: number;
  /** Only one job per key is queued; enqueueing again moves it. Don't rely on it to run a job once. */
  key?: string;
  /** Due jobs with lower numbers run first; default: 0. */
  priority?: number;
  about?: About;
}

/** Adds a job in `tx`. A rollback removes it. */
export async function enqueue<Name extends JobName>(tx: Tx, name: Name, payload: Payload<Name>, later: Later = {}): Promise<void> {
  const body = JSON.stringify({ ...payloads[name].parse(payload), about: later.about });
  await tx.query(sql.unsafe`select graphile_worker.add_job(${name}, ${body}::json,
    run_at => coalesce(${later.runAt ?? null}::timestamptz, now() + ${later.delaySeconds ?? 0} * interval '1 second'), job_key => ${later.key ?? null},
    priority => ${later.priority ?? null}::integer)`);
}

export type Job = { [Name in JobName]: { name: Name; payload: Payload<Name> } & Omit<Later, 'delaySeconds'> }[JobName];

export async function enqueueAll(tx: Tx, jobs: Job[]): Promise<void> {
  const specs = jobs.map(({ name, payload, runAt, key, priority, about }) => ({
    name,
    payload: { ...payloads[name].parse(payload), about },
    runAt,
    key,
    priority,
  }));
  await tx.query(sql.unsafe`
    select count(*) from graphile_worker.add_jobs(array(
      select (j.name, j.payload, null, coalesce(j."runAt", now()), null, j.key, j.priority, null)::graphile_worker.job_spec
      from json_to_recordset(${JSON.stringify(specs)}::json) as j (name text, payload json, "runAt" timestamptz, key text, priority integer)))`);
}

/** Removes queued jobs by key. A running job continues; it must check its own state. */
export async function dequeue(tx: Tx, ...keys: string[]): Promise<void> {
  await tx.query(sql.unsafe`select graphile_worker.remove_job(key) from unnest(${sql.array(keys, 'text')}) key`);
}

/** A job on which so many workers died is set aside: before that, deploys and kills are likelier reasons (behaviour §13.20). */
export const MOST_DEATHS = 5;
/** A job whose thread exceeded its limits so often is set aside: the first time, the machine may have been busy. */
const MOST_OVERRUNS = 2;

const Last = z.object({ last: z.boolean() });

/** Notes that a thread of this running job exceeded its deadline or heap. Returns true if that was the job's last attempt. */
export const noteOverrun = async (db: Db, jobId: string): Promise<boolean> =>
  (await db.pool().maybeOneFirst(sql.type(Last)`
    with noted as (
      select id, coalesce((payload #>> '{about,overruns}')::integer, 0) + 1 as overruns from graphile_worker._private_jobs where id = ${jobId}
    )
    update graphile_worker._private_jobs j
    set attempts = case when n.overruns >= ${MOST_OVERRUNS} then j.max_attempts else j.attempts end,
      payload = (case when n.overruns >= ${MOST_OVERRUNS} then j.payload::jsonb #- '{about,overruns}'
        else jsonb_set(j.payload::jsonb || jsonb_build_object('about', coalesce(j.payload::jsonb -> 'about', '{}')), '{about,overruns}', to_jsonb(n.overruns)) end)::json
    from noted n where j.id = n.id returning n.overruns >= ${MOST_OVERRUNS} as last`)) ?? false;

/** Ends the attempts of this running job. `stint jobs retry` gives it all of them again. */
export async function setAside(db: Db, jobId: string): Promise<void> {
  await db.pool().query(sql.unsafe`
    update graphile_worker._private_jobs set attempts = max_attempts, payload = (payload::jsonb #- '{about,deaths}')::json where id = ${jobId}`);
}

/** CTEs `mark` and `job`, for a statement with CTE `saved`. Marks the workspace's forecast as out of date. If it was not marked, enqueues
 *  its computation in one second. The statement must read from `job`. */
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

/** Tells the requesters of an absence's items, after jobs with an exact due time. One job an absence: enqueueing again moves it. */
export const enqueueAbsence = (tx: Tx, absenceId: number, about: Partial<About>, runAt?: string): Promise<void> =>
  enqueue(tx, 'tell_absence', { absenceId }, { key: `tell_absence:${absenceId}`, priority: 10, about, ...(runAt && { runAt }) });

/** Continues to notify of a workspace's outlooks. One job a workspace. */
export const enqueueOutlooks = (
  tx: Tx,
  workspaceId: number,
  accountId: number,
  later: Pick<Later, 'runAt' | 'delaySeconds'>,
): Promise<void> =>
  enqueue(
    tx,
    'tell_outlooks',
    { workspaceId },
    { key: `tell_outlooks:${workspaceId}`, priority: DAILY, about: { account: accountId }, ...later },
  );

/** Marks the workspaces' forecasts like `markForecast`, after a change of recorded or planned time. */
export async function markForecastOf(tx: Tx, ...workspaceIds: number[]): Promise<void> {
  await tx.query(sql.unsafe`
    with saved as (select account_id, id as workspace_id from workspaces where id = any(${sql.array(workspaceIds, 'int8')}) order by id),
    ${markForecast(true)}
    select count(*) from job`);
}

/** How many of a person's newest series are searched for in the queue. */
const MOST_SERIES = 200;

/** SQL: how many other series of the person of `r` wait in the queue. */
const waitingSeries = sql.fragment`(
  select count(*) from (
    select o.id from recurrences o where o.user_id = r.user_id and o.id <> r.id and o.state = 'active' order by o.id desc limit ${MOST_SERIES}) o
  cross join lateral (
    select from graphile_worker._private_jobs j where j.key = 'recurring:' || o.id and j.attempts < j.max_attempts limit 1) j)`;

/** SQL: enqueues the next tasks of the series `r`. One job a series: enqueueing again moves it. People take turns: the second series of a
 *  person waits for the first one of each other person. All wait for jobs with an exact due time. */
export const makeRecurring = sql.fragment`
  graphile_worker.add_job('make_recurring', json_build_object('recurrenceId', r.id, 'about', json_build_object('account', r.account_id)),
    job_key => 'recurring:' || r.id, priority => ${inTurn(sql.fragment`row_number() over (partition by r.user_id order by r.id) + ${waitingSeries}`)})`;

/** Ids of a job's subjects in its payload. For the log only. */
const id = z.number().nullish();
export const About = z.object({ account: id, user: id, workspace: id, item: id });
export type About = z.infer<typeof About>;

export const aboutRow = (row: { account_id?: number; user_id?: number; workspace_id?: number | null; item_id?: number | null }): About => ({
  account: row.account_id,
  user: row.user_id,
  workspace: row.workspace_id,
  item: row.item_id,
});

export function aboutJob(payload: unknown): About {
  const { about, workspaceId }: Record<string, unknown> = isRecord(payload) ? payload : {};
  return { ...(typeof workspaceId === 'number' && { workspace: workspaceId }), ...About.partial().safeParse(about).data };
}
