/** Schemas of webhooks (behaviour §16). */
import { z } from 'zod';
import { apiKinds, Change } from '../changes/schema.ts';
import { keysOf } from '../values/records.ts';

/** The previous secret also signs for this time. */
export const ROTATION_HOURS = 24;
export const DELIVERIES_SHOWN = 100;

export const pauseReasons = ['failures', 'maker', 'secret', 'kinds'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** How a webhook writes its messages, with their names on pages (behaviour §16.10). */
export const formatNames = { stint: 'Stint JSON', slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord' } as const;
const formats = keysOf(formatNames);
export const WebhookFormat = z.enum(formats, { error: `give one of ${formats.join(', ')}` }).default('stint');
export type WebhookFormat = z.infer<typeof WebhookFormat>;
export type ChatFormat = Exclude<WebhookFormat, 'stint'>;

const kindsMessage = `give some of ${apiKinds.join(', ')}`;

export const Kinds = z
  .array(
    z.enum(apiKinds, {
      error: ({ input }) =>
        String(input).startsWith('approval.')
          ? `webhooks send no approvals. The change of status comes as item.updated: ${kindsMessage}`
          : kindsMessage,
    }),
  )
  .transform((kinds) => (kinds.length === 0 || kinds.length === apiKinds.length ? null : [...new Set(kinds)]));

export const WebhookMessage = z
  .strictObject({ type: z.enum(apiKinds), timestamp: z.iso.datetime().meta({ description: 'When it happened.' }), data: Change })
  .meta({ id: 'WebhookMessage' });

export const WebhookRow = z.object({
  id: z.number(),
  workspaceId: z.number(),
  userId: z.number(),
  userName: z.string(),
  url: z.string(),
  /** null: all kinds. */
  kinds: z.array(z.string()).nullable(),
  format: WebhookFormat.unwrap(),
  state: z.enum(['works', 'failing', 'rests', 'revoked']),
  restsBecause: z.enum(pauseReasons).nullable(),
  waiting: z.number(),
  rotating: z.boolean(),
  createdAt: z.string(),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

export const DeliveryRow = z.object({
  id: z.number(),
  changeId: z.number().nullable(),
  /** null for a test, and for a change that the reader may not see. */
  kind: z.string().nullable(),
  state: z.enum(['waiting', 'delivered', 'dropped', 'failed']),
  attempts: z.number(),
  nextAt: z.string().nullable(),
  attemptedAt: z.string().nullable(),
  status: z.number().nullable(),
  answer: z.string().nullable(),
  ms: z.number().nullable(),
});
export type DeliveryRow = z.infer<typeof DeliveryRow>;
