/** Finds facts in prose by their spelling, in a comparable form. Pure. */
import { elementAt } from '../../../values/records.ts';
import { emptyWords, markers, rows } from './lexicon.ts';

export interface Word {
  /** Without surrounding punctuation; apostrophes and dashes normalised. */
  text: string;
  /** Lower case, without a possessive 's. */
  lower: string;
  /** First word of a sentence or after a colon, where a capital means little. */
  begins: boolean;
}

export type FactKind = 'number' | 'date' | 'reference' | 'identifier' | 'token' | 'name';

export interface Fact {
  /** `start`: the first word of a sentence, which may be a name. */
  kind: FactKind | 'start';
  value: string;
  unit?: string;
}

const units =
  /^(?:[hsdwyx]|hrs?|hours?|mins?|minutes?|secs?|seconds?|ms|milliseconds?|days?|weeks?|months?|years?|%|percent|times|[kmg]b|[ap]\.?m|pts?|points?)$/;
const leeways = rows({
  '~': 'about around approximately approx roughly nearly almost circa ca',
  '>': 'over above exceeding at-least more-than',
  '<': 'under below within at-most up-to less-than fewer-than',
});
/** The position of a word up to seventeen is its value. */
const numberWords =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen twenty thirty forty
  fifty sixty seventy eighty ninety first second third fourth fifth sixth half twice thrice dozen dozens hundred hundreds thousand
  thousands million millions billion billions`.split(/\s+/);

const dateShape = /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}\/\d{1,4}|\d{1,2}:\d{2}.*|q[1-4])$/;
const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|(?:nov|dec)(?:ember)?)$/;
const day =
  /^(?:mon|tues?|wed|thu(?:rs?)?|fri|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|yesterday|tonight|noon|midnight|eod|eow|eom|daily|nightly|weekly|monthly|quarterly|hourly|yearly|(?:next|last|this|previous|coming)-.*)$/;

const special = /\p{N}|\p{Lu}{2}s$|[_/\\.:@#$=<>(){}[\]|&+~^%≠≤≥±]|\p{Ll}\p{Lu}|^--?\w/u;
const acronym = /^\p{Lu}[\p{Lu}-]*\p{Lu}s?$/u;
const ordinary = /^(?:\p{L}\.\p{L}|and\/or|w\/o|n\/a|he\/she|his\/her)$/iu;

/** "may", "mar" and "march" are months only with a capital, and not as the first word. */
function isDate({ text, lower, begins }: Word): boolean {
  if (/^(?:may|mar|march)$/.test(lower)) return !begins && text.startsWith('M');
  return month.test(lower) || day.test(lower) || dateShape.test(lower);
}

/** The unit after a number, or the month before or after it: "3 May" equals "May 3". */
function unitBeside(...[after, before]: (Word | undefined)[]): string {
  if (after && units.test(after.lower)) return after.lower.replace(/(?<=..)s$/, '');
  const its = [after, before].find((word) => word && isDate(word) && month.test(word.lower));
  return its ? its.lower.slice(0, 3) : '';
}

/** The number at word `i` with unit and qualifier: "about 3 h", "at most 200 ms", `1,200`, `~3h`, "three". */
function numberAt(words: Word[], i: number): Fact | null {
  const { text, lower } = elementAt(words, i);
  const [isFigure, digits = '', letters = ''] = /^[~+]?([$€£¥]?-?\d[\d.,]*)-?([a-zµ%]*)$/i.exec(text) ?? [];
  const at = numberWords.indexOf(lower.replace(/-.*/s, ''));
  if (!isFigure && at < 0) return null;
  const count = isFigure ? digits.replaceAll(',', '') : at <= 17 && !lower.includes('-') ? String(at) : lower;
  const leeway = text.startsWith('~') ? '~' : (leeways.get(words[i - 1]?.lower ?? '')?.[0] ?? '');
  return {
    kind: 'number',
    value: leeway + count,
    unit: letters.toLowerCase() || unitBeside(words[i + 1], count.length > 2 ? undefined : words[i - 1]),
  };
}

/** A capital inside a sentence marks a name. The first word is a possible name unless it is an empty word or a marker. */
function nameOf({ text, lower, begins }: Word): Fact | null {
  if (!/^\p{Lu}/u.test(text) || /^[IA](?:'\w+)?$/.test(text)) return null;
  if (!begins || acronym.test(text)) return { kind: 'name', value: lower };
  const bare = lower.replace(/n't$|'\w+$/, '');
  const isOrdinary = [lower, bare].some((known) => emptyWords.has(known) || markers.has(known));
  return isOrdinary ? null : { kind: 'start', value: lower };
}

export function factAt(words: Word[], i: number): Fact | null {
  const word = elementAt(words, i);
  const { lower } = word;
  const text = word.text.replace(/'s$/, '');
  if (/^⟦\d+:\d+⟧$/.test(text)) return { kind: 'token', value: text };
  if (/^(?:#\d+|[a-z][a-z0-9]*-\d+)$/.test(lower)) return { kind: 'reference', value: lower.replace('#', '') };
  if (isDate(word)) return { kind: 'date', value: lower };
  const isIdentifier = special.test(text) && !ordinary.test(text);
  return numberAt(words, i) ?? (isIdentifier ? { kind: 'identifier', value: text } : nameOf({ ...word, text }));
}
