/** Decides if a rewritten note may replace the original (behaviour §8.9). Trusts nothing from the model. Pure and linear. */
import { elementAt } from '../../../values/records.ts';
import { countCharacters } from '../../../values/text.ts';
import { holdsTokens, type Tokens, tokenOf } from '../excerpts/passages.ts';
import { isBlank } from '../excerpts/ranges.ts';
import type { Fact, FactKind } from './facts.ts';
import { certain, classes, finished, type MarkerClass } from './lexicon.ts';
import { type Clause, readProse } from './prose.ts';
import { type ReadWord, type Stems, specific, stems } from './words.ts';

/** Compares the claims (doubt, denial, waiting, plans) of note and answer, clause by clause. Pure. */
export type ClaimFault = `${'lost' | 'new'}_${MarkerClass}`;

function union(sets: Iterable<Stems>): Stems {
  return new Set([...new Set(sets)].flatMap((set) => [...set]));
}

/** The first marker class that a clause of the note loses. 40 % of the clause's stems, 40 % of its unique stems and all of its identifiers
 *  must stay in marked clauses. "The API is not ready and the UI is" can't be reversed. */
export function lostClaim(before: Clause[], after: Clause[]): ClaimFault | undefined {
  const uses = Map.groupBy(
    before.flatMap(({ about }) => [...about]),
    (found) => found,
  );
  const lost = classes.find((kind) => {
    const marked = after.filter(({ marks }) => marks.has(kind));
    // "Maybe, …": a clause with only a marker applies to its whole sentence.
    const reach = union(marked.map(({ about, sentence }) => (about.size > 0 ? about : sentence)));
    const isKept = (part: Stems) => part.intersection(reach).size >= part.size * 0.4;
    return before.some(({ about, marks }) => {
      if (!marks.has(kind)) return false;
      const own = new Set([...about].filter((found) => uses.get(found)?.length === 1));
      const named = new Set([...about].filter((found) => specific.test(found)));
      return marked.length === 0 || !isKept(about) || !isKept(own) || !named.isSubsetOf(reach);
    });
  });
  return lost && `lost_${lost}`;
}

export function newClaim(before: Clause[], after: Clause[]): ClaimFault | undefined {
  const added = classes.find((kind) => {
    const marked = before.filter(({ marks }) => marks.has(kind));
    const known = union(marked.map(({ sentence }) => sentence));
    return after.some(({ about, marks }) => marks.has(kind) && (marked.length === 0 || (about.size > 0 && about.isDisjointFrom(known))));
  });
  return added && `new_${added}`;
}

/** Names the broken rule, never the text, so it may be logged. */
export type CheckFault = ('empty' | 'longer' | 'character' | 'certainty' | 'content') | FactKind | ClaimFault;

export type CheckResult = { ok: true } | { ok: false; reason: CheckFault };

const noTokens: Tokens = { prefix: '⟦none:', passages: [] };

function wordsOf(clauses: Clause[]): ReadWord[] {
  return clauses.flatMap(({ words }) => words);
}

function factsOf(clauses: Clause[], kind: Fact['kind']): Fact[] {
  return wordsOf(clauses).flatMap(({ fact }) => (fact?.kind === kind ? fact : []));
}

/** Distinct facts in order of first mention. Sorted by unit, because numbers with different units may change places. */
function listed(clauses: Clause[], kind: FactKind): string {
  const found = factsOf(clauses, kind).toSorted((a, b) => (a.unit ?? '').localeCompare(b.unit ?? ''));
  return [...new Set(found.map(({ value, unit }) => `${value} ${unit}`))].join('\n');
}

const compared: FactKind[] = ['number', 'date', 'reference', 'identifier', 'token'];

/** Word without its ending: "deploying", "deploys" and "deployed" become "deploy". */
function base(word: string): string {
  const short = word.replace(/(?:e|es|ed|s|ing|ly)$/, '');
  return short.length < 3 ? word : short;
}

/** Names must be in both texts. The first word of a sentence is not a name if it occurs in lower case, in any form. */
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

/** The answer must keep 30 % of the note's stems, and at most half of its stems may be new. */
function contentFault(before: ReadWord[], after: ReadWord[]): CheckFault | undefined {
  const [old, now] = [stems(before), stems(after)];
  const kept = now.intersection(old).size;
  return (old.size >= 6 && kept < old.size * 0.3) || (now.size >= 4 && kept < now.size * 0.5) ? 'content' : undefined;
}

/** True for new control characters, format characters, lone surrogates or pictographs. */
function characterFault(before: string, after: string): boolean {
  const odd = /[^\P{C}\n\r\t]|\p{Extended_Pictographic}/gu;
  return !new Set(after.match(odd)).isSubsetOf(new Set(before.match(odd)));
}

function lossIn(before: Clause[], after: Clause[]): CheckFault | undefined {
  const changed = compared.find((kind) => listed(before, kind) !== listed(after, kind));
  return changed ?? nameFault('name', before, after) ?? lostClaim(before, after);
}

/** The answer says more than the note. `start` comes last, because it is the least certain. */
function additionIn(before: Clause[], after: Clause[]): CheckFault | undefined {
  return newClaim(before, after) ?? certaintyFault(wordsOf(before), wordsOf(after)) ?? nameFault('start', before, after);
}

/** Text between the block passages. Inline tokens stay. Null if tokens are missing. */
function sections(text: string, tokens: Tokens): string[] | null {
  if (!holdsTokens(text, tokens)) return null;
  const blocks = tokens.passages.flatMap(({ block }, i) => (block ? [tokenOf(tokens.prefix, i)] : []));
  return blocks.reduce((marked, token) => marked.replace(token, '\0'), text).split('\0');
}

function faultOf(original: string, rewritten: string, tokens: Tokens): CheckFault | undefined {
  if (isBlank(rewritten) && !isBlank(original)) return 'empty';
  // Checked first, so a huge answer costs no more than its length.
  if (countCharacters(rewritten) > countCharacters(original)) return 'longer';
  if (characterFault(original, rewritten)) return 'character';
  const [before, after] = [original, rewritten].map((text) => sections(text, tokens));
  if (!before || before.length !== after?.length) return 'token';
  const pairs = before.map((section, i) => [readProse(section), readProse(elementAt(after, i))] as const);
  const wordsOn = (side: 0 | 1) => pairs.flatMap((pair) => wordsOf(pair[side]));
  const faultIn = (find: typeof lossIn) => pairs.map((pair) => find(...pair)).find((fault) => fault !== undefined);
  return faultIn(lossIn) ?? contentFault(wordsOn(0), wordsOn(1)) ?? faultIn(additionIn);
}

/** Both texts contain the tokens. Facts must stay between the same blocks: "the log before:" must not become "the log after:". */
export function checkRewrite(original: string, rewritten: string, tokens = noTokens): CheckResult {
  const reason = faultOf(original, rewritten, tokens);
  return reason ? { ok: false, reason } : { ok: true };
}
