/** Parses a search (behaviour §7.23). Pure. */
export const MOST_PHRASES = 12;

const phrasesIn = (search: string) => [...search.matchAll(/"([^"]*)"|\S+/g)];

export const hasTooManyPhrases = (search: string): boolean => phrasesIn(search).length > MOST_PHRASES;

/** Alternatives; an item matches if it contains all phrases of one. `or` separates them, as in PostgreSQL's websearch_to_tsquery:
 *  `late "bank transfer" or refund` is [['late', 'bank transfer'], ['refund']].
 *  Phrases after the twelfth are ignored. */
export function alternativesOf(search: string): string[][] {
  let current: string[] = [];
  const alternatives = [current];
  for (const [word, phrase] of phrasesIn(search).slice(0, MOST_PHRASES)) {
    if (word.toLowerCase() === 'or') {
      current = [];
      alternatives.push(current);
    } else if (phrase !== '') current.push(phrase ?? word);
  }
  const given = alternatives.filter(({ length }) => length > 0);
  return given.length ? given : [[search]];
}

/** Items may also be found by number: the numbers (`24` or `#24`) that are an alternative of their own. */
export const numbersOf = (alternatives: readonly string[][]): number[] =>
  alternatives
    .map(([phrase = '', ...others]) => Number(others.length ? 0 : (/^\s*#?(\d{1,15})\s*$/.exec(phrase)?.[1] ?? 0)))
    .filter((number) => number > 0);

/** True if a trigram index can find it: a run of three letters, digits or `#`. A character of three bytes in UTF-8 counts as three. */
export function isIndexed(phrase: string): boolean {
  const runs = phrase.match(/(?:[\p{L}\p{N}#]|[^\x00-\x7f])+/gu) ?? [];
  const lengthOf = (run: string) => [...run].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) < 0x800 ? 1 : 3), 0);
  return runs.some((run) => lengthOf(run) >= 3);
}

/** The phrases that an index finds, longest first, as those are probably the rarest. In item texts blanks count as letters; in comments
 *  they do not. */
export const keysOf = (phrases: readonly string[], inNotes: boolean): string[] =>
  phrases.filter((phrase) => isIndexed(inNotes ? phrase : phrase.replace(/[ \n\r\t]/g, 'z'))).sort((a, b) => b.length - a.length);
