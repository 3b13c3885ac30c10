/** What a note hedges, denies, waits for and means to do, clause by clause, so that an answer can be held to it. Pure. */
import { functionWords } from './commonWords.ts';
import { classesOf, type MarkerClass, phrases, standInClasses } from './markers.ts';
import type { Prose, Word } from './words.ts';

/** Stems of the words of a stretch of text. Passages, identifiers and acronyms are in it as they are written (`isSpecific`). */
export type Stems = Set<string>;

/** A marked clause. */
export interface Claim {
  /** Empty when the clause says nothing but its mark ("Blocked."). */
  about: Stems;
  /** Those that no other clause of the text has: they tell which thing is meant. */
  own: Stems;
}

export interface Claims {
  /** The clauses marked by each class's own words. */
  own: Map<MarkerClass, Claim[]>;
  /** Everything that is said in clauses marked by own words or stand-ins. */
  reach: Map<MarkerClass, Stems>;
  /** Everything that is said in sentences marked by own words. */
  sentences: Map<MarkerClass, Stems>;
}

const fillers = new Set('kind sort time work progress more minor cleanup digging investigation research things stuff'.split(' '));
const specific = /[⟦_/\\]|\w\.\w|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;
const spansOfDay = new Set('day morning afternoon time today week'.split(' '));

/** Three letters are stem enough to see that two clauses are about the same thing: test, tests, testing. */
function stem(word: Word): string | null {
  if (word.token) return word.text;
  if (word.lower.length < 2 || functionWords.has(word.lower) || /^(?:steps?|work)$/.test(word.lower) || classesOf(word.lower).length > 0)
    return null;
  if (specific.test(word.text)) return word.text;
  return /\p{N}/u.test(word.lower) ? word.lower : word.lower.slice(0, 3);
}

/** Whether a stem says just which thing is meant: the API, `user_id`, a quoted passage. */
export function isSpecific(found: string): boolean {
  return specific.test(found);
}

export function stems(words: Word[]): Stems {
  return new Set(words.map(stem).filter((found) => found !== null));
}

/** Uses of a marker that mark nothing: "could not" denies, "some work" and "most of the day" are idle, "nearly 3" is in the figure. */
function isIdle(words: Word[], i: number, kind: MarkerClass, figures: Set<number>): boolean {
  const { lower, text, begins } = words[i]!;
  const next = words[i + 1]?.lower ?? '';
  if (figures.has(i)) return true;
  if (kind === 'hedge') return (lower === 'could' && next === 'not') || (text === 'May' && !begins);
  if (kind === 'next') return text === 'Will' && !begins;
  if (kind === 'negation') return lower === 'not' && next === 'only';
  if (kind !== 'part') return false;
  if (figures.has(i + 1)) return true;
  return lower === 'some' ? fillers.has(next) : lower === 'most' && words.slice(i + 1, i + 4).some((word) => spansOfDay.has(word.lower));
}

function marksAt(words: Word[], i: number, figures: Set<number>): { own: MarkerClass[]; standIn: readonly MarkerClass[] } {
  const word = words[i]!;
  if (word.token) return { own: [], standIn: [] };
  const said = phrases
    .filter(([first, second]) => first === word.lower && second === words[i + 1]?.lower && words[i - 1]?.lower !== 'did')
    .map(([, , kind]) => kind);
  return {
    own: [...classesOf(word.lower).filter((kind) => !isIdle(words, i, kind, figures)), ...said],
    standIn: standInClasses(word.lower),
  };
}

function group(words: Word[], by: 'clause' | 'sentence'): Map<number, Word[]> {
  const groups = new Map<number, Word[]>();
  for (const word of words) {
    const found = groups.get(word[by]);
    if (found) found.push(word);
    else groups.set(word[by], [word]);
  }
  return groups;
}

interface Unit {
  about: Stems;
  sentence: number;
  own: Set<MarkerClass>;
  standIn: Set<MarkerClass>;
}

