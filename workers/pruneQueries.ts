/** Retention of each table. Deletes in batches, so that no delete holds its locks for long (behaviour §14.1). */
import { z } from 'zod';
import { fixedSql, type Tx } from '../src/database/db.ts';
import { sql } from '../src/database/sql.ts';

export interface ExpiringTable {
  table: string;
  past: string;
  /** Rows deleted by one statement, few where each has many dependent rows; default: BATCH. */
  most?: number;
}

/** Retention that the operator configures. */
export interface Retention {
  auditDays: number;
}

/** Of `imports m`: neither running nor undoing, and unchanged for 7 days. */
const oldImport = `m.state not in ('running', 'undoing') and coalesce(m.finished_at, m.created_at) < now() - interval '7 days'`;

export const expiringTables = ({ auditDays }: Retention): ExpiringTable[] => [
  { table: 'audit', past: `at < now() - interval '${auditDays} days'` },
  { table: 'receipts', past: `created_at < now() - interval '30 days'` },
  { table: 'rest_receipts', past: `created_at < now() - interval '30 days'` },
  { table: 'sessions', past: 'expires_at < now()' },
  { table: 'owner_links', past: 'expires_at < now()' },
  { table: 'note_rewrites', past: `deadline_at < now() - interval '1 minute'` },
  { table: 'activity', past: `at < now() - interval '90 days'` },
  // Mails and notifications of absences and outlooks are counted by hour.
  {
    table: 'rate_windows',
    past: `window_start < now() - interval '10 minutes' and (key !~ '^(mails|absences|outlooks):' or window_start < now() - interval '1 hour')`,
  },
  // Their pieces and pages are deleted with them.
  { table: 'capacity_snapshots', past: 'day < current_date', most: 20 },
  // A deleted forecast is computed again on request. Its snapshots are deleted with it.
  { table: 'capacity_forecasts', past: `greatest(read_at, created_at) < now() - interval '8 days'`, most: 20 },
  { table: 'trend_points', past: 'day < current_date - 70' },
  { table: 'notifications', past: `created_at < now() - interval '180 days'` },
  // An expired link stays while a notification mentions it.
  {
    table: 'invitations',
    past: `created_at < now() - interval '180 days' and expires_at < now() and not exists (select from notifications n where n.invitation_id = invitations.id)`,
  },
  { table: 'invited_memberships', past: `created_at < now() - interval '30 days'` },
  { table: 'import_rows', past: `import_id in (select m.id from imports m where ${oldImport})` },
  { table: 'import_reports', past: `import_id in (select m.id from imports m where ${oldImport})` },
  // Uploads that were broken off, or that no row refers to, and files of old imports. Their bytes are deleted with them.
  {
    table: 'blobs',
    past: `not kept and touched_at < now() - interval '1 hour' or id in (select m.blob_id from imports m where ${oldImport})`,
    most: 20,
  },
  // Rows and reports that are left are deleted with them.
  { table: 'imports', past: `state in ('reading', 'ready', 'unreadable') and created_at < now() - interval '7 days'`, most: 20 },
  // Its bytes are deleted with it.
  { table: 'data_exports', past: `created_at < now() - interval '3 days'`, most: 5 },
  { table: 'refused_forms', past: `created_at < now() - interval '1 hour'` },
  { table: 'email_changes', past: `created_at < now() - interval '180 days'` },
  { table: 'webhook_deliveries', past: `state <> 'waiting' and created_at < now() - interval '30 days'` },
  { table: 'schedule_ticks', past: `due < now() - interval '90 days'` },
];

const Count = z.object({ count: z.number() });
const BATCH = 5_000;

export async function deleteBatch(tx: Tx, { table, past, most = BATCH }: ExpiringTable): Promise<{ deleted: number; more: boolean }> {
  const deleted = await tx.oneFirst(sql.type(Count)`
    with gone as (
      delete from ${sql.identifier([table])} where ctid = any(array(
        select ctid from ${sql.identifier([table])} where ${fixedSql(past)} limit ${most} for update skip locked))
      returning 1
    )
    select count(*) from gone`);
  return { deleted, more: deleted === most };
}
