import { timingSafeEqual } from 'node:crypto';

/** Compares in constant time. The time may reveal the lengths. */
export function sameSecret(given: string | Buffer, wanted: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given as string), Buffer.from(wanted as string)];
  return a.length === b.length && timingSafeEqual(a, b);
}
