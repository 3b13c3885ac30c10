/** Keys for counting attempts to sign in, which do not keep what was typed. */
import { hashSecret } from '../../access/secrets.ts';

export function attemptKey(...parts: string[]): string {
  return `sign-in:${hashSecret(parts.join('\0')).toString('base64url')}`;
}
