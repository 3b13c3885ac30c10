/** What a note doubts, denies, waits for and means to do, clause by clause, so that an answer can be held to it. Pure. */
import { acceptedFor, classes, emptyWords, type MarkerClass, markers } from './lexicon.ts';
import type { Clause, Word } from './words.ts';

/** Stems of the words of a stretch of text. Passages, identifiers and acronyms are in it as they are written. */
export type Stems = Set<string>;

export interface Claim {
  /** Empty when the clause says nothing but its marker ("Blocked."). */
  about: Stems;
  /** What is said in its whole sentence. */
  sentence: Stems;
  /** The classes of its markers. */
  marks: Set<MarkerClass>;
  /** In an answer: the classes that its words will do for. */
  accepted: Set<MarkerClass>;
}

const specific = /[⟦_/\\]|\w\.\w|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;

/** `can't` and every other …n't deny; …'ll says what comes. */
function marksOf(word: string): MarkerClass[] {
  if (word.endsWith("n't")) return ['negation'];
  return word.endsWith("'ll") ? ['next'] : (markers.get(word) ?? []);
}

/** Three letters are stem enough to see that two clauses are about the same thing: test, tests, testing. */
function stem({ text, lower, token }: Word): string[] {
  if (token) return [text];
  if (lower.length < 2 || emptyWords.has(lower.replace(/'\w+$/, '')) || marksOf(lower).length > 0) return [];
  if (specific.test(text)) return [text];
  return [/\p{N}/u.test(lower) ? lower : lower.slice(0, 3)];
}

export function stems(words: Word[]): Stems {
  return new Set(words.flatMap(stem));
}

/** The marks of a clause's words, and of two words that count together. A figure marks nothing, and a name (Will, May) neither. */
function marksIn(words: Word[], figures: Set<Word>): MarkerClass[] {
  return words.flatMap((word, i) => {
    if (word.token || figures.has(word) || (!word.begins && /^\p{Lu}\p{Ll}/u.test(word.text))) return [];
    return [...marksOf(word.lower), ...(markers.get(`${word.lower}_${words[i + 1]?.lower}`) ?? [])];
  });
}

export function claimsOf(clauses: Clause[], figures: Set<Word>): Claim[] {
  const sentences = Map.groupBy(clauses, ({ sentence }) => sentence);
  const said = new Map([...sentences].map(([sentence, parts]) => [sentence, stems(parts.flatMap(({ words }) => words))]));
  const claims = new Map<Clause, Claim>();
  for (const clause of clauses) {
    const about = stems(clause.words);
    const sentence = said.get(clause.sentence)!;
    const leader = clause.under && claims.get(clause.under);
    // What a heading marks, every line of its list is; "Next: write tests, deploy" is such a list too.
    const inherited = leader && (leader.sentence !== sentence || leader.about.size === 0) ? leader : undefined;
    const marks = [...marksIn(clause.words, figures), ...(inherited?.marks ?? [])];
    const wider = clause.words.flatMap(({ lower }) => acceptedFor.get(lower) ?? []);
    claims.set(clause, { about, sentence, marks: new Set(marks), accepted: new Set([...marks, ...wider, ...(inherited?.accepted ?? [])]) });
  }
  return [...claims.values()];
}

function union(sets: Iterable<Stems>): Stems {
  return new Set([...new Set(sets)].flatMap((set) => [...set]));
}

export function overlap(some: Stems, other: Stems): number {
  return [...some].filter((found) => other.has(found)).length;
}

/** The first class of which a marked clause of the note is not marked in the answer. Enough must be said of the clause, of what it
 *  alone says, and of the things it names: "The API is not ready and the UI is" can't become its reverse. */
export function lostClaim(before: Claim[], after: Claim[]): MarkerClass | undefined {
  const uses = Map.groupBy(
    before.flatMap(({ about }) => [...about]),
    (found) => found,
  );
  return classes.find((kind) => {
    const marked = after.filter(({ accepted }) => accepted.has(kind));
    // "Maybe, …": a clause of nothing but its marker reaches over its sentence.
    const reach = union(marked.map(({ about, sentence }) => (about.size > 0 ? about : sentence)));
    const share = kind === 'blocker' || kind === 'next' ? 2 : 3;
    const isLost = (part: Stems) => overlap(part, reach) < Math.min(part.size, Math.max(1, Math.floor(part.size / share)));
    return before.some(({ about, marks }) => {
      if (!marks.has(kind)) return false;
      const own = new Set([...about].filter((found) => uses.get(found)!.length === 1));
      const named = new Set([...about].filter((found) => specific.test(found)));
      return marked.length === 0 || isLost(about) || isLost(own) || overlap(named, reach) < named.size / 2;
    });
  });
}

/** What the answer must not mark, and the marks of the note that allow it. "should" is a doubt as well, so either may replace the other. */
const sources: [MarkerClass, MarkerClass[]][] = [
  ['hedge', ['hedge', 'duty']],
  ['duty', ['duty', 'hedge']],
  ['negation', ['negation']],
  ['problem', ['problem', 'negation']],
];

/** Whether the answer doubts, denies or calls wrong what the note does not. */
export function newClaim(before: Claim[], after: Claim[]): MarkerClass | undefined {
  const found = sources.find(([kind, allowed]) => {
    const marked = before.filter(({ marks }) => allowed.some((source) => marks.has(source)));
    const known = union(marked.map(({ sentence }) => sentence));
    return after.some(({ about, marks }) => marks.has(kind) && (marked.length === 0 || (about.size > 0 && overlap(about, known) === 0)));
  });
  return found?.[0];
}
