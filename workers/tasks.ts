/** Every job's task, in the lane that runs it. To add a job, add an entry here and its name and payload in src/queue/jobs.ts. */

import type { TaskList } from 'graphile-worker';
import { mailEmailChange, mailEmailChanged } from '../src/accounts/emailChange.ts';
import { renewHolidays } from '../src/accounts/holidays.ts';
import { mailInvitation } from '../src/accounts/invitations.ts';
import { sendForgottenLinks } from '../src/accounts/ownPassword.ts';
import { auditFailedSignIns } from '../src/accounts/signIn.ts';
import {
  type Computations,
  keepTrendsOf,
  recheckSnapshot,
  renewDaily,
  renewForecasts,
  snapshotWorkspace,
} from '../src/capacity/snapshots/snapshotWorkspace.ts';
import { type RewriteFault, rewritePending } from '../src/comments/rewrite/rewritePending.ts';
import type { Config } from '../src/config.ts';
import type { Db } from '../src/database/db.ts';
import { eraseDue } from '../src/erasure/eraseDue.ts';
import { scanFile } from '../src/files/scan.ts';
import { giveUpPreparing, prepareImport } from '../src/import/runs/prepare.ts';
import { giveUpImport, runImport } from '../src/import/runs/run.ts';
import { giveUpUndo, undoImport } from '../src/import/runs/undo.ts';
import { giveUpExport, mailExport, makeExport } from '../src/import/zip/exports.ts';
import type { Logger } from '../src/log.ts';
import { tellAbsence } from '../src/notifications/away.ts';
import { mailNotification } from '../src/notifications/mail.ts';
import { beginDays, mailDigest } from '../src/notifications/mailDigest.ts';
import { tellOutlooks } from '../src/notifications/outlooks.ts';
import { endDueBlock, startDueBlock } from '../src/plans/dueBlocks.ts';
import { remindOfBlock } from '../src/plans/schedule.ts';
import { aboutJob, type JobName, MOST_DEATHS, noteOverrun, outboundTasks, type Payload, payloads, setAside } from '../src/queue/jobs.ts';
import { enqueueDue, giveUpSeries, makeDue } from '../src/recurring/makeDue.ts';
import { remindLongTimer } from '../src/time/timer.ts';
import { codeOf } from '../src/values/errors.ts';
import { ThreadEnded } from '../src/values/helperThread.ts';
import { isRecord, keysOf } from '../src/values/records.ts';
import { deliverDue } from '../src/webhooks/deliver.ts';
import { pruneAll } from './prune.ts';

export interface TaskContext {
  db: Db;
  config: Config;
  log: Logger;
  computations: Computations;
  /** While `held`, nothing leaves the installation (src/queue/jobs.ts). */
  outbound: { readonly held: boolean };
  observeDelivery(attempt: { ok: boolean; ms: number }): void;
  observeRewrite(fault: RewriteFault | null): void;
  /** Aborted when the process must stop. The task then throws, and the job runs again later. */
  signal: AbortSignal;
}

/** A task may run twice with the same payload, even at the same time, and is retried if it throws. Our tables must make its effect happen
 *  once. */
export type Task<Name extends JobName> = (payload: Payload<Name>, context: TaskContext) => Promise<unknown>;

type Tasks = Partial<{ [Name in JobName]: Task<Name> }>;

const deliverWebhook: Task<'deliver_webhook' | 'deliver_failing_webhook'> = ({ webhookId }, { db, config, observeDelivery, signal }) =>
  deliverDue(db, webhookId, {
    keys: config,
    baseUrl: config.baseUrl,
    privateAddresses: config.webhookPrivateAddresses,
    signal,
    observe: observeDelivery,
  });

