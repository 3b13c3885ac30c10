/** Checks that every change reached a webhook receiver that fails in many ways. */
import { insertWebhook } from '../../src/webhooks/queries.ts';
import { newSigningSecret, seal } from '../../src/webhooks/seal.ts';
import type { Receiver, ReceiverMood } from '../support/receiver.ts';
import { withDb } from '../support/withDb.ts';
import { TEST_SECRET } from '../support/world.ts';
import type { Postgres } from './postgres.ts';
import type { Random } from './random.ts';

const bad: ReceiverMood[] = ['resets', 'fails', 'redirects', 'goes on talking'];

/** From now on it fails every twelfth message. A message that hangs blocks its webhook for 15 s. */
export function failOften(receiver: Receiver, random: Random): void {
  receiver.mood = () => {
    if (!random.chance(1 / 12)) return 'takes';
    return random.chance(0.1) ? 'hangs' : random.pick(bad);
  };
}

/** Returns its secret. */
export async function makeWebhook(databaseUrl: string, workspaceId: number, userId: number, url: string): Promise<string> {
  const secret = newSigningSecret();
  const sealed = seal(TEST_SECRET, workspaceId, secret);
  const webhook = { workspaceId, userId, url, kinds: null, format: 'stint' as const, secret: sealed };
  await withDb(databaseUrl, 1, (db) => db.transaction((tx) => insertWebhook(tx, webhook)));
  return secret;
}

/** From now on it accepts everything, and no message waits for its next attempt. */
export async function acceptEverything(receiver: Receiver, postgres: Postgres): Promise<void> {
  receiver.mood = () => 'takes';
  await postgres.rows(`update webhook_deliveries set next_at = now() where state = 'waiting' and next_at > now()`);
  await postgres.rows(
    `update graphile_worker._private_jobs set run_at = now() where key like 'webhook_due:%' and locked_at is null and run_at > now()`,
  );
}

/** Changes that have not arrived yet. */
export async function undelivered({ taken }: Receiver, postgres: Postgres): Promise<string[]> {
  const arrived = new Set(taken.map(({ headers }) => headers['webhook-id']));
  const rows = await postgres.rows('select id, kind from changes');
  return rows.filter(({ id }) => !arrived.has(String(id))).map(({ id, kind }) => `${kind} ${id}`);
}
