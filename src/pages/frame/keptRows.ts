/** Rows of lists, cards of boards, lines of timelines: the same ones are shown again and again, to who comes back and to all who follow a
 *  workspace live, of whose rows a change touches one. Each is put together once for what it shows, and found by exactly that: nothing has to
 *  be told that it is out of date. */
import { Generations } from './generations.ts';
import { Html } from './html.ts';
import { whole } from './kept.ts';

/** Stands where something differs each time a row is shown. No text that was escaped holds it. */
export const HOLE = new Html('<>');

const lengthOf = (key: string, made: readonly string[]): number => made.reduce((sum, piece) => sum + piece.length, key.length);

/** In characters, rows with their keys; twice as many are kept at most. */
const known = new Generations<readonly string[]>(3_000_000, lengthOf);

/** What takes more by itself, as a long text does, is made each time. */
const LONGEST = 20_000;

const MOST_SURROUNDINGS = 1_000;
const surroundings = new Map<string, number>();
let counted = 0;

/** A number that stands for all that the rows of a page have in common; none is given twice. */
function numberOf(common: string): number {
  const given = surroundings.get(common);
  if (given !== undefined) return given;
  if (surroundings.size >= MOST_SURROUNDINGS) surroundings.clear();
  surroundings.set(common, ++counted);
  return counted;
}

/** `make` is pure, and looks at its row, at `common` (whose beginning names what is made) and at nothing else. What it makes may have HOLEs,
 *  which are filled with `fill`, as HTML. */
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
