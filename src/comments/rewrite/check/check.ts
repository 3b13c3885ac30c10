/** Decides whether a rewritten note may stand for the original (behaviour §8.9). Pure and linear: it
 *  trusts nothing the model says. It errs on the side of refusal; a refused rewriting saves nothing. */
import { countCharacters } from '../../../values/text.ts';
import { holdsTokens, type Tokens, tokenOf } from '../excerpts/passages.ts';
import { isBlank } from '../excerpts/ranges.ts';
import { type ClaimFault, lostClaim, newClaim } from './claims.ts';
import type { Fact, FactKind } from './facts.ts';
import { certain, finished } from './lexicon.ts';
import { type Clause, readProse } from './prose.ts';
import { type ReadWord, stems } from './words.ts';

/** Why an answer was refused. Names the rule, never the text: it may be logged. */
export type CheckFault = ('empty' | 'longer' | 'character' | 'certainty' | 'content') | FactKind | ClaimFault;

export type CheckResult = { ok: true } | { ok: false; reason: CheckFault };

const noTokens: Tokens = { prefix: '⟦none:', passages: [] };

function wordsOf(clauses: Clause[]): ReadWord[] {
  return clauses.flatMap(({ words }) => words);
}

function factsOf(clauses: Clause[], kind: Fact['kind']): Fact[] {
  return wordsOf(clauses).flatMap(({ fact }) => (fact?.kind === kind ? fact : []));
}

/** Distinct, in the order of first mention: exchanging two is a change of facts. "From 250 ms to 90 ms" can't be turned round, but
 *  numbers of different units may change places. */
function listed(clauses: Clause[], kind: FactKind): string {
  const found = factsOf(clauses, kind).toSorted((a, b) => (a.unit ?? '').localeCompare(b.unit ?? ''));
  return [...new Set(found.map(({ value, unit }) => `${value} ${unit}`))].join('\n');
}

/** The facts that must be the same, in the same order. */
const compared: FactKind[] = ['number', 'date', 'reference', 'identifier', 'token'];

/** Without its ending: "deploying", "deploys" and "deployed" are forms of "deploy". */
function base(word: string): string {
  const short = word.replace(/(?:e|es|ed|s|ing|ly)$/, '');
  return short.length < 3 ? word : short;
}

/** A name may move to where it has no capital, or come from there. The first word of a sentence is none if it is written small in
 *  one of the texts, in any form. */
function nameFault(kind: 'name' | 'start', ...pair: [before: Clause[], after: Clause[]]): CheckFault | undefined {
  const words = pair.map(wordsOf);
  const small = new Set(words.flat().flatMap(({ text, lower }) => (/^\p{Ll}/u.test(text) ? base(lower) : [])));
  const names = pair.flatMap((clauses) => factsOf(clauses, kind)).filter(({ value }) => kind === 'name' || !small.has(base(value)));
  const said = words.map((some) => new Set(some.map(({ lower }) => lower)));
  return names.every(({ value }) => said.every((some) => some.has(value))) ? undefined : 'name';
}

function certaintyFault(before: ReadWord[], after: ReadWord[]): CheckFault | undefined {
  const known = new Set(before.map(({ lower }) => lower));
  const about = stems(before);
  const isNew = (word: string) => !known.has(word) && (certain.has(word) || (finished.has(word) && !about.has(word.slice(0, 3))));
  return after.some(({ lower }) => isNew(lower)) ? 'certainty' : undefined;
}

/** The answer must still be about what the note is about, and about little else. */
function contentFault(before: ReadWord[], after: ReadWord[]): CheckFault | undefined {
  const [old, now] = [stems(before), stems(after)];
  const kept = now.intersection(old).size;
  return (old.size >= 6 && kept < old.size * 0.3) || (now.size >= 4 && kept < now.size * 0.5) ? 'content' : undefined;
}

/** Controls, invisible format characters, half characters and pictures that the note does not have. */
function characterFault(before: string, after: string): boolean {
  const odd = /[^\P{C}\n\r\t]|\p{Extended_Pictographic}/gu;
  return !new Set(after.match(odd)).isSubsetOf(new Set(before.match(odd)));
}

/** A fact is lost or another one. */
function lossIn(before: Clause[], after: Clause[]): CheckFault | undefined {
  const changed = compared.find((kind) => listed(before, kind) !== listed(after, kind));
  return changed ?? nameFault('name', before, after) ?? lostClaim(before, after);
}

/** More is said than in the note. Whether the first word of a sentence is a name is the least sure of all. */
function additionIn(before: Clause[], after: Clause[]): CheckFault | undefined {
  return newClaim(before, after) ?? certaintyFault(wordsOf(before), wordsOf(after)) ?? nameFault('start', before, after);
}

/** The stretches around the passages that take whole lines, the tokens of the others left in; null when tokens are missing. */
function sections(text: string, tokens: Tokens): string[] | null {
  if (!holdsTokens(text, tokens)) return null;
  const blocks = tokens.passages.flatMap(({ block }, i) => (block ? [tokenOf(tokens.prefix, i)] : []));
  return blocks.reduce((marked, token) => marked.replace(token, '\0'), text).split('\0');
}

function faultOf(original: string, rewritten: string, tokens: Tokens): CheckFault | undefined {
  if (isBlank(rewritten) && !isBlank(original)) return 'empty';
  // Before anything is read: a huge answer costs no more than its length.
  if (countCharacters(rewritten) > countCharacters(original)) return 'longer';
  if (characterFault(original, rewritten)) return 'character';
  const [before, after] = [original, rewritten].map((text) => sections(text, tokens));
  if (!before || before.length !== after?.length) return 'token';
  const pairs = before.map((section, i) => [readProse(section), readProse(after[i]!)] as const);
  const wordsOn = (side: 0 | 1) => pairs.flatMap((pair) => wordsOf(pair[side]));
  const faultIn = (find: typeof lossIn) => pairs.map((pair) => find(...pair)).find((fault) => fault !== undefined);
  return faultIn(lossIn) ?? contentFault(wordsOn(0), wordsOn(1)) ?? faultIn(additionIn);
}

/** Compares a note, as it was sent, with the answer: both still hold the tokens of `tokens`. Between two blocks every fact has
 *  to stay where it was, as "the log before:" and "the log after:" say nothing when they change places. */
export function checkRewrite(original: string, rewritten: string, tokens = noTokens): CheckResult {
  const reason = faultOf(original, rewritten, tokens);
  return reason ? { ok: false, reason } : { ok: true };
}
