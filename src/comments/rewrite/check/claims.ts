/** What a note hedges, denies, waits for and means to do, clause by clause, so that an answer can be held to it. Pure. */
import { classes, emptyWords, idle, type MarkerClass, markers, standIns } from './lexicon.ts';
import type { Clause, Word } from './words.ts';

/** Stems of the words of a stretch of text. Passages, identifiers and acronyms are in it as they are written. */
export type Stems = Set<string>;

export interface Claim {
  /** Empty when the clause says nothing but its mark ("Blocked."). */
  about: Stems;
  /** What is said in its whole sentence. */
  sentence: Stems;
  marks: Set<MarkerClass>;
  /** What it is marked by in a wider sense (`standIns`). */
  standIns: Set<MarkerClass>;
}

const specific = /[⟦_/\\]|\w\.\w|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;

/** Three letters are stem enough to see that two clauses are about the same thing: test, tests, testing. */
function stem({ text, lower, token }: Word): string | null {
  if (token) return text;
  if (lower.length < 2 || emptyWords.has(lower.replace(/'\w+$/, '')) || marksOf(lower).length > 0) return null;
  if (specific.test(text)) return text;
  return /\p{N}/u.test(lower) ? lower : lower.slice(0, 3);
}

export function stems(words: Word[]): Stems {
  return new Set(words.map(stem).filter((found) => found !== null));
}

/** `can't` and every other …n't deny; …'ll says what comes. */
function marksOf(word: string): MarkerClass[] {
  if (word.endsWith("n't")) return ['negation'];
  return word.endsWith("'ll") ? ['next'] : (markers.get(word) ?? []);
}

/** The marks of a clause's words, and of two words that count together. A figure marks nothing, and a name (Will, May) neither. */
function marksIn(words: Word[], taken: Set<Word>): MarkerClass[] {
  const found: MarkerClass[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const phrase = (length: number) =>
      words
        .slice(i, i + length)
        .map(({ lower }) => lower)
        .join('_');
    const skipped = [2, 3, 4].find((length) => idle.has(phrase(length)));
    const isName = !word.begins && /^\p{Lu}\p{Ll}/u.test(word.text);
    if (skipped) i += skipped === 2 && phrase(2) === 'could_not' ? 0 : skipped - 1;
    else if (!word.token && !taken.has(word) && !isName) found.push(...marksOf(word.lower), ...(markers.get(phrase(2)) ?? []));
  }
  return found;
}

/** `taken`: words that are numbers and dates. */
export function claimsOf(clauses: Clause[], taken: Set<Word>): Claim[] {
  const sentences = new Map<number, Stems>();
  const claims = new Map<Clause, Claim>();
  for (const clause of clauses) {
    const about = stems(clause.words);
    const sentence = sentences.get(clause.sentence) ?? new Set();
    sentences.set(clause.sentence, sentence);
    for (const found of about) sentence.add(found);
    const own = marksIn(clause.words, taken);
    const leader = clause.under ? claims.get(clause.under) : undefined;
    // What a heading marks, every line of its list is; "Next: write tests, deploy" is such a list too.
    const inherited = leader && (leader.sentence !== sentence || leader.about.size === 0) ? leader : undefined;
    const wide = clause.words.flatMap(({ lower }) => standIns.get(lower) ?? []);
    claims.set(clause, {
      about,
      sentence,
      marks: new Set([...own, ...(inherited?.marks ?? [])]),
      standIns: new Set([...wide, ...(inherited?.standIns ?? [])]),
    });
  }
  return [...claims.values()];
}

function union(sets: Iterable<Stems>): Stems {
  return new Set([...new Set(sets)].flatMap((set) => [...set]));
}

export function overlap(some: Stems, other: Stems): number {
  let count = 0;
  for (const found of some) if (other.has(found)) count++;
  return count;
}

/** All that is said under a mark. "Maybe, …": a clause of nothing but its mark reaches over its sentence. */
function reachOf(claims: Claim[], kind: MarkerClass): Stems | null {
  const marked = claims.filter((claim) => claim.marks.has(kind) || claim.standIns.has(kind));
  return marked.length === 0 ? null : union(marked.map((claim) => (claim.about.size > 0 ? claim.about : claim.sentence)));
}

/** Of a clause that is blocked or comes next a half must be said again under its mark, of others a third. */
function hasShare(some: Stems, reach: Stems, kind: MarkerClass): boolean {
  const part = kind === 'blocker' || kind === 'next' ? 2 : 3;
  return overlap(some, reach) >= Math.min(some.size, Math.max(1, Math.floor(some.size / part)));
}

/** The first class of which a marked clause of the note is not marked in the answer. Enough must be said of the clause, of what
 *  it alone says, and of the things it names: "The API is not ready and the UI is" can't become "The UI is not ready and the API is". */
export function lostClaim(before: Claim[], after: Claim[]): MarkerClass | undefined {
  const uses = new Map<string, number>();
  for (const { about } of before) for (const found of about) uses.set(found, (uses.get(found) ?? 0) + 1);
  return classes.find((kind) => {
    const reach = reachOf(after, kind);
    return before.some(({ about, marks }) => {
      if (!marks.has(kind)) return false;
      const own = new Set([...about].filter((found) => uses.get(found) === 1));
      const named = new Set([...about].filter((found) => specific.test(found)));
      return !reach || !hasShare(about, reach, kind) || !hasShare(own, reach, kind) || overlap(named, reach) < named.size / 2;
    });
  });
}

/** Whether the answer doubts, denies or calls wrong what the note does not. "should" is a doubt as well, so either may replace the other. */
export function newClaim(before: Claim[], after: Claim[]): MarkerClass | undefined {
  const sources: [MarkerClass, MarkerClass[]][] = [
    ['hedge', ['hedge', 'duty']],
    ['duty', ['duty', 'hedge']],
    ['negation', ['negation']],
    ['problem', ['problem', 'negation']],
  ];
  const found = sources.find(([kind, allowed]) => {
    const marked = before.filter(({ marks }) => allowed.some((source) => marks.has(source)));
    const known = union(marked.map(({ sentence }) => sentence));
    return after.some(({ about, marks }) => marks.has(kind) && (marked.length === 0 || (about.size > 0 && overlap(about, known) === 0)));
  });
  return found?.[0];
}
