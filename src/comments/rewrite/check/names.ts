/** Names and identifiers in prose: what must be kept as it is, and what an answer must not bring. Pure. */
import { commonWords, functionWords } from './commonWords.ts';
import { classesOf } from './markers.ts';
import type { Word } from './words.ts';

export interface Names {
  /** As written: `foo.ts`, `user_id`, `--force`, `v1.2-rc3`. */
  identifiers: Set<string>;
  /** Lower case: people, products, acronyms. */
  names: Set<string>;
}

const special = /[_/\\.:@#$=<>(){}[\]|&+~^%≠≤≥±]/;
const ordinary = new Set('e.g i.e a.k.a and/or w/o n/a p.s he/she his/her'.split(' '));
const ending = /(?:ed|ing|ly|tions?|ments?|ness|able|ible|ity|ive|ful|less)$/;
const namesWithEnding = new Set(
  `ahmed mohamed mohammed muhammed hamed khaled alfred wilfred jared sayed emily kelly billy sally molly holly polly lilly carly
   beverly kimberly sterling fleming browning harding irving charity felicity trinity clive olive`.split(/\s+/),
);
const shout = /^\p{Lu}[\p{Lu}-]*\p{Lu}s?$/u;

function isIdentifier(text: string): boolean {
  if (ordinary.has(text.toLowerCase())) return false;
  return /\p{N}/u.test(text) || special.test(text) || /\p{Ll}\p{Lu}/u.test(text) || /^--?\w/.test(text);
}

function isCommon(word: string): boolean {
  return functionWords.has(word) || commonWords.has(word);
}

/** At the start of a sentence everything has a capital: only a word that is none of the usual ones counts there. */
function isUsualStart(word: string): boolean {
  return word
    .split('-')
    .every((part) => isCommon(part) || classesOf(part).length > 0 || (part.length > 4 && ending.test(part) && !namesWithEnding.has(part)));
}

function isName(word: Word, text: string, smallElsewhere: Set<string>): boolean {
  if (!/^\p{Lu}/u.test(text) || text === 'I' || text === 'A') return false;
  if (shout.test(text)) return !isCommon(word.lower) && classesOf(word.lower).length === 0;
  if (word.begins) return text.length > 1 && !smallElsewhere.has(word.lower) && !isUsualStart(word.lower);
  // "Will" within a sentence is a person, and so is "May" where it is no month.
  return word.lower === 'will' || !isCommon(word.lower);
}

/** Acronyms in the plural are the same acronym. */
function nameKey(text: string): string {
  const bare = text.replace(/'s?$/, '');
  return (shout.test(bare) && bare.endsWith('s') ? bare.slice(0, -1) : bare).toLowerCase();
}

/** The words of a text written small: a name at the start of a sentence that also occurs so is none. */
export function smallWords(words: Word[]): Set<string> {
  return new Set(words.filter((word) => /^\p{Ll}/u.test(word.text)).map((word) => word.lower));
}

/** Every word in the form that names are compared by. */
export function allKeys(words: Word[]): Set<string> {
  return new Set(words.flatMap((word) => [nameKey(word.text), word.lower]));
}

/** `taken`: the indices of figures, which are neither. */
export function namesOf(words: Word[], taken: Set<number>): Names {
  const small = smallWords(words);
  const found: Names = { identifiers: new Set(), names: new Set() };
  for (const [i, word] of words.entries()) {
    if (taken.has(i) || word.token) continue;
    const text = word.text.replace(/'s$/, '');
    if (isIdentifier(text)) found.identifiers.add(text);
    else if (isName(word, text, small)) found.names.add(nameKey(text));
  }
  return found;
}
