/** Decides whether a rewritten note may stand for the original (behaviour §8.9). Pure and linear: it
 *  trusts nothing the model says. It errs on the side of refusal; a refused rewriting saves nothing. */
import { countCharacters } from '../../../values/text.ts';
import { betweenTokens, type SplitNote, tokenOf } from '../excerpts/passages.ts';
import { isBlank } from '../excerpts/ranges.ts';
import { type Claim, type Claims, claimsOf, isSpecific, type Stems, stems } from './claims.ts';
import { type Figures, figuresOf } from './figures.ts';
import { certain, classes, finished, type MarkerClass } from './markers.ts';
import { allKeys, type Names, namesOf, smallWords } from './names.ts';
import { type Prose, readProse } from './words.ts';

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
  prose: Prose;
  figures: Figures;
  names: Names;
  claims: Claims;
}

function read(text: string, prefix: string): Reading {
  const prose = readProse(text, prefix);
  const taken = new Set<number>();
  const figures = figuresOf(prose.words, taken);
  return { prose, figures, names: namesOf(prose.words, taken), claims: claimsOf(prose, taken) };
}

function sameSet(a: Set<string>, b: Set<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

/** Numbers by unit, in order: "from 250 ms to 90 ms" can't be turned round, figures of different units may change places. */
function byUnit(numbers: Set<string>): Set<string> {
  return new Set([...numbers].sort((a, b) => unitOf(a).localeCompare(unitOf(b))));
}

function unitOf(number: string): string {
  return number.replace(/^\S+/, '');
}

/** The same values, first mentioned in the same order. */
function sameOrder(a: Set<string>, b: Set<string>): boolean {
  const other = [...b];
  return a.size === b.size && [...a].every((value, i) => value === other[i]);
}

function figureFault(before: Figures, after: Figures): CheckFault | null {
  if (!sameOrder(byUnit(before.numbers), byUnit(after.numbers))) return 'number';
  if (!sameOrder(before.dates, after.dates) || !sameSet(before.days, after.days)) return 'date';
  return sameOrder(before.references, after.references) ? null : 'reference';
}

/** A new word that begins a sentence is no name when the note has its stem ("deploying" -> "Deployment …"). */
function hasStem(word: string, small: Set<string>): boolean {
  if (word.length < 5) return false;
  for (let length = 4; length <= Math.min(word.length, 20); length++) if (small.has(word.slice(0, length))) return true;
  return false;
}

function nameFault(before: Reading, after: Reading): CheckFault | null {
  if (!sameSet(before.names.identifiers, after.names.identifiers)) return 'identifier';
  const [known, said] = [allKeys(before.prose.words), allKeys(after.prose.words)];
  const small = smallWords(before.prose.words);
  const lost = [...before.names.names].some((name) => !said.has(name));
  const added = [...after.names.names].some((name) => !known.has(name) && !hasStem(name, small));
  return lost || added ? 'name' : null;
}

/** At least this share of what a marked clause is about must be said under the same mark. */
const shares: Record<MarkerClass, number> = { hedge: 3, duty: 3, condition: 3, negation: 3, part: 3, problem: 3, blocker: 2, next: 2 };

function overlap(some: Stems, other: Stems): number {
  let count = 0;
  for (const stem of some) if (other.has(stem)) count++;
  return count;
}

function hasShare(some: Stems, reach: Stems, share: number): boolean {
  return overlap(some, reach) >= Math.min(some.size, Math.max(1, Math.floor(some.size / share)));
}

/** Whether `reach` says enough of the claim: its share of stems, of those that are its own, and half of the things it names.
 *  "The API is not ready and the UI is" can't become "The UI is not ready and the API is". */
function isSaid({ about, own }: Claim, reach: Stems, share: number): boolean {
  const named = new Set([...about].filter(isSpecific));
  return hasShare(about, reach, share) && hasShare(own, reach, share) && overlap(named, reach) >= named.size / 2;
}

/** Whether everything marked in the note is marked in the answer. */
function lostClaim(before: Claims, after: Claims): CheckFault | null {
  for (const kind of classes) {
    const reach = after.reach.get(kind);
    for (const claim of before.own.get(kind) ?? []) if (!reach || !isSaid(claim, reach, shares[kind])) return `lost_${kind}`;
  }
  return null;
}

/** Whether the answer doubts, denies or calls wrong what the note does not. "should" is a doubt as well, so either may replace the other. */
function newClaim(before: Claims, after: Claims): CheckFault | null {
  const kinds: [MarkerClass, MarkerClass[]][] = [
    ['hedge', ['hedge', 'duty']],
    ['duty', ['duty', 'hedge']],
    ['negation', ['negation']],
    ['problem', ['problem', 'negation']],
  ];
  for (const [kind, sources] of kinds) {
    const known = sources.map((source) => before.sentences.get(source)).filter((found) => found !== undefined);
    for (const claim of after.own.get(kind) ?? []) {
      if (known.length === 0 || (claim.about.size > 0 && !known.some((source) => overlap(claim.about, source) > 0))) return `new_${kind}`;
    }
  }
  return null;
}

function certaintyFault(before: Prose, after: Prose): CheckFault | null {
  const known = new Set(before.words.map((word) => word.lower));
  const about = stems(before.words);
  const added = after.words.filter((word) => !known.has(word.lower));
  if (added.some((word) => certain.has(word.lower))) return 'certainty';
  const ended = added.some((word) => finished.has(word.lower) && !about.has(word.lower.slice(0, 3)));
  return ended && ![...finished].some((word) => known.has(word)) ? 'certainty' : null;
}

/** The answer must still be about what the note is about, and about little else. */
function contentFault(before: Prose, after: Prose): CheckFault | null {
  const [old, now] = [stems(before.words), stems(after.words)];
  const kept = overlap(now, old);
  if (old.size >= 6 && kept < old.size * 0.3) return 'content';
  return now.size >= 4 && kept < now.size * 0.5 ? 'content' : null;
}

/** Controls, invisible format characters, half characters and pictures that the note does not have. */
function characterFault(before: string, after: string): boolean {
  const odd = /[^\P{C}\n\r\t]|\p{Extended_Pictographic}/gu;
  const known = new Set(before.match(odd));
  return (after.match(odd) ?? []).some((character) => !known.has(character));
}

function sectionFault(original: string, rewritten: string, prefix: string): CheckFault | null {
  const [before, after] = [read(original, prefix), read(rewritten, prefix)];
  return (
    figureFault(before.figures, after.figures) ??
    nameFault(before, after) ??
    lostClaim(before.claims, after.claims) ??
    newClaim(before.claims, after.claims) ??
    certaintyFault(before.prose, after.prose)
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
  const wrong = sections(before, tokens).map((section, i) => sectionFault(section, answered[i]!, tokens.prefix));
  return wrong.find((fault) => fault !== null) ?? contentFault(readProse(original, tokens.prefix), readProse(rewritten, tokens.prefix));
}
