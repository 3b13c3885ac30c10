/** Comparing secrets. */
import { timingSafeEqual } from 'node:crypto';

/** Whether both are the same, in a time that tells nothing about where they differ. Their lengths may show. */
export function sameSecret(given: string | Buffer, wanted: string | Buffer): boolean {
  const [a, b] = [Buffer.from(given as string), Buffer.from(wanted as string)];
  return a.length === b.length && timingSafeEqual(a, b);
}
