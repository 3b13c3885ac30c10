import { type Fact, factAt, type Word } from './facts.ts';
import { emptyWords, type MarkerClass, markers, marksOf } from './lexicon.ts';

export interface ReadWord extends Word {
  fact: Fact | null;
  marks: MarkerClass[];
  /** Null for markers and words without meaning of their own. */
  stem: string | null;
}

export type Stems = Set<string>;

/** `v1.2` in `(v1.2),`. `.env`, `--force` and `C++` keep their punctuation. */
const shape = /\.?[^\s.,;:!?"'*|)\]}([{¿¡][^\s.,;:!?"'*|)\]}]*(?:[.,;:!?"'*|)\]}]+[^\s.,;:!?"'*|)\]}]+)*/gu;
export const specific = /[⟦_/\\]|\w\.\w|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;

export function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}<>=≠≤≥±]/u.test(text);
}

/** Numbers and names (Will, May) are not markers. Words in capitals such as NOT are. */
function canMark({ text }: Word, fact: Fact | null): boolean {
  return fact === null || fact.kind === 'start' || (fact.kind === 'name' && text === text.toUpperCase());
}

/** Three letters are enough to match forms of a word: test, tests, testing. */
function stemOf({ text, lower }: Word): string | null {
  if (lower.length < 2 || emptyWords.has(lower.replace(/'\w+$/, '')) || marksOf(lower).length > 0) return null;
  if (specific.test(text)) return text;
  return /\p{N}/u.test(lower) ? lower : lower.slice(0, 3);
}

export function readWords(clause: string, begins: boolean): ReadWord[] {
  const words = (clause.match(shape) ?? [])
    .filter(saysSomething)
    .map((text, i) => ({ text, lower: text.toLowerCase().replace(/'s$/, ''), begins: begins && i === 0 }));
  return words.map((word, i) => {
    const fact = factAt(words, i);
    const found = [...marksOf(word.lower), ...(markers.get(`${word.lower}-${words[i + 1]?.lower}`) ?? [])];
    return { ...word, fact, marks: canMark(word, fact) ? found : [], stem: stemOf(word) };
  });
}

export function stems(words: ReadWord[]): Stems {
  return new Set(words.flatMap(({ stem }) => stem ?? []));
}
