/** Sends a webhook's due deliveries one by one (behaviour §16.5, §16.6). Each outcome is saved before the next attempt, so a crash may
 *  repeat a delivery but never loses one. */

import { Webhook } from 'standardwebhooks';
import { readsChanges } from '../changes/queries.ts';
import { apiKinds } from '../changes/schema.ts';
import type { Db } from '../database/db.ts';
import type { SecretKeys } from '../values/secretKeys.ts';
import { chatBody, sentenceOf, testSentence } from './chat.ts';
import {
  type DeliverableChange,
  type DueDelivery,
  deliverWhenFree,
  drop,
  type HeldWebhook,
  holdToDeliver,
  isSlow,
  pauseWebhook,
  readAgain,
  readDue,
  readNext,
  release,
  skipTo,
  storeFirstAttempt,
  storeRetry,
} from './deliveryQueries.ts';
import type { PauseReason } from './schema.ts';
import { unseal } from './seal.ts';
import { type Attempt, type SendSettings, send } from './send.ts';

/** Body and headers of a webhook request, by Standard Webhooks (behaviour §16.4). */
export interface Message {
  /** The same for every attempt, so that a receiver can drop duplicates. */
  id: string;
  body: string;
}

/** `timestamp`: when the change happened. */
export const bodyOf = (type: string, timestamp: string, data: unknown): string => JSON.stringify({ type, timestamp, data });

