/** What a text speaks of: `#24` is an item, `@Name` and `@Name#7` a person. Pure. */
export interface Person {
  id: number;
  name: string;
}

export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'item'; text: string; id: number }
  | { kind: 'person'; text: string; id: number };

const letter = /[\p{L}\p{N}_]/u;
/** Not within a word, an address or another number: a1#2, x/#3, ##4. */
const itemAt = /(?<![\p{L}\p{N}_#/&])#([1-9]\d{0,14})(?![\p{L}\p{N}_])/gu;

interface Found {
  from: number;
  to: number;
  kind: 'item' | 'person';
  id: number;
}

/** The whole text in pieces, in order. `items`: whether numbers are meant. */
export function pieces(text: string, people: readonly Person[], items = true): Piece[] {
  const found = [...personsIn(text, people), ...(items ? itemsIn(text) : [])].sort((a, b) => a.from - b.from || b.to - a.to);
  const all: Piece[] = [];
  let at = 0;
  for (const { from, to, kind, id } of found) {
    if (from < at) continue;
    if (from > at) all.push({ kind: 'text', text: text.slice(at, from) });
    all.push({ kind, text: text.slice(from, to), id });
    at = to;
  }
  if (at < text.length || all.length === 0) all.push({ kind: 'text', text: text.slice(at) });
  return all;
}

const itemsIn = (text: string): Found[] =>
  [...text.matchAll(itemAt)].map((match) => ({ from: match.index, to: match.index + match[0].length, kind: 'item', id: Number(match[1]) }));

/** As mentions are told (behaviour §10.21): `@` at the beginning of a word, a whole name in whatever case, the longest that fits; one that
 *  several people have means somebody with `#` and an id behind it only. */
function personsIn(text: string, people: readonly Person[]): Found[] {
  if (people.length === 0 || !text.includes('@')) return [];
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase());
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  const lower = text.toLowerCase();
  const searched = lower.length === text.length ? lower : text;
  const found: Found[] = [];
  for (let at = searched.indexOf('@'); at >= 0; at = searched.indexOf('@', at + 1)) {
    if (at > 0 && letter.test(searched[at - 1]!)) continue;
    const name = names.find((one) => searched.startsWith(one, at + 1) && !letter.test(searched[at + 1 + one.length] ?? ' '));
    if (name === undefined) continue;
    const meant = personOf(searched, at + 1 + name.length, byName.get(name)!);
    if (meant) found.push({ from: at, kind: 'person', ...meant });
  }
  return found;
}

function personOf(text: string, end: number, named: readonly Person[]): { to: number; id: number } | null {
  const number = /^#(\d{1,15})(?!\d)/.exec(text.slice(end, end + 17))?.[1];
  if (number !== undefined && named.some(({ id }) => id === Number(number))) return { to: end + 1 + number.length, id: Number(number) };
  return named.length === 1 ? { to: end, id: named[0]!.id } : null;
}
