/** Converts the validating zod schemas to JSON Schema 2020-12. */
import { z } from 'zod';
import { type JsonSchema, orNull, withoutTypeBounds } from '../../operations/input.ts';
import { elementAt, isRecord } from '../../values/records.ts';
import { WebhookMessage } from '../../webhooks/schema.ts';
import { examples } from '../examples.ts';

const REF = '#/components/schemas/';

export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** Throws if two different schemas have the same id. */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const id = schema.meta()?.id;
    const { $schema: _dialect, $defs = {}, ...own } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
    for (const [name, found] of Object.entries($defs)) this.#keep(name, tidy(found));
    if (!id || own.$ref) return tidy(own);
    this.#keep(id, tidy(own));
    return { $ref: REF + id };
  }

  #keep(name: string, schema: JsonSchema) {
    const { id: _id, ...kept } = schema;
    const known = this.components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(kept)) {
      throw new Error(`Two different schemas are called ${name}: give one of them another id.`);
    }
    this.components[name] = kept;
  }
}

function tidy(schema: JsonSchema): JsonSchema {
  const tidied: JsonSchema = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, tidyPart(part)]));
  if (tidied.$ref) tidied.$ref = tidied.$ref.replace('#/$defs/', REF);
  return orNull(withoutNoise(tidied));
}

function tidyPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidyPart);
  return isRecord(part) ? tidy(part) : part;
}

function withoutNoise(schema: JsonSchema): JsonSchema {
  const { type, pattern, ...rest } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...withoutTypeBounds(rest),
    ...(type === 'integer' && rest.maximum === Number.MAX_SAFE_INTEGER ? { format: 'int64', maximum: rest.maximum } : {}),
    ...(pattern === undefined || rest.format !== undefined ? {} : { pattern }),
  };
}

/** Webhook requests in the API document (behaviour §16.4). */
const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const change = { ...elementAt(examples.changes.answer.changes, 0), keyName: null };

export const webhookOf = (schemas: Schemas) => ({
  post: {
    operationId: 'changeHappened',
    summary: 'Something changed',
    description:
      'Sent to the URL of a webhook, which owners and managers of a workspace create on its page. It gets each change that its creator can read, at least once and in order. It follows Standard Webhooks: verify the body as it came with the secret of the webhook. A test has the type `webhook.test`.',
    tags: ['Changes'],
    security: [],
    parameters: [
      header('webhook-id', 'Id of the change; the same at every attempt.', String(change.id)),
      header('webhook-timestamp', 'The moment of the attempt, in seconds.', '1776158467'),
      header(
        'webhook-signature',
        '`v1,` and the base64 of an HMAC-SHA256 of `id.timestamp.body`; two of them, with a space between, during a rotation.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.describe(WebhookMessage, 'output'),
          examples: { update: { summary: 'update', value: { type: change.kind, timestamp: change.at, data: change } } },
        },
      },
    },
    responses: {
      '200': { description: 'The receiver accepted the message. Any 2xx within 15 s counts.' },
      '400': { description: 'Any other status counts as failed. The message is retried ten times in three days.' },
    },
  },
});
