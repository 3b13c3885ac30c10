/** Secrets handed out once: 256 random bits behind a prefix that tells what they are. Only the SHA-256 is ever stored (behaviour §3.23). */
import { hash, randomBytes } from 'node:crypto';

export type SecretKind = 'rest' | 'agent' | 'session' | 'owner' | 'calendar';

const prefixes: Record<SecretKind, string> = { rest: 'stint_rest_', agent: 'stint_agent_', session: '', owner: '', calendar: '' };

export function newSecret(kind: SecretKind): { secret: string; hash: Buffer } {
  const secret = prefixes[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
