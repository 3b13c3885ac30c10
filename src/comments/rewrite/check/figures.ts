/** Numbers, dates and item references in prose, in a form that two wordings can be compared by. Pure. */
import { rows } from './lexicon.ts';
import type { Word } from './words.ts';

/** Distinct, in order of first mention: exchanging two of them is a change of facts. */
export interface Figures {
  numbers: Set<string>;
  dates: Set<string>;
  references: Set<string>;
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
const small = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const asWritten = /^(?:first|second|third|fourth|fifth|sixth|half|twice|thrice|dozens?|hundreds?|thousands?|millions?|billions?)$/;
const itemWord = /^(?:items?|tasks?|issues?|tickets?|prs?|requirements?|releases?|story|stories|bugs?|epic|comment)$/;
const reference = /^(?:#\d+|[a-z][a-z0-9]*-\d+)$/;

const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|(?:nov|dec)(?:ember)?)$/;
const weekday = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/;
const rhythm = /^(?:today|tomorrow|yesterday|tonight|noon|midnight|eod|eow|eom|daily|nightly|weekly|monthly|quarterly|hourly|yearly)$/;
const nearby = /^(?:next|last|this|previous|coming)$/;
const span = /^(?:week|weekend|month|quarter|year|sprint|night|release)$/;
const dateShape = /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}\/\d{1,4}|\d{1,2}:\d{2}.*|q[1-4])$/;
const dayOfMonth = /^\d{1,2}(?:st|nd|rd|th)?$/;
const year = /^(?:19|20)\d\d$/;

/** `1,200` -> 1200, `3h` -> `3 h`, `three` -> 3, `twenty-five` -> 25, `two-day` -> `2 day`; null when the word is no number. */
function countOf({ text, lower, begins }: Word): string | null {
  const digits = /^[~+]?([$€£¥]?-?\d[\d.,]*)-?([a-zµ%]*)$/i.exec(text);
  if (digits) {
    const unit = digits[2]!.toLowerCase();
    return digits[1]!.replaceAll(',', '') + (units.has(unit) ? ` ${units.get(unit)![0]}` : unit);
  }
  const [first, second = ''] = lower.split('-', 2) as [string, string?];
  if (tens.includes(first)) return String(20 + 10 * tens.indexOf(first) + Math.max(0, small.indexOf(second)));
  if (small.includes(first)) return units.has(second) ? `${small.indexOf(first)} ${units.get(second)![0]}` : String(small.indexOf(lower));
  return asWritten.test(lower) && !(begins && /^(?:first|second)$/.test(lower)) ? lower : null;
}

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
    const day = dayFirst ? lower : dayOfMonth.test(next) ? next : '';
    const length = day === '' ? 1 : 2;
    const inYear = year.test(words[i + length]?.lower ?? '') ? words[i + length]!.lower : '';
    return [`${(dayFirst ? next : lower).slice(0, 3)} ${Number.parseInt(day, 10)} ${inYear}`, length + (inYear ? 1 : 0)];
  }
  if (dateShape.test(lower) || rhythm.test(lower)) return [lower, 1];
  if (nearby.test(lower) && (span.test(next) || weekday.test(next))) return [`${lower} ${next.slice(0, 3)}`, 2];
  return weekday.test(lower) ? [lower.slice(0, 3), 1] : null;
}

/** `#12`, `ABC-12`, "task 12", and the 13 of "tasks 12 and 13" (`continued`); null for anything else. */
function referenceAt(words: Word[], i: number, continued: boolean): string | null {
  const { lower } = words[i]!;
  if (reference.test(lower)) return lower.replace('#', '');
  return /^\d+$/.test(lower) && (continued || itemWord.test(words[i - 1]?.lower ?? '')) ? lower : null;
}

/** The number at `i` with the words that belong to it: `~3 h`, `<200 ms`; null when there is none. */
function numberAt(words: Word[], i: number): [number: string, from: number, to: number] | null {
  const value = countOf(words[i]!);
  const [before, last, next] = [words[i - 2]?.lower, words[i - 1]?.lower ?? '', words[i + 1]?.lower ?? ''];
  // "no one", "one of", "one by one" count nothing.
  if (
    value === null ||
    (words[i]!.lower === 'one' && (/^(?:no|any|this|that|the|which|each|every|another)$/.test(last) || /^(?:of|another|by)$/.test(next)))
  )
    return null;
  const pair = leeways.get(`${before}_${last}`)?.[0];
  const leeway = words[i]!.text.startsWith('~') ? '~' : (pair ?? leeways.get(last)?.[0] ?? '');
  const unit = /[a-z%]/.test(value) ? undefined : units.get(next)?.[0];
  return [`${leeway}${value}${unit ? ` ${unit}` : ''}`, i - (pair ? 2 : leeway && leeways.has(last) ? 1 : 0), i + (unit ? 2 : 1)];
}

/** Collects the figures. `taken` is every word that is one, or part of one. */
export function figuresOf(words: Word[]): { figures: Figures; taken: Set<Word> } {
  const taken = new Set<Word>();
  const found: Figures = { numbers: new Set(), dates: new Set(), references: new Set() };
  const take = (from: number, to: number) => {
    for (const word of words.slice(from, to)) taken.add(word);
  };
  let continued = false;
  for (let i = 0; i < words.length; i++) {
    const reference = referenceAt(words, i, continued);
    continued = reference !== null || (continued && /^(?:and|or|&)$/.test(words[i]!.lower));
    const date = reference === null ? dateAt(words, i) : null;
    const number = reference === null && date === null ? numberAt(words, i) : null;
    if (reference !== null) found.references.add(reference);
    if (date) found.dates.add(date[0]);
    if (number) found.numbers.add(number[0]);
    if (number) take(number[1], number[2]);
    const length = date ? date[1] : 1;
    if (reference !== null || date) take(i, i + length);
    i += length - 1;
  }
  return { figures: found, taken };
}
