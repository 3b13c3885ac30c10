/** The HTML of rows of lists, cards and timelines. Without it a board takes 60 % more CPU. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Html } from './html.ts';

/** In characters. */
const cache = new LRUCache<string, Html>({
  maxSize: 6_000_000,
  maxEntrySize: 20_000,
  sizeCalculation: ({ text }, key) => key.length + text.length,
});

/** `make` must be pure and read only its row and `common`, which starts with the kind of row. Both are the key, so entries are never stale. */
export function cachedRows<Row>(common: readonly unknown[], make: (row: Row) => Html): (row: Row) => Html {
  const page = hash('sha256', JSON.stringify(common), 'base64url');
  return (row) => {
    const key = `${page} ${JSON.stringify(row)}`;
    const known = cache.get(key);
    if (known) return known;
    // V8 keeps a concatenated text as a tree of its pieces. A round trip through bytes makes it one string.
    const made = new Html(Buffer.from(make(row).text).toString());
    cache.set(key, made);
    return made;
  };
}
