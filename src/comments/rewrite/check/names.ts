/** Names and identifiers in prose, told by how they are written: what must be kept as it is, and what an answer must not bring. Pure. */
import { emptyWords, markers } from './lexicon.ts';
import type { Word } from './words.ts';

export interface Names {
  /** As written: `foo.ts`, `user_id`, `--force`, `v1.2-rc3`. */
  identifiers: Set<string>;
  /** Lower case: people, products, acronyms. */
  names: Set<string>;
  /** Lower case: words that begin a sentence and may be names. */
  starts: Set<string>;
}

const special = /\p{N}|[_/\\.:@#$=<>(){}[\]|&+~^%≠≤≥±]|\p{Ll}\p{Lu}|^--?\w/u;
const ordinary = /^(?:\p{L}\.\p{L}|and\/or|w\/o|n\/a|he\/she|his\/her)$/iu;
const shout = /^\p{Lu}[\p{Lu}-]*\p{Lu}s?$/u;
const inflection = /^(?:e|d|s|es|ed|er|ing|ion|ions|ment|ments|ly)?$/;
const beforeNoName = /^(?:the|an?|my|our|your|his|her|its|their|it|it's|this|we|i|you|he|she|they)$/;

/** Acronyms in the plural are the same acronym. */
function nameKey(text: string): string {
  const bare = text.replace(/'s?$/, '');
  return (shout.test(bare) && bare.endsWith('s') ? bare.slice(0, -1) : bare).toLowerCase();
}

/** Every word in the form that names are compared by. */
export function allKeys(words: Word[]): Set<string> {
  return new Set(words.flatMap((word) => [nameKey(word.text), word.lower]));
}

/** At the start of a sentence every word has a capital. What is no name there is empty, a marker, written small in one of the
 *  texts in this form or another ("Adding" beside "added"), or is a verb or adverb by its ending, before an article or a pronoun.
 *  In doubt it is a name: then the other text must have it too. */
function isOrdinaryStart({ lower }: Word, next: Word | undefined, written: Written): boolean {
  const bare = lower.replace(/n't$|'\w+$/, '');
  if (emptyWords.has(bare) || markers.has(lower) || markers.has(bare) || written.hasForm(bare)) return true;
  return /(?:ed|ing|ly)$/.test(lower) && !next?.begins && beforeNoName.test(next?.text ?? '');
}

/** The words that are written small, by their beginnings. */
export class Written {
  private readonly byStart = new Map<string, Set<string>>();
  constructor(words: Word[]) {
    for (const { text, lower } of words) {
      if (!/^\p{Ll}/u.test(text)) continue;
      const known = this.byStart.get(lower.slice(0, 3)) ?? new Set();
      this.byStart.set(lower.slice(0, 3), known.add(lower));
    }
  }

  /** "deploy" is a form of "deploying", "migration" of "migrate": what follows the letters they share is inflection. */
  hasForm(word: string): boolean {
    for (const other of this.byStart.get(word.slice(0, 3)) ?? []) {
      let shared = 3;
      while (shared < word.length && word[shared] === other[shared]) shared++;
      if (inflection.test(word.slice(shared)) && inflection.test(other.slice(shared))) return true;
    }
    return false;
  }
}

/** `taken`: figures, which are neither. `written`: of both texts. */
export function namesOf(words: Word[], taken: Set<Word>, written: Written): Names {
  const found: Names = { identifiers: new Set(), names: new Set(), starts: new Set() };
  for (const [i, word] of words.entries()) {
    if (taken.has(word) || word.token) continue;
    const text = word.text.replace(/'s$/, '');
    if (special.test(text) && !ordinary.test(text)) found.identifiers.add(text);
    else if (!/^\p{Lu}/u.test(text) || /^[IA](?:'\w+)?$/.test(text)) continue;
    else if (!word.begins || shout.test(text)) found.names.add(nameKey(text));
    else if (!isOrdinaryStart(word, words[i + 1], written)) found.starts.add(nameKey(text));
  }
  return found;
}
