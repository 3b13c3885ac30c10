/** A user's inbox: decisions that wait for them, and their notifications (behaviour §20.12). */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessToAll } from '../access/queries.ts';
import { userKinds } from '../accounts/schema.ts';
import { listOf, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { decisions } from '../items/approvalQueries.ts';
import { ItemTypeSchema } from '../items/schema.ts';
import { isSnoozed, notificationRows } from '../notifications/queries.ts';
import { NotificationRow } from '../notifications/schema.ts';
import type { Read } from '../operations/operation.ts';
import { StoredInstant } from '../values/dates.ts';
import { CredentialRefused } from '../values/errors.ts';
import { Id } from '../values/text.ts';

const MOST_DECISIONS = 50;

const Decision = z.object({
  id: z.number(),
  workspaceId: z.number(),
  workspace: z.string(),
  type: ItemTypeSchema,
  title: z.string(),
  version: z.number(),
  due: z.string().nullable(),
  by: z.object({ id: z.number(), name: z.string(), kind: z.enum(userKinds) }).nullable(),
  at: StoredInstant.nullable(),
  comment: z.string().nullable(),
});
export type Decision = z.infer<typeof Decision>;

const Row = z.object({
  decisions: z.array(Decision),
  notifications: z.array(
    NotificationRow.extend({
      created_at: StoredInstant,
      read_at: StoredInstant.nullable(),
      snoozed_until: StoredInstant.nullable(),
      due_at: StoredInstant,
      started_at: StoredInstant.nullable(),
    }),
  ),
});
export type InboxRows = z.infer<typeof Row>;

export interface InboxWanted {
  unreadOnly: boolean;
  /** Only those that are snoozed now. Otherwise these are left out of the unread ones. */
  snoozed?: boolean | undefined;
  /** Returns notifications with lower ids. Only the first page has decisions. */
  before: number | null;
  limit: number;
}

/** Throws Unauthenticated. */
export async function readInbox(tx: Tx, caller: Caller, { unreadOnly, snoozed = false, before, limit }: InboxWanted): Promise<InboxRows> {
  const unread = unreadOnly || snoozed ? sql.fragment`n.read_at is null and ${isSnoozed} = ${snoozed}` : sql.fragment`true`;
  const condition = sql.fragment`${unread} and (${before}::bigint is null or n.id < ${before})`;
  const row = await tx.maybeOne(sql.type(Row)`
    with ${accessToAll(caller)},
    asked as (${decisions(MOST_DECISIONS)})
    select ${listOf(sql.fragment`
        select i.id, i.workspace_id as "workspaceId", w.name as workspace, i.type, i.title, i.version, asked.due, asked.at, asked.comment,
          case when asked.by_id is not null then json_build_object('id', asked.by_id, 'name', asked.by, 'kind', asked.by_kind) end as by
        from asked cross join lateral (select * from items i where i.id = asked.id limit 1) i join workspaces w on w.id = i.workspace_id
        where ${before}::bigint is null order by asked.due, asked.at, i.id`)} as decisions,
      ${listOf(notificationRows(condition, limit))} as notifications
    from who`);
  if (!row) throw new CredentialRefused();
  return row;
}

const Input = z.strictObject({
  unreadOnly: z.boolean(),
  snoozed: z.boolean().optional(),
  before: Id.nullable(),
  limit: z.int().min(1).max(100),
});

export interface Inbox extends InboxRows {
  more: boolean;
}

export const inbox: Read<z.infer<typeof Input>, Inbox> = {
  name: 'inbox',
  input: Input,
  async run(tx, caller, input) {
    const { decisions, notifications } = await readInbox(tx, caller, { ...input, limit: input.limit + 1 });
    return { decisions, notifications: notifications.slice(0, input.limit), more: notifications.length > input.limit };
  },
};
