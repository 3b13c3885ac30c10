/** CSRF token of a session: an HMAC of the session hash with the server's secret key, so it needs no storage. */
import { createHmac } from 'node:crypto';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';

export function csrfToken(secretKey: string, sessionHash: Buffer): string {
  return createHmac('sha256', secretKey).update('csrf:').update(sessionHash).digest('base64url');
}

export function isCsrfToken(keys: SecretKeys, sessionHash: Buffer, given: string | undefined): boolean {
  return matchesValidKey(keys, given ?? '', (key) => csrfToken(key, sessionHash));
}
