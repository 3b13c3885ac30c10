/** Secrets that are shown once: 256 random bits after a prefix for the kind. The database stores only the SHA-256 (behaviour §3.23). */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { matchesValidKey, type SecretKeys } from '../values/secretKeys.ts';

/** A session ends this many days after the sign-in, or after this many without use (behaviour §12.5). */
export const SESSION_DAYS = 14;
export const IDLE_DAYS = 7;

export type SecretKind = 'rest' | 'agent' | 'session' | 'owner' | 'calendar';

const prefixes: Record<SecretKind, string> = { rest: 'stint_rest_', agent: 'stint_agent_', session: '', owner: '', calendar: '' };

export function newSecret(kind: SecretKind): { secret: string; hash: Buffer } {
  const secret = prefixes[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** CSRF token of a session: an HMAC of the session hash with the server's secret key, so it needs no storage. */
export function csrfToken(secretKey: string, sessionHash: Buffer): string {
  return createHmac('sha256', secretKey).update('csrf:').update(sessionHash).digest('base64url');
}

/** A page differs in each answer: otherwise the lengths of compressed answers would reveal the token (BREACH). */
export function maskedCsrfToken(secretKey: string, sessionHash: Buffer): string {
  const token = Buffer.from(csrfToken(secretKey, sessionHash), 'base64url');
  const mask = randomBytes(token.length);
  return Buffer.concat([mask, xor(mask, token)]).toString('base64url');
}

/** Accepts a masked token of a page, and the token itself from GET /capabilities. */
export function isCsrfToken(keys: SecretKeys, sessionHash: Buffer, given: string | undefined): boolean {
  return matchesValidKey(keys, unmasked(given ?? ''), (key) => csrfToken(key, sessionHash));
}

const MASKED_LENGTH = 86;

function unmasked(given: string): string {
  if (given.length !== MASKED_LENGTH) return given;
  const bytes = Buffer.from(given, 'base64url');
  return xor(bytes.subarray(0, 32), bytes.subarray(32)).toString('base64url');
}

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));
