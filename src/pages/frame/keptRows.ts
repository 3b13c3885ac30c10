/** Rows of lists, cards of boards, lines of timelines: the same ones are shown again and again, to who comes back and to all who follow a
 *  workspace live, of whose rows a change touches one. Each is put together once for what it shows, and found by exactly that: nothing has to
 *  be told that it is out of date. */
import { Html } from './html.ts';
import { whole } from './kept.ts';

/** Stands where something differs each time a row is shown. No text that was escaped holds it. */
export const HOLE = new Html('<>');

/** In characters, rows with their keys. Twice as many are kept at most: what was not asked for while the newer half filled up is forgotten. */
const MOST = 3_000_000;
let newer = new Map<string, readonly string[]>();
let older = newer;
let length = 0;

/** What takes more by itself, as a long text does, is made each time. */
const LONGEST = 20_000;

const MOST_SURROUNDINGS = 1_000;
const surroundings = new Map<string, number>();
let counted = 0;

/** A number that stands for all that the rows of a page have in common; none is given twice. */
function numberOf(common: string): number {
  const known = surroundings.get(common);
  if (known !== undefined) return known;
  if (surroundings.size >= MOST_SURROUNDINGS) surroundings.clear();
  surroundings.set(common, ++counted);
  return counted;
}

function keep(key: string, made: readonly string[]) {
  const own = key.length + made.reduce((sum, piece) => sum + piece.length, 0);
  if (own > LONGEST) return;
  length += own;
  if (length > MOST) {
    older = newer;
    newer = new Map();
    length = 0;
  }
  newer.set(key, made);
}

/** `make` is pure, and looks at its row, at `common` (whose beginning names what is made) and at nothing else. What it makes may have HOLEs,
 *  which are filled with `fill`, as HTML. */
export function keptRows<Row>(common: readonly unknown[], make: (row: Row) => Html): (row: Row, fill?: string) => Html {
  const number = numberOf(JSON.stringify(common));
  return (row, fill = '') => {
    const key = `${number} ${JSON.stringify(row)}`;
    let pieces = newer.get(key);
    if (!pieces) {
      pieces = older.get(key) ?? make(row).text.split(HOLE.text).map(whole);
      keep(key, pieces);
    }
    let text = pieces[0]!;
    for (let i = 1; i < pieces.length; i++) text += fill + pieces[i];
    return new Html(text);
  };
}
