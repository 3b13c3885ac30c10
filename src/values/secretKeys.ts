/** SECRET_KEY and, for a day, the previous one. Values made with the previous key stay valid; new values use the current key. */
import { sameSecret } from './compare.ts';

export interface SecretKeys {
  secretKey: string;
  previousSecretKey?: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The valid keys. The previous one is valid for a process's first day, because the time of the rotation is unknown. */
export function validKeys({ secretKey, previousSecretKey }: SecretKeys, upMs = performance.now()): string[] {
  return previousSecretKey !== undefined && upMs < DAY_MS ? [secretKey, previousSecretKey] : [secretKey];
}

/** True if `make` returns `given` for one of the valid keys. */
export function matchesValidKey(keys: SecretKeys, given: string | Buffer, make: (secretKey: string) => string | Buffer): boolean {
  return validKeys(keys).some((key) => sameSecret(given, make(key)));
}
