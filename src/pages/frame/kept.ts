/** Caches small HTML fragments that a page repeats hundreds of times. Keys contain user text, so the size is limited. */
import { Generations } from './generations.ts';
import { Html } from './html.ts';

/** Entries per half of each cache (generations.ts). */
const MOST = 1_000;
/** In characters; results with longer keys are not cached. */
const LONGEST_KEY = 200;

/** Flattens a concatenated string. V8 keeps it as a tree otherwise, and every page would walk the tree. */
export const whole = (text: string): string => Buffer.from(text).toString();

/** `make` must be pure. `keyOf` must differ for every input that changes the output. */
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