/** Slow jobs have their own lanes, so that they don't delay jobs with an exact due time. */
export const lanes = {
  prompt: {
    prune: async (_tick, { db, log, config, signal }) => {
      const rows = await pruneAll(db, config, signal);
      if (Object.keys(rows).length > 0) log.info({ rows }, 'pruned');
    },
    erase: (_tick, { db, signal }) => eraseDue(db, signal),
    begin_days: (_tick, { db, log, signal }) => beginDays(db, log, signal),
    daily_snapshots: (_tick, { db, signal }) => renewDaily(db, signal),
    weekly_trend_points: ({ due }, { db, signal }) => keepTrendsOf(db, due.slice(0, 10), signal),
    renew_holidays: (_tick, { db, signal }) => renewHolidays(db, signal),
    start_plan_block: (block, { db }) => startDueBlock(db, block),
    end_plan_block: (block, { db }) => endDueBlock(db, block),
    remind_plan_block: (reminder, { db }) => remindOfBlock(db, reminder),
    remind_long_timer: (entry, { db }) => remindLongTimer(db, entry),
    tell_absence: ({ absenceId }, { db }) => tellAbsence(db, absenceId),
    due_recurrences: (_tick, { db, signal }) => enqueueDue(db, signal),
    make_recurring: (series, { db }) => makeDue(db, series),
    forgotten_password: ({ email, address }, { db }) => sendForgottenLinks(db, email, address),
    failed_sign_in: ({ userIds, address }, { db }) => auditFailedSignIns(db, userIds, address),
  },
  /** Calls our mail server. */
  outside: {
    mail_notification: ({ notificationId }, { db, config }) => mailNotification(db, config, notificationId),
    mail_digest: (digest, { db, config }) => mailDigest(db, config, digest),
    mail_invitation: ({ invitationId }, { db, config }) => mailInvitation(db, config, invitationId),
    mail_email_change: ({ changeId }, { db, config }) => mailEmailChange(db, config, changeId),
    mail_email_changed: ({ changeId }, { db, config }) => mailEmailChanged(db, config, changeId),
    mail_export: ({ exportId }, { db, config }) => mailExport(db, config, exportId),
  },
  /** Calls the model, which may be slow. */
  rewrites: {
    rewrite_note: async ({ rewriteId }, { db, config, log, observeRewrite, signal, outbound: { held } }) => {
      const outcome = await rewritePending(db, { ...config.rewrite, signal, held }, rewriteId);
      if (!outcome) return;
      const fault = 'fault' in outcome ? outcome.fault : null;
      observeRewrite(fault);
      if (fault) log.warn({ rewriteId, fault }, 'a note could not be rewritten');
    },
  },
  /** A scan may take minutes. */
  scans: { scan_file: ({ fileId }, { db, config, signal }) => scanFile(db, config.fileScan, fileId, signal) },
  /** Calls receivers' servers, which may be slow. They delay neither mails nor notes, and failing or slow webhooks don't delay others. */
  webhooks: { deliver_webhook: deliverWebhook },
  failingWebhooks: { deliver_failing_webhook: deliverWebhook },
  /** An import may take minutes. */
  imports: {
    prepare_import: (choice, { db, signal }) => prepareImport(db, choice, signal),
    run_import: ({ importId }, { db, signal }) => runImport(db, importId, signal),
    undo_import: ({ importId }, { db, signal }) => undoImport(db, importId, signal),
  },
  /** An export may take minutes. */
  exports: { make_export: ({ exportId }, { db, config, signal }) => makeExport(db, exportId, config.filesQuotaBytes, signal) },
  heavy: {
    snapshot_workspace: ({ workspaceId }, { db }) => snapshotWorkspace(db, workspaceId),
    renew_forecasts: ({ accountId }, { db, computations, signal }) => renewForecasts(db, computations, accountId, signal),
    snapshot_forecast: async ({ forecastId }, { db, computations, signal }) => {
      const outcome = await computations.snapshot({ forecastId, since: null }, signal);
      if (outcome === 'later') await recheckSnapshot(db, forecastId);
    },
    tell_outlooks: ({ workspaceId }, { db, computations, signal }) =>
      tellOutlooks(db, workspaceId, {
        renewed: async (forecastId) => (await computations.snapshot({ forecastId, since: null }, signal)) !== 'later',
        signal,
      }),
    trend_workspace: (wanted, { computations, signal }) => computations.trendPoints(wanted, signal),
  },
} as const satisfies Record<string, Tasks>;

export type LaneName = keyof typeof lanes;

/** Returns a lane's tasks for graphile-worker, without held ones. It parses each payload before the task runs. */
export function taskList(tasks: Tasks, context: Omit<TaskContext, 'signal'>): TaskList {
  const names = keysOf(tasks).filter((name) => !(context.outbound.held && outboundTasks.includes(name)));
  return Object.fromEntries(names.map((name) => [name, runTask(name, tasks, context)]));
}

/** Tells the person of a job why it was set aside. Jobs without an entry fail for the operator, who sees them in `stint jobs list`. */
const giveUp: Tasks = {
  make_recurring: (series, { db }) => giveUpSeries(db, series),
  prepare_import: (choice, { db }) => giveUpPreparing(db, choice),
  run_import: ({ importId }, { db }) => giveUpImport(db, importId),
  undo_import: ({ importId }, { db }) => giveUpUndo(db, importId),
  make_export: ({ exportId }, { db }) => giveUpExport(db, exportId),
};

const parsers: { [Name in JobName]: { parse(given: unknown): Payload<Name> } } = payloads;

function runTask<Name extends JobName>(name: Name, tasks: Tasks, context: Omit<TaskContext, 'signal'>): TaskList[string] {
  return async (given, { abortSignal, job }) => {
    const started = performance.now();
    const { about, ...rest }: Record<string, unknown> = isRecord(given) ? given : {};
    const deaths = isRecord(about) ? Number(about.deaths ?? 0) : 0;
    const [payload, own] = [parsers[name].parse(rest), { ...context, signal: abortSignal }];
    if (deaths >= MOST_DEATHS) {
      context.log.error({ job: job.id, task: name, deaths, ...aboutJob(given) }, 'job set aside: workers died while they ran it');
      if (giveUp[name]) return void (await giveUp[name](payload, own));
      await setAside(context.db, job.id);
      throw new Error(`${deaths} workers died while they ran this job.`);
    }
    try {
      await tasks[name]?.(payload, own);
    } catch (error) {
      if (!isOverrun(error) || !(await noteOverrun(context.db, job.id))) throw error;
      context.log.error({ job: job.id, task: name, ...aboutJob(given) }, 'job set aside: its thread failed or exceeded its limits twice');
      if (!giveUp[name]) throw error;
      return void (await giveUp[name](payload, own));
    }
    context.log.info({ job: job.id, task: name, ms: Math.round(performance.now() - started), ...aboutJob(given) }, 'job done');
  };
}

/** Of a helper thread, also if it failed, or of a computing thread. */
const isOverrun = (error: unknown): boolean => error instanceof ThreadEnded || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
