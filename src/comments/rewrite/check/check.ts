/** Decides whether a rewritten note may stand for the original (behaviour §8.9). Pure and linear: it
 *  trusts nothing the model says. It errs on the side of refusal; a refused rewriting saves nothing. */
import { countCharacters } from '../../../values/text.ts';
import { betweenTokens, type SplitNote, tokenOf } from '../excerpts/passages.ts';
import { isBlank } from '../excerpts/ranges.ts';
import { type Claim, claimsOf, lostClaim, newClaim, overlap, type Stems, stems } from './claims.ts';
import { type Figures, figuresOf } from './figures.ts';
import { certain, finished, type MarkerClass } from './lexicon.ts';
import { allKeys, type Names, namesOf, Written } from './names.ts';
import { readProse, type Word, wordsOf } from './words.ts';

/** Why an answer was refused. Names the rule, never the text: it may be logged. */
export type CheckFault =
  | 'token'
  | 'empty'
  | 'longer'
  | 'character'
  | 'number'
  | 'date'
  | 'reference'
  | 'identifier'
  | 'name'
  | `lost_${MarkerClass}`
  | `new_${MarkerClass}`
  | 'certainty'
  | 'content';

export type CheckResult = { ok: true } | { ok: false; reason: CheckFault };

interface Reading {
  words: Word[];
  figures: Figures;
  names: Names;
  claims: Claim[];
}

/** Reads both texts: what is a name in one may be seen to be none from the other. */
function readBoth(texts: [string, string], prefix: string): [Reading, Reading] {
  const both = texts.map((text) => readProse(text, prefix));
  const written = new Written(both.flatMap(wordsOf));
  return both.map((clauses) => {
    const words = wordsOf(clauses);
    const { figures, taken } = figuresOf(words);
    return { words, figures, names: namesOf(words, taken, written), claims: claimsOf(clauses, taken) };
  }) as [Reading, Reading];
}

function sameSet(a: Set<string>, b: Set<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

/** Numbers by unit, in order: "from 250 ms to 90 ms" can't be turned round, figures of different units may change places. */
function byUnit(numbers: Set<string>): Set<string> {
  const unitOf = (number: string) => number.replace(/^\S+/, '');
  return new Set([...numbers].sort((a, b) => unitOf(a).localeCompare(unitOf(b))));
}

/** The same values, first mentioned in the same order. */
function sameOrder(a: Set<string>, b: Set<string>): boolean {
  const other = [...b];
  return a.size === b.size && [...a].every((value, i) => value === other[i]);
}

function figureFault(before: Figures, after: Figures): CheckFault | null {
  if (!sameOrder(byUnit(before.numbers), byUnit(after.numbers))) return 'number';
  if (!sameOrder(before.dates, after.dates)) return 'date';
  return sameOrder(before.references, after.references) ? null : 'reference';
}

function nameFault(before: Reading, after: Reading, kind: 'names' | 'starts'): CheckFault | null {
  const [known, said] = [allKeys(before.words), allKeys(after.words)];
  const kept = [...before.names[kind]].every((name) => said.has(name)) && [...after.names[kind]].every((name) => known.has(name));
  return kept ? null : 'name';
}

function claimFault(before: Reading, after: Reading): CheckFault | null {
  const lost = lostClaim(before.claims, after.claims);
  if (lost) return `lost_${lost}`;
  const added = newClaim(before.claims, after.claims);
  return added ? `new_${added}` : null;
}

function certaintyFault(before: Word[], after: Word[]): CheckFault | null {
  const known = new Set(before.map((word) => word.lower));
  const about = stems(before);
  const added = after.map((word) => word.lower).filter((word) => !known.has(word));
  const ended = added.some((word) => finished.has(word) && !about.has(word.slice(0, 3))) && ![...finished].some((word) => known.has(word));
  return ended || added.some((word) => certain.has(word)) ? 'certainty' : null;
}

/** The answer must still be about what the note is about, and about little else. */
function contentFault(old: Stems, now: Stems): CheckFault | null {
  const kept = overlap(now, old);
  return (old.size >= 6 && kept < old.size * 0.3) || (now.size >= 4 && kept < now.size * 0.5) ? 'content' : null;
}

/** Controls, invisible format characters, half characters and pictures that the note does not have. */
function characterFault(before: string, after: string): boolean {
  const odd = /[^\P{C}\n\r\t]|\p{Extended_Pictographic}/gu;
  const known = new Set(before.match(odd));
  return (after.match(odd) ?? []).some((character) => !known.has(character));
}

function sectionFault(before: Reading, after: Reading): CheckFault | null {
  return (
    figureFault(before.figures, after.figures) ??
    (sameSet(before.names.identifiers, after.names.identifiers) ? null : 'identifier') ??
    nameFault(before, after, 'names') ??
    claimFault(before, after) ??
    certaintyFault(before.words, after.words)
  );
}

type Tokens = Pick<SplitNote, 'prefix' | 'passages'>;

/** The stretches around the passages that take whole lines, the tokens of the others left in. */
function sections(stretches: string[], tokens: Tokens): string[] {
  const found = [stretches[0]!];
  tokens.passages.forEach(({ block }, i) => {
    if (block) found.push(stretches[i + 1]!);
    else found.push(found.pop()! + tokenOf(tokens.prefix, i) + stretches[i + 1]!);
  });
  return found;
}

/** Compares a note, as it was sent, with the answer: both still hold the tokens of `tokens`. Between two blocks every fact has
 *  to stay where it was, as "the log before:" and "the log after:" say nothing when they change places. */
export function checkRewrite(original: string, rewritten: string, tokens: Tokens = { prefix: '', passages: [] }): CheckResult {
  const fault = faultOf(original, rewritten, tokens);
  return fault === null ? { ok: true } : { ok: false, reason: fault };
}

function faultOf(original: string, rewritten: string, tokens: Tokens): CheckFault | null {
  if (isBlank(rewritten) && !isBlank(original)) return 'empty';
  // Before anything is read: a huge answer costs no more than its length.
  if (countCharacters(rewritten) > countCharacters(original)) return 'longer';
  if (characterFault(original, rewritten)) return 'character';
  const marked = tokens.prefix !== '';
  const before = marked ? betweenTokens(original, tokens) : [original];
  const after = marked ? betweenTokens(rewritten, tokens) : [rewritten];
  if (!before || !after) return 'token';
  const answered = sections(after, tokens);
  const pairs = sections(before, tokens).map((section, i) => readBoth([section, answered[i]!], tokens.prefix));
  const faultIn = (find: typeof sectionFault) => pairs.map((pair) => find(...pair)).find((fault) => fault !== null);
  const [old, now] = [original, rewritten].map((text) => stems(wordsOf(readProse(text, tokens.prefix))));
  // Whether the first word of a sentence is a name is the least sure of all.
  return faultIn(sectionFault) ?? contentFault(old!, now!) ?? faultIn((...pair) => nameFault(...pair, 'starts')) ?? null;
}
