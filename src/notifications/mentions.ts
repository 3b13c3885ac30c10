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

/** Who of `people` is mentioned: `@`, at the beginning of a word, and a whole name in whatever case; of several names that fit the longest. One that
 *  several people have is told apart by `#` and an id behind it; without it nobody is meant. */
export function mentionsIn(text: string, people: readonly Named[]): Mentions {
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  const lower = text.toLowerCase();
  const ids = new Set<number>();
  const ambiguous = new Map<string, Named[]>();
  // Lower case may be longer or shorter than what it is of; then places don't fit, and the text is taken as it is.
  const searched = lower.length === text.length ? lower : text;
  for (let at = searched.indexOf('@'); at >= 0; at = searched.indexOf('@', at + 1)) {
    if (at > 0 && letter.test(searched[at - 1]!)) continue;
    const name = names.find((one) => searched.startsWith(one, at + 1) && !letter.test(searched[at + 1 + one.length] ?? ' '));
    if (name === undefined) continue;
    const found = byName.get(name)!;
    const id = /^#(\d{1,15})(?!\d)/.exec(searched.slice(at + 1 + name.length, at + 20 + name.length))?.[1];
    if (id !== undefined && found.some((one) => one.id === Number(id))) ids.add(Number(id));
    else if (found.length === 1) ids.add(found[0]!.id);
    else ambiguous.set(name, found);
  }
  return { ids: [...ids], ambiguous: [...ambiguous].map(([, found]) => ({ name: found[0]!.name, people: found })) };
}
