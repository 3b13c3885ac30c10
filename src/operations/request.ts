/** Identifies a request, so that a retry has no further effect. */
import { createHmac } from 'node:crypto';

/** An agent's call. Like KeyedCall it identifies one intended change, however often it is sent (behaviour §5.20, §7.13). */
export interface ToolCall {
  accountId: number;
  userId: number;
  connectionId: number;
  /** UUID in lower case. */
  requestId: string;
  tool: string;
  /** `performance.now()` when the call arrived. */
  startedAt: number;
}

/** A REST request with an Idempotency-Key. */
export interface KeyedCall {
  hash: Buffer;
  kind: 'key' | 'session';
  idempotencyKey: string;
  operation: string;
}

export interface Request<Call = ToolCall | KeyedCall> {
  call: Call;
  /** Keyed hash of the parsed arguments without the id. */
  fingerprintOf(input: unknown): Buffer;
  /** True if the fingerprint matches this input, also after a rotation of SECRET_KEY. */
  isFingerprintOf(fingerprint: Buffer, input: unknown): boolean;
  /** Called before the start, possibly after waiting. If false, the work is skipped and may be sent again. */
  wanted?(): boolean;
  /** How long to wait for the model to rewrite a note, in ms. Default: 0. */
  patienceMs?: number;
  /** Waits without using up the request's deadline. */
  apart?<T>(work: Promise<T>): Promise<T>;
}

/** HMAC-SHA256 of the tool or operation and its parsed arguments, independent of key order. Stores no content (behaviour §7.18). */
export function fingerprint(secretKey: string, asked: string, input: unknown): Buffer {
  return createHmac('sha256', secretKey)
    .update(`receipt:${canonical([asked, input])}`)
    .digest();
}

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, node) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  );
}
