/** What makes a write one intended change, however often it is sent (behaviour §5.20, §7.13). */

/** A tool call of a connection. */
export interface ToolCall {
  accountId: number;
  userId: number;
  connectionId: number;
  /** UUID in lower case. */
  requestId: string;
  tool: string;
  /** `performance.now()` when the call came in. */
  startedAt: number;
}

/** A call over REST by a key or a session, with an Idempotency-Key. */
export interface KeyedCall {
  hash: Buffer;
  kind: 'key' | 'session';
  /** UUID in lower case. */
  idempotencyKey: string;
  operation: string;
}

/** One intended change of one credential. */
export interface Request<Call = ToolCall | KeyedCall> {
  call: Call;
  /** Keyed hash of parsed arguments without the id. */
  fingerprintOf(input: unknown): Buffer;
  /** Whether a receipt's fingerprint is of this input, also where the service's key has changed since. */
  isFingerprintOf(fingerprint: Buffer, input: unknown): boolean;
  /** Called before it starts, which may be after a wait for a slot: what nobody waits for any more is not begun, and may be sent again. */
  wanted?(): boolean;
  /** How long it may wait for a rewriting; not at all when left out. */
  patienceMs?: number;
  /** Waits without that counting towards the deadline of the request. */
  apart?<T>(work: Promise<T>): Promise<T>;
}
