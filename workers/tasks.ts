/** Every task there is, by the name of its job and the lane it runs in. Adding a job is adding a line here and one in src/queue/jobs.ts. */
import type { TaskList } from 'graphile-worker';
import { aboutJob } from '../src/queue/about.ts';
import { type JobName, payloads } from '../src/queue/jobs.ts';
import type { Task, TaskContext } from './task.ts';
import beginDays from './tasks/begin_days.ts';
import dailySnapshots from './tasks/daily_snapshots.ts';
import deliverWebhook from './tasks/deliver_webhook.ts';
import endPlanBlock from './tasks/end_plan_block.ts';
import failedSignIn from './tasks/failed_sign_in.ts';
import forgottenPassword from './tasks/forgotten_password.ts';
import mailDigest from './tasks/mail_digest.ts';
import mailEmailChange from './tasks/mail_email_change.ts';
import mailEmailChanged from './tasks/mail_email_changed.ts';
import mailInvitation from './tasks/mail_invitation.ts';
import mailNotification from './tasks/mail_notification.ts';
import prune from './tasks/prune.ts';
import remindLongTimer from './tasks/remind_long_timer.ts';
import remindPlanBlock from './tasks/remind_plan_block.ts';
import rewriteNote from './tasks/rewrite_note.ts';
import snapshotForecast from './tasks/snapshot_forecast.ts';
import snapshotWorkspace from './tasks/snapshot_workspace.ts';
import startPlanBlock from './tasks/start_plan_block.ts';
import trendWorkspace from './tasks/trend_workspace.ts';
import weeklyTrendPoints from './tasks/weekly_trend_points.ts';

type Tasks = Partial<{ [Name in JobName]: Task<Name> }>;

/** Lanes keep what is slow from delaying what is due at a minute. */
export const lanes = {
  /** Short work in our own database. */
  prompt: {
    prune,
    begin_days: beginDays,
    daily_snapshots: dailySnapshots,
    weekly_trend_points: weeklyTrendPoints,
    start_plan_block: startPlanBlock,
    end_plan_block: endPlanBlock,
    remind_plan_block: remindPlanBlock,
    remind_long_timer: remindLongTimer,
    forgotten_password: forgottenPassword,
    failed_sign_in: failedSignIn,
  },
  /** Waits for other people's servers. */
  outside: {
    mail_notification: mailNotification,
    mail_digest: mailDigest,
    mail_invitation: mailInvitation,
    mail_email_change: mailEmailChange,
    mail_email_changed: mailEmailChanged,
    rewrite_note: rewriteNote,
  },
  /** Other people's servers, of which nobody knows anything: they keep no mail and no note waiting, and those that don't answer none of
   *  those that do. */
  webhooks: { deliver_webhook: deliverWebhook },
  failingWebhooks: { deliver_failing_webhook: deliverWebhook },
  /** Reads whole workspaces. */
  heavy: { snapshot_workspace: snapshotWorkspace, snapshot_forecast: snapshotForecast, trend_workspace: trendWorkspace },
} as const satisfies Record<string, Tasks>;

export type LaneName = keyof typeof lanes;

/** A lane's tasks as graphile-worker wants them: the payload is checked before the task sees it. */
export function taskList(tasks: Tasks, context: Omit<TaskContext, 'signal'>): TaskList {
  return Object.fromEntries((Object.keys(tasks) as JobName[]).map((name) => [name, shell(name, tasks[name] as Task<JobName>, context)]));
}

function shell(name: JobName, task: Task<JobName>, context: Omit<TaskContext, 'signal'>): TaskList[string] {
  const { db, config, log, computations, observeDelivery } = context;
  return async (given, { abortSignal, job }) => {
    const started = performance.now();
    const { about: _about, ...payload } = given as Record<string, unknown>;
    await task(payloads[name].parse(payload), { db, config, log, computations, observeDelivery, signal: abortSignal });
    log.info({ job: job.id, task: name, ms: Math.round(performance.now() - started), ...aboutJob(given) }, 'job done');
  };
}
