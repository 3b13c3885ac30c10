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

/** Names of `people` in a text, in order: `@`, at the beginning of a word, and a whole name in whatever case; of several names that fit the longest.
 *  One that several people have is told apart by `#` and an id behind it; without it nobody is meant. */
export function mentionsAt(text: string, people: readonly Named[]): Mentioned[] {
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  const lower = text.toLowerCase();
  // Lower case may be longer or shorter than what it is of; then places don't fit, and the text is taken as it is.
  const searched = lower.length === text.length ? lower : text;
  const found: Mentioned[] = [];
  for (let from = searched.indexOf('@'); from >= 0; from = searched.indexOf('@', from + 1)) {
    if (from > 0 && letter.test(searched[from - 1]!)) continue;
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
