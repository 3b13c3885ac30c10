/** Decides whether a rewritten note may stand for the original (behaviour §8.9). Pure and linear: it
 *  trusts nothing the model says. It errs on the side of refusal; a refused rewriting saves nothing. */
import { countCharacters } from '../../../values/text.ts';
import { betweenTokens, type SplitNote, tokenOf } from '../excerpts/passages.ts';
import { isBlank } from '../excerpts/ranges.ts';
import { type Claim, claimsOf, lostClaim, newClaim, overlap, type Stems, stems } from './claims.ts';
import { type Fact, type FactKind, factsOf, writtenSmall } from './facts.ts';
import { certain, finished, type MarkerClass } from './lexicon.ts';
import { readProse, type Word, wordsOf } from './words.ts';

/** Why an answer was refused. Names the rule, never the text: it may be logged. */
export type CheckFault =
  | ('token' | 'empty' | 'longer' | 'character' | 'certainty' | 'content')
  | FactKind
  | `${'lost' | 'new'}_${MarkerClass}`;

export type CheckResult = { ok: true } | { ok: false; reason: CheckFault };

interface Reading {
  words: Word[];
  facts: Fact[];
  claims: Claim[];
}

/** Reads both texts: what is a name in one may be seen to be none from the other. */
function readBoth(texts: [string, string], prefix: string): [Reading, Reading] {
  const both = texts.map((text) => readProse(text, prefix));
  const small = writtenSmall(both.flatMap(wordsOf));
  return both.map((clauses) => {
    const words = wordsOf(clauses);
    const { facts, figures } = factsOf(words, small);
    return { words, facts, claims: claimsOf(clauses, figures) };
  }) as [Reading, Reading];
}

/** Distinct, in the order of first mention: exchanging two is a change of facts. "From 250 ms to 90 ms" can't be turned round, but
 *  numbers of different units may change places. */
function listed(facts: Fact[], kind: Fact['kind']): string {
  const found = facts.filter((fact) => fact.kind === kind).toSorted((a, b) => a.unit.localeCompare(b.unit));
  return [...new Set(found.map(({ value, unit }) => `${value} ${unit}`))].join('\n');
}

/** The facts that must be the same, in the same order. */
const compared = ['number', 'date', 'reference', 'identifier'] as const;

function factFault(before: Reading, after: Reading): CheckFault | undefined {
  return compared.find((kind) => listed(before.facts, kind) !== listed(after.facts, kind));
}

/** A name may move to where it has no capital, or come from there. */
function nameFault(before: Reading, after: Reading, sought: 'name' | 'start'): CheckFault | undefined {
  const isMissing = (from: Reading, to: Reading) => {
    const said = new Set(to.words.map(({ lower }) => lower));
    return from.facts.some(({ kind, value }) => kind === sought && !said.has(value));
  };
  return isMissing(before, after) || isMissing(after, before) ? 'name' : undefined;
}

function claimFault(before: Reading, after: Reading): CheckFault | undefined {
  const lost = lostClaim(before.claims, after.claims);
  if (lost) return `lost_${lost}`;
  const added = newClaim(before.claims, after.claims);
  return added && `new_${added}`;
}

function certaintyFault(before: Reading, after: Reading): CheckFault | undefined {
  const known = new Set(before.words.map(({ lower }) => lower));
  const about = stems(before.words);
  const isNew = (word: string) => !known.has(word) && (certain.has(word) || (finished.has(word) && !about.has(word.slice(0, 3))));
  return after.words.some(({ lower }) => isNew(lower)) ? 'certainty' : undefined;
}

/** The answer must still be about what the note is about, and about little else. */
function contentFault(old: Stems, now: Stems): CheckFault | undefined {
  const kept = overlap(now, old);
  return (old.size >= 6 && kept < old.size * 0.3) || (now.size >= 4 && kept < now.size * 0.5) ? 'content' : undefined;
}

/** Controls, invisible format characters, half characters and pictures that the note does not have. */
function characterFault(before: string, after: string): boolean {
  const odd = /[^\P{C}\n\r\t]|\p{Extended_Pictographic}/gu;
  const known = new Set(before.match(odd));
  return (after.match(odd) ?? []).some((character) => !known.has(character));
}

function sectionFault(...pair: [before: Reading, after: Reading]): CheckFault | undefined {
  return factFault(...pair) ?? nameFault(...pair, 'name') ?? claimFault(...pair) ?? certaintyFault(...pair);
}

type Tokens = Pick<SplitNote, 'prefix' | 'passages'>;

/** The stretches around the passages that take whole lines, the tokens of the others left in; null when tokens are missing. */
function sections(text: string, tokens: Tokens): string[] | null {
  if (tokens.prefix === '') return [text];
  const stretches = betweenTokens(text, tokens);
  if (!stretches) return null;
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
  const reason = faultOf(original, rewritten, tokens);
  return reason ? { ok: false, reason } : { ok: true };
}

function faultOf(original: string, rewritten: string, tokens: Tokens): CheckFault | undefined {
  if (isBlank(rewritten) && !isBlank(original)) return 'empty';
  // Before anything is read: a huge answer costs no more than its length.
  if (countCharacters(rewritten) > countCharacters(original)) return 'longer';
  if (characterFault(original, rewritten)) return 'character';
  const [before, after] = [sections(original, tokens), sections(rewritten, tokens)];
  if (!before || !after) return 'token';
  const pairs = before.map((section, i) => readBoth([section, after[i]!], tokens.prefix));
  const [old, now] = [0, 1].map((side) => stems(pairs.flatMap((pair) => pair[side]!.words)));
  const faultIn = (find: typeof sectionFault) => pairs.map((pair) => find(...pair)).find((fault) => fault !== undefined);
  // Whether the first word of a sentence is a name is the least sure of all.
  return faultIn(sectionFault) ?? contentFault(old!, now!) ?? faultIn((...pair) => nameFault(...pair, 'start'));
}
