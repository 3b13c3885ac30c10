/** SQL of the delivery job. One job at a time holds a webhook, and only the holder's writes take effect. */
import { z } from 'zod';
import { accessTo } from '../access/queries.ts';
import { Cursor } from '../changes/cursor.ts';
import { actorOfChange, apiKind, changeJson, itemOfChange, titleOfChange, visibleChange } from '../changes/queries.ts';
import { type ChangeRow, changedAtText, inOrderIn, placeJson, settledIn } from '../changes/readQueries.ts';
import { type Fragment, fixedSql, type Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { notify } from '../notifications/queries.ts';
import { enqueue } from '../queue/jobs.ts';
import { inTurn } from '../queue/turnQueries.ts';
import { type PauseReason, WebhookFormat } from './schema.ts';
import type { Attempt } from './send.ts';

/** Longer than one attempt and the write after it. */
const HELD_SECONDS = 60;
/** An older mark belongs to a lost job and is ignored. */
const MARK_HOURS = 1;

/** For a row `w`: how many other webhooks of its account wait or are being sent. */
const others = sql.fragment`(select count(*) from webhooks o where o.account_id = w.account_id and o.id <> w.id and o.revoked_at is null
  and (o.marked_at is not null or o.held_until > now()))`;

/** Marks the webhooks of these workspaces as having changes, and enqueues a job for each that was not marked. */
export async function markWebhooks(tx: Tx, rows: readonly Pick<ChangeRow, 'workspaceId'>[]): Promise<void> {
  const workspaces = [...new Set(rows.map(({ workspaceId }) => workspaceId))];
  await tx.query(sql.unsafe`
    with marked as (
      update webhooks w set marked_at = now()
      where w.workspace_id = any(${sql.array(workspaces, 'int8')}) and w.revoked_at is null and w.rests_since is null
        and (w.marked_at is null or w.marked_at < now() - ${MARK_HOURS} * interval '1 hour')
      returning w.id, w.account_id, w.workspace_id, ${isApart} as apart, ${others} as others
    )
    select graphile_worker.add_job(case when apart then 'deliver_failing_webhook' else 'deliver_webhook' end,
      json_build_object('webhookId', id, 'about', json_build_object('account', account_id, 'workspace', workspace_id)),
      priority => ${inTurn(sql.fragment`others + row_number() over (partition by account_id order by id) - 1`)})
    from marked`);
}

const bytes = z.instanceof(Buffer);

const Held = z.object({
  id: z.number(),
  holder: z.string(),
  accountId: z.number(),
  workspaceId: z.number(),
  userId: z.number(),
  url: z.string(),
  kinds: z.array(z.string()).nullable(),
  format: WebhookFormat.unwrap(),
  secret: bytes,
  oldSecret: bytes.nullable(),
  place: Cursor,
});
export type HeldWebhook = z.infer<typeof Held>;

/** Takes the webhook for this job and clears its mark. Returns null if another job holds it, or if it is paused or revoked. */
export function holdToDeliver(tx: Tx, id: number): Promise<HeldWebhook | null> {
  return tx.maybeOne(sql.type(Held)`
    update webhooks set holder = gen_random_uuid(), held_until = now() + ${HELD_SECONDS} * interval '1 second', marked_at = null,
      old_secret = case when old_secret_until > now() then old_secret end,
      old_secret_until = case when old_secret_until > now() then old_secret_until end
    where id = ${id} and revoked_at is null and rests_since is null and (held_until is null or held_until < now())
    returning id, holder::text, account_id as "accountId", workspace_id as "workspaceId", user_id as "userId", url, kinds, format, secret,
      old_secret as "oldSecret", json_build_object('era', era::text, 'xact', xact::text, 'id', change_id::text) as place`);
}

const Seconds = z.object({ seconds: z.number() });

/** Enqueues a job for when the hold ends, in case its holder crashes. */
export async function deliverWhenFree(tx: Tx, id: number): Promise<void> {
  const seconds = await tx.maybeOneFirst(sql.type(Seconds)`
    select greatest(1, ceil(extract(epoch from held_until - now())))::integer as seconds from webhooks
    where id = ${id} and revoked_at is null and rests_since is null`);
  if (seconds !== null) await enqueue(tx, 'deliver_webhook', { webhookId: id }, { delaySeconds: seconds, key: `webhook_held:${id}` });
}

const Change = z.object({ id: z.number(), kind: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()), place: Cursor });
export type DeliverableChange = z.infer<typeof Change>;
const Looked = z.object({ rights: z.number(), change: Change.nullable(), last: Cursor.nullable() });
type Looked = z.infer<typeof Looked>;