class Units {
  readonly list: Unit[] = [];
  private readonly uses = new Map<string, number>();
  private readonly bySentence = new Map<number, Stems>();
  constructor(prose: Prose, figures: Set<number>) {
    const position = new Map(prose.words.map((word, i) => [word, i]));
    for (const clause of group(prose.words, 'clause').values()) {
      const marks = clause.map((word) => marksAt(prose.words, position.get(word)!, figures));
      const own = new Set(marks.flatMap((mark) => mark.own));
      const standIn = new Set(marks.flatMap((mark) => mark.standIn));
      this.list.push({ about: stems(clause), sentence: clause[0]!.sentence, own, standIn });
      this.ledBy(clause);
    }
    for (const [sentence, words] of group(prose.words, 'sentence')) this.bySentence.set(sentence, stems(words));
    this.inherit(prose);
    for (const { about } of this.list) for (const found of about) this.uses.set(found, (this.uses.get(found) ?? 0) + 1);
  }

  /** The clause before a colon ("Next: write tests, deploy") rules the clauses behind it in its sentence. */
  private leader: Unit | null = null;
  private ledBy(clause: Word[]): void {
    const unit = this.list.at(-1)!;
    if (this.leader?.sentence === unit.sentence) {
      for (const kind of this.leader.own) unit.own.add(kind);
      for (const kind of this.leader.standIn) unit.standIn.add(kind);
    } else this.leader = clause.at(-1)!.ends === ':' && unit.about.size === 0 ? unit : null;
  }

  /** What a heading marks, every line of its list is; the heading itself then says nothing more. */
  private inherit(prose: Prose): void {
    const headings = new Map<number, Set<MarkerClass>>();
    for (const heading of prose.under) if (heading >= 0) headings.set(heading, new Set());
    for (const unit of this.list) {
      const marks = headings.get(unit.sentence);
      if (!marks) continue;
      for (const kind of unit.own) marks.add(kind);
      unit.about.clear();
    }
    for (const unit of this.list) for (const kind of headings.get(prose.under[unit.sentence]!) ?? []) unit.own.add(kind);
  }

  /** The stems of a unit that are in no other. */
  ownStems(unit: Unit): Stems {
    return new Set([...unit.about].filter((found) => this.uses.get(found) === 1));
  }

  wholeSentence(unit: Unit): Stems {
    return this.bySentence.get(unit.sentence)!;
  }
}

function addAll(into: Map<MarkerClass, Stems>, kind: MarkerClass, about: Stems): void {
  const claim = into.get(kind) ?? new Set();
  for (const found of about) claim.add(found);
  into.set(kind, claim);
}

/** Adds each sentence once per class, so that a sentence of a thousand clauses costs no more than its length. */
function sentenceAdder(units: Units): (into: Map<MarkerClass, Stems>, kind: MarkerClass, unit: Unit) => void {
  const added = new Map<Map<MarkerClass, Stems>, Set<string>>();
  return (into, kind, unit) => {
    const known = added.get(into) ?? new Set();
    added.set(into, known);
    if (known.has(`${kind} ${unit.sentence}`)) return;
    known.add(`${kind} ${unit.sentence}`);
    addAll(into, kind, units.wholeSentence(unit));
  };
}

/** `figures`: indices of words that are numbers and dates. */
export function claimsOf(prose: Prose, figures: Set<number>): Claims {
  const units = new Units(prose, figures);
  const addSentence = sentenceAdder(units);
  const claims: Claims = { own: new Map(), reach: new Map(), sentences: new Map() };
  for (const unit of units.list) {
    for (const kind of unit.own) {
      const own = claims.own.get(kind);
      const claim = { about: unit.about, own: units.ownStems(unit) };
      if (own) own.push(claim);
      else claims.own.set(kind, [claim]);
      addSentence(claims.sentences, kind, unit);
    }
    for (const kind of [...unit.own, ...unit.standIn]) {
      // "Maybe, …": a clause of nothing but its mark reaches over its sentence, and asks for no more than a mark.
      if (unit.about.size > 0) addAll(claims.reach, kind, unit.about);
      else addSentence(claims.reach, kind, unit);
    }
  }
  return claims;
}
