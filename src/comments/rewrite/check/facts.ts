/** Facts in prose, told by how they are written, in a form that two wordings can be compared by. Pure. */
import { emptyWords, markers, rows } from './lexicon.ts';
import type { Word } from './words.ts';

export type FactKind = 'number' | 'date' | 'reference' | 'identifier' | 'name';

export interface Fact {
  /** `start`: the first word of a sentence, which may be a name. */
  kind: FactKind | 'start';
  /** Of a number. */
  unit: string;
  value: string;
}

const units = rows({
  ...{ h: 'h hr hrs hour hours', min: 'min mins minute minutes', s: 's sec secs second seconds', ms: 'ms millisecond milliseconds' },
  ...{ day: 'd day days', week: 'w week weeks', month: 'month months', year: 'y year years', '%': '% percent', x: 'x times' },
  ...{ kb: 'kb', mb: 'mb', gb: 'gb', am: 'am a.m', pm: 'pm p.m', point: 'pt pts point points' },
});
const leeways = rows({
  '~': 'about around approximately approx roughly nearly almost circa ca',
  '>': 'over above exceeding at_least more_than',
  '<': 'under below within at_most up_to less_than fewer_than',
});
/** Those up to seventeen are the same as their digits. */
const numberWords =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen twenty thirty forty
  fifty sixty seventy eighty ninety first second third fourth fifth sixth half twice thrice dozen dozens hundred hundreds thousand
  thousands million millions billion billions`.split(/\s+/);

const beforeOne = /^(?:no|any|this|that|the|which|each|every|another)$/;

const itemWord = /^(?:items?|tasks?|issues?|tickets?|prs?|requirements?|releases?|story|stories|bugs?|epic|comment)$/;
const reference = /^(?:#\d+|[a-z][a-z0-9]*-\d+)$/;
const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|(?:nov|dec)(?:ember)?)$/;
const day =
  /^(?:mon|tues?|wed|thu(?:rs?)?|fri|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|yesterday|tonight|noon|midnight|eod|eow|eom|daily|nightly|weekly|monthly|quarterly|hourly|yearly)$/;
const nearby = /^(?:next|last|this|previous|coming)$/;
const span = /^(?:week|weekend|month|quarter|year|sprint|night|release)$/;
const dateShape = /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}\/\d{1,4}|\d{1,2}:\d{2}.*|q[1-4])$/;
const dayOfMonth = /^\d{1,2}(?:st|nd|rd|th)?$/;
const year = /^(?:19|20)\d\d$/;

const special = /\p{N}|\p{Lu}{2}s$|[_/\\.:@#$=<>(){}[\]|&+~^%≠≤≥±]|\p{Ll}\p{Lu}|^--?\w/u;
const acronym = /^\p{Lu}[\p{Lu}-]*\p{Lu}s?$/u;
const ordinary = /^(?:\p{L}\.\p{L}|and\/or|w\/o|n\/a|he\/she|his\/her)$/iu;

/** "may" and "march" are months only with a capital, and at the start of a sentence only beside a figure. */
function isMonth(words: Word[], i: number): boolean {
  const word = words[i];
  if (!word || !month.test(word.lower)) return false;
  if (!/^(?:may|mar|march)$/.test(word.lower)) return true;
  return word.text.startsWith('M') && (!word.begins || /^\d/.test(words[i + 1]?.text ?? ''));
}

/** The date that begins at `i` and how many words it has: "3 May", "May 3rd, 2026", "tomorrow", "next week", 2026-05-03. */
function dateAt(words: Word[], i: number): [date: string, length: number] | null {
  const { lower } = words[i]!;
  const next = words[i + 1]?.lower ?? '';
  const dayFirst = dayOfMonth.test(lower) && isMonth(words, i + 1);
  if (dayFirst || isMonth(words, i)) {
    const inMonth = dayFirst ? lower : dayOfMonth.test(next) ? next : '';
    const length = inMonth === '' ? 1 : 2;
    const after = words[i + length]?.lower ?? '';
    const date = `${(dayFirst ? next : lower).slice(0, 3)} ${Number.parseInt(inMonth, 10)}`;
    return year.test(after) ? [`${date} ${after}`, length + 1] : [date, length];
  }
  if (nearby.test(lower) && (span.test(next) || day.test(next))) return [`${lower} ${next}`, 2];
  return dateShape.test(lower) || day.test(lower) ? [lower, 1] : null;
}

/** The number that `word` is: `1,200` -> 1200, `3h` -> 3 and h, `three` -> 3. */
function countOf({ text, lower, begins }: Word): [count: string, unit: string] | null {
  const digits = /^[~+]?([$€£¥]?-?\d[\d.,]*)-?([a-zµ%]*)$/i.exec(text);
  if (digits) return [digits[1]!.replaceAll(',', ''), digits[2]!.toLowerCase()];
  // "First, …" and "Second, …" count nothing.
  const at = begins && /^(?:first|second)$/.test(lower) ? -1 : numberWords.indexOf(lower.split('-', 1)[0]!);
  return at < 0 ? null : [at <= 17 && !lower.includes('-') ? String(at) : lower, ''];
}

/** The number at `i` with the words that belong to it: "about 3 h", "at most 200 ms". */
function numberAt(words: Word[], i: number): [number: Fact, from: number, to: number] | null {
  const found = countOf(words[i]!);
  const [last, following] = [words[i - 1]?.lower ?? '', words[i + 1]?.lower ?? ''];
  // "no one", "one of" and "one by one" count nothing.
  if (!found || (words[i]!.lower === 'one' && (beforeOne.test(last) || /^(?:of|another|by)$/.test(following)))) return null;
  const pair = leeways.get(`${words[i - 2]?.lower}_${last}`)?.[0];
  const single = leeways.get(last)?.[0];
  const leeway = words[i]!.text.startsWith('~') ? '~' : (pair ?? single ?? '');
  const next = found[1] === '' ? units.get(following)?.[0] : undefined;
  const unit = next ?? units.get(found[1])?.[0] ?? found[1];
  return [{ kind: 'number', unit, value: leeway + found[0] }, i - (pair ? 2 : single ? 1 : 0), i + (next ? 2 : 1)];
}

/** Without its ending: "deploying", "deploys" and "deployed" are forms of "deploy". */
function base(word: string): string {
  const short = word.replace(/(?:e|es|ed|s|ing|ly)$/, '');
  return short.length < 3 ? word : short;
}

/** The words that are written small, in any form. */
export function writtenSmall(words: Word[]): Set<string> {
  return new Set(words.filter(({ text }) => /^\p{Ll}/u.test(text)).map(({ lower }) => base(lower)));
}

/** An identifier, or a capital inside a sentence, which makes a name. At its start every word has one: what is no name there is
 *  empty, a marker, or written small in one of the texts. In doubt it is a name. */
function nameAt(word: Word, small: Set<string>): Fact | null {
  const text = word.text.replace(/'s$/, '');
  if (special.test(text) && !ordinary.test(text)) return { kind: 'identifier', unit: '', value: text };
  if (!/^\p{Lu}/u.test(text) || /^[IA](?:'\w+)?$/.test(text)) return null;
  if (!word.begins || acronym.test(text)) return { kind: 'name', unit: '', value: word.lower };
  const bare = word.lower.replace(/n't$|'\w+$/, '');
  const isOrdinary = emptyWords.has(bare) || markers.has(word.lower) || markers.has(bare) || small.has(base(bare));
  return isOrdinary ? null : { kind: 'start', unit: '', value: word.lower };
}

/** `figures`: every word that is a number, a date or a reference, or a part of one. `small`: `writtenSmall` of both texts. */
export function factsOf(words: Word[], small: Set<string>): { facts: Fact[]; figures: Set<Word> } {
  const facts: Fact[] = [];
  const figures = new Set<Word>();
  const add = (fact: Fact, from: number, to: number) => {
    facts.push(fact);
    for (const word of words.slice(from, to)) figures.add(word);
  };
  let listed = false;
  for (let i = 0; i < words.length; i++) {
    const { lower } = words[i]!;
    // "tasks 12 and 13" are both references.
    const isReference: boolean = reference.test(lower) || (/^\d+$/.test(lower) && (listed || itemWord.test(words[i - 1]?.lower ?? '')));
    listed = isReference || (listed && /^(?:and|or|&)$/.test(lower));
    const date = isReference ? null : dateAt(words, i);
    const number = isReference || date ? null : numberAt(words, i);
    if (isReference) add({ kind: 'reference', unit: '', value: lower.replace('#', '') }, i, i + 1);
    if (number) add(...number);
    if (date) add({ kind: 'date', unit: '', value: date[0] }, i, i + date[1]);
    if (date) i += date[1] - 1;
  }
  for (const word of words) {
    const name = figures.has(word) || word.token ? null : nameAt(word, small);
    if (name) facts.push(name);
  }
  return { facts, figures };
}
