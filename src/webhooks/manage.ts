/** Creates, shows and changes the webhooks of a workspace (behaviour §16.1, §16.8). */
import { z } from 'zod';
import { type AccountPermit, requireWebhookManager } from '../access/accountAccessQueries.ts';
import type { Caller } from '../access/caller.ts';
import type { Subject } from '../audit/line.ts';
import type { Tx } from '../database/db.ts';
import type { Read, Write } from '../operations/operation.ts';
import { Forbidden, InvalidRequest } from '../values/errors.ts';
import { Id } from '../values/text.ts';
import { faultOfUrl } from './address.ts';
import {
  endWebhook,
  holdWebhook,
  insertTest,
  insertWebhook,
  type NewWebhook,
  readDeliveries,
  readWebhook,
  replaceSecret,
  resumeDelivery,
  type Scope,
  sendAgain as sendOneAgain,
} from './queries.ts';
import { type DeliveryRow, Kinds, WebhookFormat, type WebhookRow } from './schema.ts';
import { newSigningSecret, seal } from './seal.ts';

export interface WebhookSettings {
  secretKey: string;
  privateAddresses: boolean;
}

export type { DeliveryRow, WebhookRow } from './schema.ts';

export interface CreatedWebhook {
  id: number;
  /** Never shown again. */
  secret: string;
}

export async function makeWebhook(
  tx: Tx,
  { secretKey, privateAddresses }: WebhookSettings,
  { url, ...given }: Omit<NewWebhook, 'secret'>,
): Promise<CreatedWebhook> {
  const fault = faultOfUrl(url, privateAddresses);
  if (fault) throw new InvalidRequest(['url'], fault);
  const secret = newSigningSecret();
  const sealed = seal(secretKey, given.workspaceId, secret);
  return { id: await insertWebhook(tx, { ...given, url: new URL(url).href, secret: sealed }), secret };
}

/** Creates a new secret. The previous one also signs for 24 hours. Throws InvalidRequest. */
export async function rotate(tx: Tx, { secretKey }: Pick<WebhookSettings, 'secretKey'>, scope: Scope, id: number): Promise<CreatedWebhook> {
  const workspaceId = await holdWebhook(tx, scope, id);
  const secret = newSigningSecret();
  await replaceSecret(tx, id, seal(secretKey, workspaceId, secret));
  return { id, secret };
}

export async function revoke(tx: Tx, scope: Scope, id: number): Promise<void> {
  await holdWebhook(tx, scope, id);
  await endWebhook(tx, id);
}

/** Returns the delivery's id. Throws InvalidRequest, or Conflict if the webhook is paused. */
export async function test(tx: Tx, scope: Scope, id: number): Promise<number> {
  await holdWebhook(tx, scope, id);
  return insertTest(tx, id);
}

const authorize = (tx: Tx, caller: Caller, { workspaceId }: { workspaceId: number }): Promise<AccountPermit> =>
  requireWebhookManager(tx, caller, workspaceId);

const OfWorkspace = z.strictObject({ workspaceId: Id });
const One = OfWorkspace.extend({ webhook: Id });
type One = z.infer<typeof One>;

export const getWebhook: Read<One, { webhook: WebhookRow; deliveries: readonly DeliveryRow[] }> = {
  name: 'getWebhook',
  input: One,
  async run(tx, caller, { workspaceId, webhook: id }) {
    await requireWebhookManager(tx, caller, workspaceId);
    const webhook = await readWebhook(tx, { workspaceId }, id);
    if (!webhook) throw new Forbidden();
    return { webhook, deliveries: await readDeliveries(tx, caller, workspaceId, id) };
  },
};

const about = (_permit: unknown, { webhook }: { webhook: number }): Subject => ({ type: 'webhook', id: webhook });

const New = OfWorkspace.extend({ url: z.string({ error: 'give a URL' }).trim(), kinds: Kinds, format: WebhookFormat });

export const createWebhook = (settings: WebhookSettings): Write<z.infer<typeof New>, CreatedWebhook, AccountPermit> => ({
  name: 'createWebhook',
  input: New,
  async authorize(tx, caller, input) {
    const permit = await requireWebhookManager(tx, caller, input.workspaceId);
    if (!permit.mayMake) throw new Forbidden();
    return permit;
  },
  audit: [{ kind: 'webhook.made', made: (_permit, _input, { id }) => ({ type: 'webhook', id }) }],
  run: (tx, { userId }, input) => makeWebhook(tx, settings, { ...input, userId }),
});

export const rotateWebhook = (settings: WebhookSettings): Write<One, CreatedWebhook, AccountPermit> => ({
  name: 'rotateWebhook',
  input: One,
  authorize,
  audit: [{ kind: 'webhook.rotated', about, event: true }],
  run: (tx, _permit, { workspaceId, webhook }) => rotate(tx, settings, { workspaceId }, webhook),
});

export const revokeWebhook: Write<One, void, AccountPermit> = {
  name: 'revokeWebhook',
  input: One,
  authorize,
  audit: [{ kind: 'webhook.revoked', about }],
  run: (tx, _permit, { workspaceId, webhook }) => revoke(tx, { workspaceId }, webhook),
};

export const testWebhook: Write<One, number, AccountPermit> = {
  name: 'testWebhook',
  input: One,
  authorize,
  run: (tx, _permit, { workspaceId, webhook }) => test(tx, { workspaceId }, webhook),
};

/** Resumes a paused webhook. Sends waiting deliveries now, then the changes since. */
export const resumeWebhook: Write<One, void, AccountPermit> = {
  name: 'resumeWebhook',
  input: One,
  authorize,
  async run(tx, _permit, { workspaceId, webhook }) {
    await holdWebhook(tx, { workspaceId }, webhook);
    await resumeDelivery(tx, webhook);
  },
};

const Delivery = One.extend({ delivery: Id });

export const sendAgain: Write<z.infer<typeof Delivery>, void, AccountPermit> = {
  name: 'sendAgain',
  input: Delivery,
  authorize,
  async run(tx, _permit, { workspaceId, webhook, delivery }) {
    await holdWebhook(tx, { workspaceId }, webhook);
    await sendOneAgain(tx, webhook, delivery);
  },
};

export const webhookOperations = (settings: WebhookSettings) => ({
  createWebhook: createWebhook(settings),
  rotateWebhook: rotateWebhook(settings),
});
