/** The CSRF value of a session: derived from it with the server's key, so that it is stored nowhere. */
import { createHmac } from 'node:crypto';
import { sameSecret } from '../values/compare.ts';

export function csrfToken(secretKey: string, sessionHash: Buffer): string {
  return createHmac('sha256', secretKey).update('csrf:').update(sessionHash).digest('base64url');
}

export function isCsrfToken(secretKey: string, sessionHash: Buffer, given: string | undefined): boolean {
  return sameSecret(given ?? '', csrfToken(secretKey, sessionHash));
}
