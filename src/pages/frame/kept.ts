/** Small pieces of HTML that a page shows hundreds of: each is put together once. Their keys hold what people typed, hence the bound. */
import { Generations } from './generations.ts';
import { Html } from './html.ts';

/** Of each kind, twice (generations.ts). */
const MOST = 1_000;
/** Longer ones are not worth their memory. */
const LONGEST_KEY = 200;

/** As one string: what was concatenated stays a tree of its parts in V8, and each page would walk it. */
export const whole = (text: string): string => Buffer.from(text).toString();

/** `make` is pure, and `keyOf` tells apart all that it looks at. */
export function kept<Props extends unknown[]>(keyOf: (...props: Props) => string, make: (...props: Props) => Html) {
  const known = new Generations<Html>(MOST);
  return (...props: Props): Html => {
    const key = keyOf(...props);
    const found = known.get(key);
    if (found) return found;
    const made = make(...props);
    if (key.length > LONGEST_KEY) return made;
    const one = new Html(whole(made.text));
    known.set(key, one);
    return one;
  };
}
