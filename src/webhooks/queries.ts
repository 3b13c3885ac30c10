import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { apiKind, itemOfChange, visibleChange } from '../changes/queries.ts';
import type { Fragment, Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { shownUrl } from '../notifications/shownUrl.ts';
import { enqueue } from '../queue/jobs.ts';
import { Conflict, InvalidRequest } from '../values/errors.ts';
import { isApart } from './deliveryQueries.ts';
import { DELIVERIES_SHOWN, DeliveryRow, ROTATION_HOURS, type WebhookFormat, WebhookRow } from './schema.ts';

/** `everything`: the operator on the command line. */
export type Scope = 'everything' | { workspaceId: number };

const within = (scope: Scope): Fragment =>
  scope === 'everything' ? sql.fragment`true` : sql.fragment`w.workspace_id = ${scope.workspaceId}`;

const absent = (id: number) => new InvalidRequest(['webhook'], `there is no webhook ${id} that can be changed; check the id.`);

const columns = sql.fragment`w.id, w.workspace_id as "workspaceId", w.user_id as "userId", u.name as "userName", ${shownUrl('w')} as url, w.kinds, w.format,
  case when w.revoked_at is not null then 'revoked' when w.rests_since is not null then 'rests' when w.failing_since is not null then 'failing'
    else 'works' end as state,
  w.rests_because as "restsBecause", (select count(*) from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting') as waiting,
  coalesce(w.old_secret_until > now(), false) as rotating, w.created_at as "createdAt"`;

export const webhooksOf = sql.fragment`
  select coalesce(json_agg(row_to_json(h) order by h.state = 'revoked', h.id), '[]') from (
    select ${columns} from webhooks w join users u on u.id = w.user_id
    where w.account_id = p.account_id and w.workspace_id = p.id
    order by w.revoked_at is not null, w.id limit 200) h`;

export function listAllWebhooks(tx: Tx, workspaceId: number | undefined, after: number, limit: number): Promise<readonly WebhookRow[]> {
  return tx.any(sql.type(WebhookRow)`
    select ${columns} from webhooks w join users u on u.id = w.user_id
    where w.id > ${after} and ${workspaceId === undefined ? sql.fragment`true` : sql.fragment`w.workspace_id = ${workspaceId}`}
    order by w.id limit ${limit}`);
}

/** Returns null if there is no such webhook in the scope. */
export function readWebhook(tx: Tx, scope: Scope, id: number): Promise<WebhookRow | null> {
  return tx.maybeOne(sql.type(WebhookRow)`
    select ${columns} from webhooks w join users u on u.id = w.user_id where w.id = ${id} and ${within(scope)}`);
}

/** Changes that the caller may not read have no kind and no answer, which may repeat the message. */
export function readDeliveries(tx: Tx, caller: Caller, workspaceId: number, webhookId: number): Promise<readonly DeliveryRow[]> {
  return tx.any(sql.type(DeliveryRow)`
    with ${accessTo(caller, workspaceId)}
    select d.id, d.change_id as "changeId", case when seen.readable then seen.kind end as kind, d.state, d.attempts, d.next_at as "nextAt",
      d.attempted_at as "attemptedAt", d.status, case when seen.readable or d.change_id is null and access.workspace_id is not null then d.answer end as answer, d.ms
    from access, webhook_deliveries d left join lateral (
      select ${apiKind} as kind, ${visibleChange} as readable from changes c ${itemOfChange} where c.id = d.change_id
    ) seen on true
    where d.webhook_id = ${webhookId} order by d.id desc limit ${DELIVERIES_SHOWN}`);
}

const Counts = z.object({ resting: z.number(), others: z.number() });

export function countWebhooks(tx: Tx): Promise<z.infer<typeof Counts>> {
  return tx.one(sql.type(Counts)`
    select count(*) filter (where rests_since is not null) as resting, count(*) filter (where rests_since is null) as others
    from webhooks where revoked_at is null`);
}

const Count = z.object({ count: z.number() });

/** Upper bound of the messages to send: creators may not be allowed to read all of these changes. */
export const countToDeliver = (tx: Tx): Promise<number> =>
  tx.oneFirst(sql.type(Count)`
    with working as (select * from webhooks where revoked_at is null and rests_since is null)
    select (select count(*) from working w join changes c on c.workspace_id = w.workspace_id
        and (c.era, c.xact, c.id) > (w.era, w.xact, w.change_id) and (w.kinds is null or ${apiKind} = any(w.kinds)))
      + (select count(*) from working w join webhook_deliveries d on d.webhook_id = w.id and d.state = 'waiting') as count`);

export interface NewWebhook {
  workspaceId: number;
  userId: number;
  url: string;
  kinds: string[] | null;
  format: WebhookFormat;
  secret: Buffer;
}

const Made = z.object({ id: z.number() });

/** The cursor starts after all changes that are readable now. Throws InvalidRequest. */
export async function insertWebhook(tx: Tx, { workspaceId, userId, url, kinds, format, secret }: NewWebhook): Promise<number> {
  const made = await tx.maybeOne(sql.type(Made)`
    insert into webhooks (account_id, workspace_id, user_id, url, kinds, format, secret, era, xact, change_id)
    select m.account_id, m.workspace_id, m.user_id, ${url}, ${kinds && sql.array(kinds, 'text')}, ${format}, ${sql.binary(secret)},
      change_era(), pg_snapshot_xmin(pg_current_snapshot()), 0
    from memberships m join users u on u.id = m.user_id and u.active join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId} and m.role in ('owner', 'manager')
    returning id`);
  if (!made)
    throw new InvalidRequest(
      ['user'],
      'is not an owner or manager of this workspace. Choose one, because a webhook has the rights of its creator.',
    );
  return made.id;
}

const Held = z.object({ workspaceId: z.number() });

/** Locks a webhook that is not revoked until the transaction ends. Returns its workspace's id. Throws InvalidRequest. */
export async function holdWebhook(tx: Tx, scope: Scope, id: number): Promise<number> {
  const held = await tx.maybeOne(sql.type(Held)`
    select w.workspace_id as "workspaceId" from webhooks w where w.id = ${id} and w.revoked_at is null and ${within(scope)} for no key update`);
  if (!held) throw absent(id);
  return held.workspaceId;
}

export async function replaceSecret(tx: Tx, id: number, secret: Buffer): Promise<void> {
  await tx.query(sql.unsafe`
    update webhooks set secret = ${sql.binary(secret)}, old_secret = secret, old_secret_until = now() + ${ROTATION_HOURS} * interval '1 hour'
    where id = ${id}`);
}

export async function endWebhook(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`
    with dropped as (
      update webhook_deliveries set state = 'dropped', next_at = null where webhook_id = ${id} and state = 'waiting'
    )
    update webhooks set revoked_at = now(), secret = '', old_secret = null, old_secret_until = null, holder = null, held_until = null,
      marked_at = null where id = ${id}`);
}

