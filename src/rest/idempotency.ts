/** The header Idempotency-Key (behaviour §5.20). Reads the raw headers, because Node merges repeated ones. */
import { InvalidRequest } from '../values/errors.ts';
import { isUuid } from '../values/text.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Returns a UUID in lower case, or null without the header. Throws InvalidRequest otherwise. */
export function idempotencyKeyOf(rawHeaders: readonly string[]): string | null {
  const given = rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]!.toLowerCase() === 'idempotency-key');
  if (given.length === 0) return null;
  const [key] = given;
  if (given.length > 1 || !isUuid(key!)) {
    throw new InvalidRequest([IDEMPOTENCY_KEY], 'give one UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11, or leave the header out.');
  }
  return key!.toLowerCase();
}
