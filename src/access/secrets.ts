/** Secrets that are shown once: 256 random bits after a prefix for the kind. The database stores only the SHA-256 (behaviour §3.23). */
import { hash, randomBytes } from 'node:crypto';

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
