/** What makes an agent's write one intended change, however often it is sent (behaviour §7.13). */

/** One intended change of one connection. */
export interface Request {
  /** UUID in lower case. */
  requestId: string;
  tool: string;
  /** Keyed hash of parsed arguments without the requestId. */
  fingerprintOf(input: unknown): Buffer;
  /** Whether a receipt's fingerprint is of this input, also where the service's key has changed since. */
  isFingerprintOf(fingerprint: Buffer, input: unknown): boolean;
  accountId: number;
  userId: number;
  connectionId: number;
  /** `performance.now()` when the call came in. */
  startedAt: number;
  /** Called before it starts, which may be after a wait for a slot: what nobody waits for any more is not begun, and may be sent again. */
  wanted?(): boolean;
  /** How long it may wait for something outside, beyond the usual; not at all when left out. */
  patienceMs?: number;
}
