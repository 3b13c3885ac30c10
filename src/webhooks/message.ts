/** Body and headers of a webhook request, by Standard Webhooks (behaviour §16.4). */
import { Webhook } from 'standardwebhooks';

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
