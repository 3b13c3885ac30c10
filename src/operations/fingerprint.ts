/** Tells two requests apart without keeping what they said (behaviour §7.18). */
import { createHmac } from 'node:crypto';

/** HMAC-SHA256 over what is asked for (a tool, an operation) and its parsed arguments, whatever order their keys came in. */
export function fingerprint(secretKey: string, asked: string, input: unknown): Buffer {
  return createHmac('sha256', secretKey)
    .update(`receipt:${canonical([asked, input])}`)
    .digest();
}

/** JSON with sorted keys; undefined is as left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, node) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  );
}
