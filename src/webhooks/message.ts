/** What a receiver gets: a body and the headers of Standard Webhooks (behaviour §16.4). */
import { Webhook } from 'standardwebhooks';

export interface Message {
  /** The same at each attempt, so that a receiver knows what it has had. */
  id: string;
  body: string;
}

/** `timestamp`: when it happened. */
export const bodyOf = (type: string, timestamp: string, data: unknown): string => JSON.stringify({ type, timestamp, data });

/** Signed at the moment of sending, by every secret that counts: during a rotation the receiver knows one of two. */
export function headersOf({ id, body }: Message, secrets: readonly string[], now: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Stint-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
