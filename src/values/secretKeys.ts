/** SECRET_KEY and, for a day, the previous one. Values made with the previous key stay valid; new values use the current key. */
import { sameSecret } from './text.ts';

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

/** Removes email addresses, passwords, keys and links from error texts, for operators and administrators. */
export const redact = (text: string): string =>
  text
    .replace(/\S+/g, withoutAddresses)
    .replace(/\b(bearer |(?:password|passwd|secret|token|api_?key|t)[=:] ?)[^\s&"']+/gi, '$1[secret]')
    .replace(/[\w+~=-]{20,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? '[secret]' : word));

/** Also removes user name and password from a URL. */
function withoutAddresses(word: string): string {
  const [scheme, at] = [word.indexOf('://'), word.lastIndexOf('@')];
  const url = scheme >= 0 && at > scheme ? `${word.slice(0, scheme + 3)}[secret]${word.slice(at)}` : word;
  return url.replace(/[^<>()[\]"',;:=/]+/g, (part) => (part.indexOf('@') > 0 ? '[address]' : part));
}
