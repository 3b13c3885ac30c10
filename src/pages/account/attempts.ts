/** Rate limits for sign-in attempts. Keys are hashes, so input is not stored. */
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSecret } from '../../access/secrets.ts';
import type { Limiter } from '../../access/throttle/perMinute.ts';
import { RateLimited } from '../../values/errors.ts';

export function attemptKey(...parts: string[]): string {
  return `sign-in:${hashSecret(parts.join('\0')).toString('base64url')}`;
}

export async function countAttempt({ signInLimiter }: { signInLimiter: Limiter }, ...parts: string[]): Promise<void> {
  const allowance = await signInLimiter.admit(attemptKey(...parts));
  if (!allowance.admitted) throw new RateLimited(allowance.reset);
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const MOST_WAITING = 8;
const waiting = new Map<string, number>();

/** Slows down guesses at one person's password from many addresses. Each wait is twice as long as the previous one; no one is locked out.
 *  Throws RateLimited when too many wait. */
export async function slowDown({ signInLimiter }: { signInLimiter: Limiter }, who: string): Promise<void> {
  const { admitted, limit, used } = await signInLimiter.admit(attemptKey('person', who));
  if (admitted) return;
  const now = waiting.get(who) ?? 0;
  if (now >= MOST_WAITING) throw new RateLimited(Math.ceil((2 * LONGEST_WAIT_MS) / 1000));
  waiting.set(who, now + 1);
  try {
    await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(10, used - limit - 1)));
  } finally {
    const left = waiting.get(who)! - 1;
    if (left > 0) waiting.set(who, left);
    else waiting.delete(who);
  }
}

/** The part of an address that a client cannot change easily: IPv4, or the first 64 bits of IPv6. */
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