const State = z.object({ rests: z.boolean(), apart: z.boolean(), account_id: z.number() });

async function wake(tx: Tx, id: number): Promise<void> {
  const { apart, account_id } = await tx.one(sql.type(State)`
    update webhooks set marked_at = now() where id = ${id}
    returning rests_since is not null as rests, ${isApart} as apart, account_id`);
  await enqueue(tx, apart ? 'deliver_failing_webhook' : 'deliver_webhook', { webhookId: id }, { about: { account: account_id } });
}

async function requireWorking(tx: Tx, id: number): Promise<void> {
  const { rests } = await tx.one(sql.type(State)`
    select rests_since is not null as rests, ${isApart} as apart, account_id from webhooks where id = ${id}`);
  if (rests) throw new Conflict('This webhook is paused. Resume it first.');
}

/** Inserts a test delivery, which has no change. Returns its id. Throws Conflict if the webhook is paused. */
export async function insertTest(tx: Tx, id: number): Promise<number> {
  await requireWorking(tx, id);
  const { id: deliveryId } = await tx.one(sql.type(Made)`
    insert into webhook_deliveries (account_id, webhook_id, state, next_at)
    select account_id, id, 'waiting', now() from webhooks where id = ${id} returning id`);
  await wake(tx, id);
  return deliveryId;
}

/** Sends a delivery again and resets its attempts. Throws InvalidRequest, or Conflict if the webhook is paused. */
export async function sendAgain(tx: Tx, id: number, deliveryId: number): Promise<void> {
  await requireWorking(tx, id);
  const found = await tx.maybeOne(sql.type(Made)`
    update webhook_deliveries set state = 'waiting', next_at = now(), attempts = 0
    where id = ${deliveryId} and webhook_id = ${id} returning id`);
  if (!found) throw new InvalidRequest(['delivery'], `there is no delivery ${deliveryId}; it may have been deleted. Reload the page.`);
  await wake(tx, id);
}

export async function resumeDelivery(tx: Tx, id: number): Promise<void> {
  await tx.query(sql.unsafe`
    with due as (update webhook_deliveries set next_at = now(), attempts = 0 where webhook_id = ${id} and state = 'waiting')
    update webhooks set rests_since = null, rests_because = null, failing_since = null, slow = false where id = ${id}`);
  await wake(tx, id);
}
