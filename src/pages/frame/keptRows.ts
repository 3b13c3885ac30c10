/** Caches the HTML of list rows, board cards and timeline rows. The key contains all data that a row shows, so entries are never stale. */
import { Generations } from './generations.ts';
import { Html } from './html.ts';
import { whole } from './kept.ts';

/** Placeholder for parts that differ each time a row is shown. Escaped text never contains it. */
export const HOLE = new Html('<>');

const lengthOf = (key: string, made: readonly string[]): number => made.reduce((sum, piece) => sum + piece.length, key.length);

/** Limit in characters of HTML and keys, per half (generations.ts). */
const known = new Generations<readonly string[]>(3_000_000, lengthOf);

/** In characters; longer rows are not cached. */
const LONGEST = 20_000;

const MOST_SURROUNDINGS = 1_000;
const surroundings = new Map<string, number>();
let counted = 0;

/** A unique number for the data that all rows of a page share. Numbers are never reused. */
function numberOf(common: string): number {
  const given = surroundings.get(common);
  if (given !== undefined) return given;
  if (surroundings.size >= MOST_SURROUNDINGS) surroundings.clear();
  surroundings.set(common, ++counted);
  return counted;
}

/** `make` must be pure and read only its row and `common`, which starts with the kind of row. `fill` is HTML and replaces each HOLE. */
export function keptRows<Row>(common: readonly unknown[], make: (row: Row) => Html): (row: Row, fill?: string) => Html {
  const number = numberOf(JSON.stringify(common));
  return (row, fill = '') => {
    const key = `${number} ${JSON.stringify(row)}`;
    let pieces = known.get(key);
    if (!pieces) {
      pieces = make(row).text.split(HOLE.text).map(whole);
      if (lengthOf(key, pieces) <= LONGEST) known.set(key, pieces);
    }
    let text = pieces[0]!;
    for (let i = 1; i < pieces.length; i++) text += fill + pieces[i];
    return new Html(text);
  };
}