/** Signs with every valid secret, because during a rotation the receiver may know only one of two. */
export function headersOf({ id, body }: Message, secrets: readonly string[], now: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Stint-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/** When failed deliveries are retried (behaviour §16.6). Pure. */
const [SECOND, MINUTE, HOUR] = [1, 60, 3_600];

/** Seconds after the first attempt, the second, … */
export const repeatsAfter = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

/** Seconds until the next attempt after `failed` failures; null if there is none and the webhook pauses. */
export const nextAttemptIn = (failed: number): number | null => repeatsAfter[failed - 1] ?? null;

export interface DeliverSettings extends SendSettings {
  keys: SecretKeys;
  /** URL of the pages, for links in chat formats. */
  baseUrl: string;
  observe?: (attempt: Attempt) => void;
}

/** After this many deliveries, or this time of waiting for the receiver, the job yields to other webhooks. */
const MOST_AT_ONCE = 100;
const LONGEST_MS = 2_000;

/** `next`: continue. `done`: nothing left. `later`: yield to other webhooks. `over`: another job holds the webhook, or it is paused. */
type Step = 'next' | 'done' | 'later' | 'over';

interface Run {
  db: Db;
  webhook: HeldWebhook;
  secrets: readonly string[];
  settings: DeliverSettings;
  /** Time of all attempts of this job. */
  sending: { ms: number };
}

export async function deliverDue(db: Db, webhookId: number, settings: DeliverSettings): Promise<void> {
  const webhook = await holdToDeliver(db.pool(), webhookId);
  if (!webhook) return deliverWhenFree(db.pool(), webhookId);
  let step: Step = 'later';
  try {
    const secrets = secretsOf(webhook, settings.keys);
    if (!secrets) step = await rest(db, webhook, 'secret');
    else if (!sendsAny(webhook)) step = await rest(db, webhook, 'kinds');
    else step = await steps({ db, webhook, secrets, settings, sending: { ms: 0 } });
  } catch (error) {
    if (!settings.signal?.aborted) throw error;
  } finally {
    if (step !== 'over') await db.transaction((tx) => release(tx, webhook, step === 'later'));
  }
}

const sendsAny = ({ kinds }: HeldWebhook): boolean => kinds === null || apiKinds.some((kind) => kinds.includes(kind));

/** Returns null if the current secret can't be decrypted. */
function secretsOf({ secret, oldSecret, workspaceId }: HeldWebhook, keys: SecretKeys): string[] | null {
  const [latest, old] = [secret, oldSecret].map((sealed) => sealed && unseal(keys, workspaceId, sealed));
  return latest ? [latest.secret, ...(old ? [old.secret] : [])] : null;
}

async function steps(run: Run): Promise<Step> {
  for (let count = 0; count < MOST_AT_ONCE && run.sending.ms < LONGEST_MS; count++) {
    if (run.settings.signal?.aborted) return 'later';
    const due = await readDue(run.db.pool(), run.webhook.id);
    const step = due ? await again(run, due) : await further(run);
    if (step !== 'next') return step;
  }
  return 'later';
}

async function further({ db, webhook, ...run }: Run): Promise<Step> {
  const looked = await readNext(db.pool(), webhook);
  if (!looked || !readsChanges(looked.rights)) return rest(db, webhook, 'maker');
  const { change, last } = looked;
  if (!change) {
    if (!last) return 'done';
    webhook.place = last;
    return (await skipTo(db.pool(), webhook, last)) ? 'next' : 'over';
  }
  const attempt = await attemptAt(run, webhook, messageOf(run.settings, webhook, change));
  const kept = await storeFirstAttempt(db.pool(), webhook, change, attempt, attempt.ok ? null : nextAttemptIn(1));
  webhook.place = change.place;
  return after(kept, attempt);
}

async function again({ db, webhook, ...run }: Run, due: DueDelivery): Promise<Step> {
  if (due.changeId === null) {
    const attempt = await attemptAt(run, webhook, testOf(run.settings, webhook, due));
    return after(await storeRetry(db.pool(), webhook, due.id, attempt.ok ? 'delivered' : 'failed', attempt, null), attempt);
  }
  const looked = await readAgain(db.pool(), webhook, due.changeId);
  if (!looked || !readsChanges(looked.rights)) return rest(db, webhook, 'maker');
  if (!looked.change) return (await drop(db.pool(), webhook, due.id)) ? 'next' : 'over';
  const attempt = await attemptAt(run, webhook, messageOf(run.settings, webhook, looked.change));
  const nextIn = attempt.ok ? null : nextAttemptIn(due.attempts + 1);
  if (!attempt.ok && nextIn === null) {
    // This delivery stays waiting until a user resumes the webhook.
    await storeRetry(db.pool(), webhook, due.id, 'waiting', attempt, 0);
    return rest(db, webhook, 'failures');
  }
  return after(await storeRetry(db.pool(), webhook, due.id, attempt.ok ? 'delivered' : 'waiting', attempt, nextIn), attempt);
}

/** After a failed or slow attempt this job yields its place, because other webhooks may be waiting for it. */
function after(kept: boolean, attempt: Attempt): Step {
  if (!kept) return 'over';
  return attempt.ok && !isSlow(attempt) ? 'next' : 'later';
}

const workspaceUrl = ({ baseUrl }: DeliverSettings, { workspaceId }: HeldWebhook): string => `${baseUrl}/workspaces/${workspaceId}`;

function messageOf(settings: DeliverSettings, webhook: HeldWebhook, { id, kind, at, data }: DeliverableChange): Message {
  const { format } = webhook;
  const body = format === 'stint' ? bodyOf(kind, at, data) : chatBody(format, sentenceOf(data, workspaceUrl(settings, webhook)));
  return { id: String(id), body };
}

function testOf(settings: DeliverSettings, webhook: HeldWebhook, due: DueDelivery): Message {
  const { id, workspaceId, format } = webhook;
  const body =
    format === 'stint'
      ? bodyOf('webhook.test', due.createdAt, { webhookId: id, workspaceId })
      : chatBody(format, testSentence(id, workspaceUrl(settings, webhook)));
  return { id: `test_${due.id}`, body };
}

async function attemptAt(
  { secrets, settings, sending }: Omit<Run, 'db' | 'webhook'>,
  { url }: HeldWebhook,
  message: Message,
): Promise<Attempt> {
  const attempt = await send(url, headersOf(message, secrets, new Date()), message.body, settings);
  settings.observe?.(attempt);
  sending.ms += attempt.ms;
  return attempt;
}

async function rest(db: Db, webhook: HeldWebhook, because: PauseReason): Promise<Step> {
  await db.transaction((tx) => pauseWebhook(tx, webhook, because));
  return 'over';
}
