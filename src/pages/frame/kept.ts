/** Small pieces of HTML that a page shows hundreds of: each is put together once. Their keys hold what people typed, hence the bound. */
import { Html } from './html.ts';

/** Of each kind, twice: what was not asked for while the newer half filled up is forgotten. To keep what was used last in order, as a cache of
 *  the least recently used does, cost a twentieth of a page. */
const MOST = 1_000;
/** Longer ones are not worth their memory. */
const LONGEST_KEY = 200;

/** As one string: what was concatenated stays a tree of its parts in V8, and each page would walk it. */
export const whole = (text: string): string => Buffer.from(text).toString();

/** `make` is pure, and `keyOf` tells apart all that it looks at. */
export function kept<Props extends unknown[]>(keyOf: (...props: Props) => string, make: (...props: Props) => Html) {
  let newer = new Map<string, Html>();
  let older = newer;
  const keep = (key: string, one: Html): Html => {
    if (newer.size >= MOST) [older, newer] = [newer, new Map()];
    newer.set(key, one);
    return one;
  };
  return (...props: Props): Html => {
    const key = keyOf(...props);
    const found = newer.get(key);
    if (found) return found;
    const before = older.get(key);
    if (before) return keep(key, before);
    const made = make(...props);
    return key.length > LONGEST_KEY ? made : keep(key, new Html(whole(made.text)));
  };
}
