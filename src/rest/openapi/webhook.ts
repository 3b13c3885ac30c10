/** Webhook requests in the API document (behaviour §16.4). */
import { WebhookMessage } from '../../webhooks/schema.ts';
import { examples } from '../examples.ts';
import type { Schemas } from './schemas.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const change = { ...examples.changes.answer.changes[0]!, keyName: null };

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
