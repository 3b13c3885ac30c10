/** Finds references in a text: `#24` is an item, `@Name` and `@Name#7` a person. Pure. */
import { mentionsAt, type Named } from '../../../notifications/mentions.ts';

export type Piece = { kind: 'text'; text: string } | { kind: 'item' | 'person'; text: string; id: number };

interface Found {
  from: number;
  to: number;
  kind: 'item' | 'person';
  id: number;
}

/** Not inside a word, URL or other number: a1#2, x/#3, ##4. */
const itemAt = /(?<![\p{L}\p{N}_#/&])#([1-9]\d{0,14})(?![\p{L}\p{N}_])/gu;

const itemsIn = (text: string): Found[] =>
  [...text.matchAll(itemAt)].map((match) => ({ from: match.index, to: match.index + match[0].length, kind: 'item', id: Number(match[1]) }));

const personsIn = (text: string, people: readonly Named[]): Found[] =>
  people.length === 0 || !text.includes('@')
    ? []
    : mentionsAt(text, people).flatMap(({ from, to, meant }) => (meant ? [{ from, to, kind: 'person', id: meant.id }] : []));

/** The whole text in pieces, in order. `items`: recognise item numbers. */
export function pieces(text: string, people: readonly Named[], items = true): Piece[] {
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
