/** Numbers, dates and item references in prose, in a form that two wordings can be compared by. Pure. */
import { calendarDate, hasDateShape, namedDay, namedSpan, table } from './calendar.ts';
import type { Word } from './words.ts';

export interface Figures {
  /** Distinct, in order of first mention: exchanging two numbers is a change of facts. */
  numbers: Set<string>;
  dates: Set<string>;
  references: Set<string>;
  /** Days, months and spans named by words: `tomorrow`, `fri`, `next week`. Their order is free. */
  days: Set<string>;
}

const units = table({
  h: 'h hr hrs hour hours',
  min: 'min mins minute minutes',
  s: 's sec secs second seconds',
  ms: 'ms millisecond milliseconds',
  day: 'd day days',
  week: 'w wk wks week weeks',
  month: 'month months',
  year: 'yr yrs year years',
  '%': '% percent pct',
  x: 'x times',
  point: 'pt pts point points',
  kb: 'kb kilobyte kilobytes',
  mb: 'mb megabyte megabytes',
  gb: 'gb gigabyte gigabytes',
  am: 'am a.m',
  pm: 'pm p.m',
});
const spelt = new Map<string, string>();
const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
small.split(' ').forEach((word, value) => {
  spelt.set(word, String(value));
});
'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').forEach((word, i) => {
  spelt.set(word, String(20 + 10 * i));
});
'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ').forEach((word, i) => {
  spelt.set(word, ['1st', '2nd', '3rd'][i] ?? `${i + 1}th`);
});
for (const word of 'half twice thrice dozen dozens hundred hundreds thousand thousands million millions billion'.split(' '))
  spelt.set(word, word);

const itemWords = new Set(
  'item items task tasks issue issues ticket tickets pr prs mr requirement requirements release story stories bug bugs epic id comment'.split(
    ' ',
  ),
);
const joins = new Set(['and', 'or', '&']);
const notOneBefore = new Set('no any this that the which each every some another'.split(' '));
const notOneAfter = new Set('of another by'.split(' '));
const about = new Set('about around approximately approx roughly nearly almost circa ca'.split(' '));
const bounds = table({ '>': 'over above exceeding', '<': 'under below within' });
const twoWordBounds = table({ '>': 'at_least more_than', '<': 'at_most up_to less_than fewer_than' });
const referenceShape = /^(?:#\d+|[a-z][a-z0-9]*-\d+)$/;

/** `about`, `at least` and the like in front of the number at `i`, as `~`, `>` or `<`: they are part of the figure. */
function leeway(words: Word[], i: number): string {
  const [before, last] = [words[i - 2]?.lower, words[i - 1]?.lower ?? ''];
  if (words[i]!.text.startsWith('~') || about.has(last)) return '~';
  return twoWordBounds.get(`${before}_${last}`) ?? bounds.get(last) ?? '';
}

/** `1,200` -> 1200, `3h` -> `3 h`; null when the word is not written in figures. */
function inFigures(word: Word): string | null {
  const figure = /^[~+]?([$€£¥]?-?\d[\d.,]*)-?([a-zµ%]*)$/i.exec(word.text);
  if (!figure) return null;
  const value = figure[1]!.replaceAll(',', '');
  const unit = figure[2]!.toLowerCase();
  return units.has(unit) ? `${value} ${units.get(unit)}` : value + unit;
}

/** `three` -> 3, `twenty-five` -> 25, `two-day` -> `2 day`; null when the word is no number. */
function inWords(words: Word[], i: number): string | null {
  const word = words[i]!;
  const before = words[i - 1]?.lower ?? '';
  const [first, second] = word.lower.split('-', 2);
  const [left, right] = [spelt.get(first!), spelt.get(second ?? '')];
  if (Number(left) >= 20 && Number(right) < 10) return String(Number(left) + Number(right));
  if (left !== undefined && units.has(second ?? '')) return `${left} ${units.get(second!)}`;
  if (word.lower === 'one' && (notOneBefore.has(before) || notOneAfter.has(words[i + 1]?.lower ?? ''))) return null;
  // "First, …" and "one second" are no ordinals.
  if (/^(?:first|second)$/.test(word.lower) && (word.begins || word.ends === ',' || /^(?:a|per|one|\d+)$/.test(before))) return null;
  return spelt.get(word.lower) ?? null;
}

/** The number at `i` with its leeway and unit: `~3 h`, `<200 ms`; null when there is none. */
function numberAt(words: Word[], i: number): string | null {
  const number = inFigures(words[i]!) ?? inWords(words, i);
  if (number === null) return null;
  const unit = /[a-z%]/i.test(number) ? undefined : units.get(words[i + 1]?.lower ?? '');
  return leeway(words, i) + number + (unit ? ` ${unit}` : '');
}

/** `#12`, `ABC-12`, "task 12", and the 13 of "tasks 12 and 13" (`continued`); null for anything else. */
function referenceAt(words: Word[], i: number, continued: boolean): string | null {
  const { text, lower } = words[i]!;
  if (referenceShape.test(lower)) return lower.replace('#', '');
  const before = words[i - 1]?.lower ?? '';
  return /^\d+$/.test(text) && (itemWords.has(before) || continued) ? lower : null;
}

/** Collects the figures. `taken` gets the index of every word that is one, or part of one. */
export function figuresOf(words: Word[], taken: Set<number>): Figures {
  const found: Figures = { numbers: new Set(), dates: new Set(), references: new Set(), days: new Set() };
  for (let i = 0; i < words.length; i++) {
    const date = calendarDate(words, i);
    if (!date) continue;
    (date.hasDay ? found.dates : found.days).add(date.key);
    if (date.year) found.dates.add(date.year);
    for (const part of date.words) taken.add(part);
  }
  let afterReference = false;
  for (const [i, word] of words.entries()) {
    if (taken.has(i) || word.token) continue;
    const reference = referenceAt(words, i, afterReference);
    if (!joins.has(word.lower)) afterReference = reference !== null;
    const number = reference === null && !hasDateShape(word) ? numberAt(words, i) : null;
    const day = namedDay(word);
    const span = namedSpan(words, i);
    if (reference !== null) found.references.add(reference);
    else if (hasDateShape(word)) found.dates.add(word.lower);
    if (number !== null) found.numbers.add(number);
    if (day !== null) found.days.add(day);
    if (span !== null) found.days.add(span);
    if (reference !== null || number !== null || day !== null || hasDateShape(word)) taken.add(i);
  }
  return found;
}
