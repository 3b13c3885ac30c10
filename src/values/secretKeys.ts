/** SECRET_KEY, and for a day the one before it: what was made under that one is still good, what is made now is made under the new one. */
import { sameSecret } from './compare.ts';

export interface SecretKeys {
  secretKey: string;
  previousSecretKey?: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Those that count. The previous one does for a process's first day: how long ago a key was rotated is known to nobody. */
export function goodKeys({ secretKey, previousSecretKey }: SecretKeys, upMs = performance.now()): string[] {
  return previousSecretKey !== undefined && upMs < DAY_MS ? [secretKey, previousSecretKey] : [secretKey];
}

/** Whether `given` is what `make` makes under one of them. */
export function isMadeByUs(keys: SecretKeys, given: string | Buffer, make: (secretKey: string) => string | Buffer): boolean {
  return goodKeys(keys).some((key) => sameSecret(given, make(key)));
}
