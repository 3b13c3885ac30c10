/** The CSRF value of a session: derived from it with the server's key, so that it is stored nowhere. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export function csrfToken(secretKey: string, sessionHash: Buffer): string {
  return createHmac('sha256', secretKey).update('csrf:').update(sessionHash).digest('base64url');
}

export function isCsrfToken(secretKey: string, sessionHash: Buffer, given: string | undefined): boolean {
  const wanted = Buffer.from(csrfToken(secretKey, sessionHash));
  const got = Buffer.from(given ?? '');
  return got.length === wanted.length && timingSafeEqual(got, wanted);
}
