/** The running version (behaviour §1.23). */
import { readFileSync } from 'node:fs';

declare const STINT_COMMIT: string | null;

const root = new URL('../../', import.meta.url);

export const version: string = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version;
export const commit: string | null = typeof STINT_COMMIT === 'string' ? STINT_COMMIT : checkedOut();
/** `1.2.0 (0123456789ab)` */
export const release: string = commit === null ? version : `${version} (${commit})`;

function checkedOut(): string | null {
  const read = (path: string) => readFileSync(new URL(`.git/${path}`, root), 'utf8').trim();
  try {
    const head = read('HEAD');
    return (head.startsWith('ref: ') ? read(head.slice(5)) : head).slice(0, 12);
  } catch {
    return null;
  }
}
