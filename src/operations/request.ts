/** Identifies one intended change, however often it is sent (behaviour §5.20, §7.13). */

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
  /** How long it may wait for a rewriting; default: not at all. */
  patienceMs?: number;
  /** Waits without using up the request's deadline. */
  apart?<T>(work: Promise<T>): Promise<T>;
}
