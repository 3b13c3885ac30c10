/** Pauses a failing webhook (behaviour §16.7). */
import { z } from 'zod';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { notify } from '../notifications/queries.ts';
import type { HeldWebhook } from './deliveryQueries.ts';
import type { PauseReason } from './schema.ts';

const Rested = z.object({ since: z.string() });
const Person = z.object({ id: z.number() });

/** Notifies the webhook's creator. If they left, notifies the workspace's owners, or the account's. Call in a transaction. */
export async function pauseWebhook(
  tx: Tx,
  { id, holder, accountId, workspaceId, userId }: HeldWebhook,
  because: PauseReason,
): Promise<void> {
  const since = await tx.maybeOneFirst(sql.type(Rested)`
    update webhooks set rests_since = now(), rests_because = ${because}, holder = null, held_until = null, marked_at = null
    where id = ${id} and holder = ${holder}::uuid returning now() as since`);
  if (since === null) return;
  const people = await tx.anyFirst(sql.type(Person)`
    with member as (
      select u.id, m.role from memberships m join users u on u.id = m.user_id and u.active where m.workspace_id = ${workspaceId}
    ),
    maker as (select id from member where id = ${userId} and ${because} <> 'maker'),
    owner as (select id from member where role = 'owner' and not exists (select from maker))
    select id from maker
    union select id from owner
    union select id from users where account_id = ${accountId} and account_role = 'owner' and active
      and not exists (select from maker) and not exists (select from owner)
    order by id`);
  for (const person of people) {
    await notify(tx, { accountId, workspaceId, userId: person, kind: 'webhook_rests', webhookId: id, dueAt: since });
  }
}
