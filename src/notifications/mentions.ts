/** `@Name` in comments and notes (behaviour §10.21). Pure. */

export interface Named {
  id: number;
  name: string;
}

export interface Mentions {
  ids: number[];
  /** Names that several people have, as they were written, with those that have them. */
  ambiguous: { name: string; people: Named[] }[];
}

const letter = /[\p{L}\p{N}_]/u;

/** A name behind `@`: who is meant, or null where several people have it. Places are of UTF-16 units. */
export interface Mentioned {
  from: number;
  to: number;
  meant: Named | null;
  /** All who have that name. */
  named: Named[];
}

interface Names {
  byName: Map<string, Named[]>;
  /** Names in lower case by their first UTF-16 unit, the longest first. */
  byStart: Map<string, string[]>;
}

const namesOfPeople = new WeakMap<readonly Named[], Names>();

/** Grouped once per list: a page asks for every piece of every text. */
function namesOf(people: readonly Named[]): Names {
  const known = namesOfPeople.get(people);
  if (known) return known;
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const longestFirst = [...byName.keys()].sort((a, b) => b.length - a.length);
  const names = { byName, byStart: Map.groupBy(longestFirst, (name) => name.charAt(0)) };
  namesOfPeople.set(people, names);
  return names;
}

/** More names in one text are hostile: each is compared with the names of up to 1,000 people. */
const MOST_LOOKED_UP = 1_000;

/** Names of `people` in a text, in order: `@` at the beginning of a word, then a whole name in any case. The longest name that fits counts.
 *  A name that several people have needs `#` and an id behind it; otherwise no one is meant. */
export function mentionsAt(text: string, people: readonly Named[]): Mentioned[] {
  const { byName, byStart } = namesOf(people);
  const lower = text.toLowerCase();
  // Lower case may be longer or shorter than what it is of; then places don't fit, and the text is taken as it is.
  const searched = lower.length === text.length ? lower : text;
  const found: Mentioned[] = [];
  let lookedUp = 0;
  for (let from = searched.indexOf('@'); from >= 0 && lookedUp < MOST_LOOKED_UP; from = searched.indexOf('@', from + 1)) {
    const names = byStart.get(searched.charAt(from + 1));
    if (!names || (from > 0 && letter.test(searched[from - 1]!))) continue;
    lookedUp++;
    const name = names.find((one) => searched.startsWith(one, from + 1) && !letter.test(searched[from + 1 + one.length] ?? ' '));
    if (name !== undefined) found.push(toldApart(searched, from, from + 1 + name.length, byName.get(name)!));
  }
  return found;
}

function toldApart(text: string, from: number, to: number, named: Named[]): Mentioned {
  const id = /^#(\d{1,15})(?!\d)/.exec(text.slice(to, to + 17))?.[1];
  const one = id === undefined ? undefined : named.find((each) => each.id === Number(id));
  if (one) return { from, to: to + 1 + id!.length, meant: one, named };
  return { from, to, meant: named.length === 1 ? named[0]! : null, named };
}

/** Who of `people` is mentioned. */
export function mentionsIn(text: string, people: readonly Named[]): Mentions {
  const found = mentionsAt(text, people);
  const ambiguous = Map.groupBy(
    found.filter(({ meant }) => !meant),
    ({ named }) => named,
  );
  return {
    ids: [...new Set(found.flatMap(({ meant }) => (meant ? [meant.id] : [])))],
    ambiguous: [...ambiguous.keys()].map((named) => ({ name: named[0]!.name, people: named })),
  };
}
