/** Counting attempts to get in, by keys that do not keep what was typed. */
import { isIPv6 } from 'node:net';
import type { Limiter } from '../../access/limiter.ts';
import { hashSecret } from '../../access/secrets.ts';
import { RateLimited } from '../../values/errors.ts';

export function attemptKey(...parts: string[]): string {
  return `sign-in:${hashSecret(parts.join('\0')).toString('base64url')}`;
}

/** Throws RateLimited beyond the limit. */
export async function countAttempt({ signInLimiter }: { signInLimiter: Limiter }, ...parts: string[]): Promise<void> {
  const allowance = await signInLimiter.admit(attemptKey(...parts));
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
}

/** What one caller can have of addresses at will: an IPv4 address, the first 64 bits of an IPv6 one. */
export function addressOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]!.split('::');
  const first = head ? head.split(':') : [];
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