/** Returns the first of these changes that the webhook's creator may read now. null: the creator has lost access. */
function lookAt(tx: Tx, { userId, workspaceId, kinds }: HeldWebhook, rows: Fragment): Promise<Looked | null> {
  const maker = { kind: 'user', userId } as const;
  return tx.maybeOne(sql.type(Looked)`
    with ${accessTo(maker, workspaceId)},
    looked as materialized (${rows}),
    next as (
      select json_build_object('id', c.id, 'kind', ${apiKind}, 'at', ${changedAtText}, 'data', ${changeJson(maker)}, 'place', ${placeJson}) as change
      from (
        select c.*, i.type as item_type, ${titleOfChange} as item_title from access, looked c ${itemOfChange}
        where ${visibleChange} ${kinds ? sql.fragment`and ${apiKind} = any(${sql.array(kinds, 'text')})` : sql.fragment``}
        order by ${inOrderIn.workspace_id} limit 1
      ) c ${actorOfChange}, access
    )
    select access.rights, (select change from next) as change,
      (select ${placeJson} from looked c order by c.era desc, c.xact desc, c.id desc limit 1) as last
    from access`);
}

const LOOKED_AT = 200;

/** Returns the first readable change after the webhook's cursor. `last` alone: no readable change up to there. null: nothing new. */
export function readNext(tx: Tx, webhook: HeldWebhook): Promise<Looked | null> {
  return lookAt(
    tx,
    webhook,
    sql.fragment`select c.* from changes c where ${settledIn('workspace_id', sql.fragment`${webhook.workspaceId}::bigint`, webhook.place)}
      order by ${inOrderIn.workspace_id} limit ${LOOKED_AT}`,
  );
}

export function readAgain(tx: Tx, webhook: HeldWebhook, changeId: number): Promise<Looked | null> {
  const rows = sql.fragment`select c.* from changes c where c.id = ${changeId} and c.workspace_id = ${webhook.workspaceId}`;
  return lookAt(tx, webhook, rows);
}

const Due = z.object({ id: z.number(), changeId: z.number().nullable(), attempts: z.number(), createdAt: z.string() });
export type DueDelivery = z.infer<typeof Due>;

export function readDue(tx: Tx, webhookId: number): Promise<DueDelivery | null> {
  return tx.maybeOne(sql.type(Due)`
    select id, change_id as "changeId", attempts, created_at as "createdAt" from webhook_deliveries
    where webhook_id = ${webhookId} and state = 'waiting' and next_at <= now() order by next_at, id limit 1`);
}

const One = z.object({ one: z.number() });

/** CTE `mine`: extends the hold, and has no row if this job has lost the webhook. */
const mine = ({ id, holder }: HeldWebhook, changes: Fragment) => sql.fragment`
  mine as (
    update webhooks set held_until = now() + ${HELD_SECONDS} * interval '1 second' ${changes}
    where id = ${id} and holder = ${holder}::uuid returning id, account_id
  )`;

const moved = ({ era, xact, id }: Cursor): Fragment =>
  sql.fragment`, era = ${era}::integer, xact = ${xact}::xid8, change_id = ${id}::bigint`;
/** A receiver that takes longer is slow: its messages don't delay those of others (behaviour §16.12). */
const SLOW_MS = 1_000;
export const isSlow = ({ ms }: Attempt): boolean => ms > SLOW_MS;

const judged = (attempt: Attempt): Fragment => sql.fragment`, slow = ${isSlow(attempt)},
  failing_since = ${attempt.ok ? sql.fragment`null` : sql.fragment`coalesce(failing_since, now())`}`;

/** For a row of webhooks: its latest attempt failed or was slow. */
export const isApart = fixedSql('(failing_since is not null or slow)');

/** Moves the cursor to `place` without a delivery. Returns false if this job has lost the webhook. */
export async function skipTo(tx: Tx, webhook: HeldWebhook, place: Cursor): Promise<boolean> {
  return (await tx.maybeOne(sql.type(One)`with ${mine(webhook, moved(place))} select 1 as one from mine`)) !== null;
}

