/** Which code is running (behaviour §1.23). */
import { readFileSync } from 'node:fs';

/** Set by `npm run build`. */
declare const STINT_COMMIT: string | null;

const root = new URL('../../', import.meta.url);

/** The version of package.json. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version;
/** Null where it is not known. */
export const commit: string | null = typeof STINT_COMMIT === 'string' ? STINT_COMMIT : checkedOut();
/** `1.2.0 (0123456789ab)` */
export const release: string = commit === null ? version : `${version} (${commit})`;

/** The commit of the checkout that runs; null outside of one. */
function checkedOut(): string | null {
  const read = (path: string) => readFileSync(new URL(`.git/${path}`, root), 'utf8').trim();
  try {
    const head = read('HEAD');
    return (head.startsWith('ref: ') ? read(head.slice(5)) : head).slice(0, 12);
  } catch {
    return null;
  }
}
