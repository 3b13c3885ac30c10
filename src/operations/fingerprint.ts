/** Compares two requests without storing their content (behaviour §7.18). */
import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of the tool or operation and its parsed arguments, independent of key order. */
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