/** Saves the first attempt and moves the cursor. `nextIn`: seconds until the retry; null after a success. False if this job has lost the
 *  webhook. */
export async function storeFirstAttempt(tx: Tx, webhook: HeldWebhook, change: DeliverableChange, attempt: Attempt, nextIn: number | null) {
  const { ok, status, answer, ms } = attempt;
  const done = await tx.maybeOne(sql.type(One)`
    with ${mine(webhook, sql.fragment`${moved(change.place)} ${judged(attempt)}`)}
    insert into webhook_deliveries (account_id, webhook_id, change_id, state, attempts, next_at, attempted_at, status, answer, ms)
    select account_id, id, ${change.id}, ${ok ? 'delivered' : 'waiting'}, 1, now() + ${nextIn}::integer * interval '1 second', now(),
      ${status}::integer, ${answer}, ${ms}::integer
    from mine
    on conflict (change_id, webhook_id) where change_id is not null do update set state = excluded.state, attempts = excluded.attempts,
      next_at = excluded.next_at, attempted_at = excluded.attempted_at, status = excluded.status, answer = excluded.answer, ms = excluded.ms
    returning 1 as one`);
  return done !== null;
}

/** Saves the outcome of a retry or a test. Returns false if this job has lost the webhook. */
export async function storeRetry(
  tx: Tx,
  webhook: HeldWebhook,
  deliveryId: number,
  state: 'delivered' | 'waiting' | 'failed',
  attempt: Attempt,
  nextIn: number | null,
): Promise<boolean> {
  const { status, answer, ms } = attempt;
  const done = await tx.maybeOne(sql.type(One)`
    with ${mine(webhook, judged(attempt))}
    update webhook_deliveries d set state = ${state}, attempts = d.attempts + 1, next_at = now() + ${nextIn}::integer * interval '1 second',
      attempted_at = now(), status = ${status}::integer, answer = ${answer}, ms = ${ms}::integer
    from mine where d.id = ${deliveryId} and d.webhook_id = mine.id returning 1 as one`);
  return done !== null;
}

export async function drop(tx: Tx, webhook: HeldWebhook, deliveryId: number): Promise<boolean> {
  const done = await tx.maybeOne(sql.type(One)`
    with ${mine(webhook, sql.fragment``)}
    update webhook_deliveries d set state = 'dropped', next_at = null from mine where d.id = ${deliveryId} and d.webhook_id = mine.id
    returning 1 as one`);
  return done !== null;
}

const Released = z.object({ apart: z.boolean(), more: z.boolean(), priority: z.number(), dueAt: z.string().nullable() });

/** Releases the webhook. Enqueues the next job, in turns of the accounts: now if there is `more` or changes were marked during the hold, otherwise when the next retry
 *  is due. */
export async function release(tx: Tx, { id, holder, accountId, workspaceId }: HeldWebhook, more: boolean): Promise<void> {
  const released = await tx.maybeOne(sql.type(Released)`
    update webhooks w set holder = null, held_until = null, marked_at = case when ${more} then now() else marked_at end
    where id = ${id} and holder = ${holder}::uuid
    returning ${isApart} as apart, marked_at is not null as more, ${inTurn(others)} as priority, (
      select min(next_at) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting') as "dueAt"`);
  if (!released) return;
  const name = released.apart ? 'deliver_failing_webhook' : 'deliver_webhook';
  const inTurns = { about: { account: accountId, workspace: workspaceId }, priority: released.priority };
  if (released.more) await enqueue(tx, name, { webhookId: id }, inTurns);
  if (released.dueAt) await enqueue(tx, name, { webhookId: id }, { ...inTurns, runAt: released.dueAt, key: `webhook_due:${id}` });
}

/** Pauses a failing webhook (behaviour §16.7). */
const Paused = z.object({ since: z.string() });
const Person = z.object({ id: z.number() });

/** Notifies the webhook's creator. If they left, notifies the workspace's owners, or the account's. Call in a transaction. */
export async function pauseWebhook(
  tx: Tx,
  { id, holder, accountId, workspaceId, userId }: HeldWebhook,
  because: PauseReason,
): Promise<void> {
  const since = await tx.maybeOneFirst(sql.type(Paused)`
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
