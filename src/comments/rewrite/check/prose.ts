/** Splits prose into clauses: lines, sentences, parts around colons. Pure; never throws. */
import { isBlank, linesOf } from '../excerpts/ranges.ts';
import type { MarkerClass } from './lexicon.ts';
import { type ReadWord, readWords, type Stems, saysSomething, stems } from './words.ts';

type Marks = Set<MarkerClass>;

export interface Clause {
  words: ReadWord[];
  /** Empty if the clause is only a marker ("Blocked."). */
  about: Stems;
  sentence: Stems;
  /** Markers of its words, of its list heading, and of the words before the colon in "Next: write tests, deploy". */
  marks: Marks;
}

/** Phrases that count as one word: together they are not a marker, or are a different one. */
const phrase =
  /\b(?:at least|at most|up to|(?:more|less|fewer) than|could not|not only|did (?:have|want) to|some (?:kind|sort|time)|most of the day|(?:next|last|this|previous|coming) (?:week|weekend|month|quarter|year|sprint|night|release|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b/gi;
/** A line break inside a sentence: the line before has not ended, and the next one starts no item. */
const wrap = /(?<![.!?。:\n]["')\]}*_ ]{0,5}) ?\n(?! ?(?:[-*+•] |\d{1,2}[.)] |\p{Lu}|#|\n|$)) ?/gu;
const bullet = /^ ?(?:[-*+•] |(\d{1,2})[.)] )|^ /;
const headingEnd = /:["*_ ]{0,5}$/;
/** Not after the dot of an initial or "e.g.". */
const sentenceEnd = /(?<=(?<!(?:^|[\s.])\p{L})[.!?]["')\]}*]{0,3})[\s,;—]|(?<=。)/u;
const colon = /:["'*]{0,3}(?:\s|$)/;
const clauseEnd =
  /[;—、]|,(?!\d)|(?<=[)\]}]["'*]{0,3})\s|\s-\s|\s(?=[([{])|\s(?=(?:and|but|because|so|while|although|though|however|since|which|then|whereas|und|aber|mais|pero)[\s,])/i;

/** Normalises characters, spaces and phrases, and writes "task 12" as `#12`. Tokens and letters of scripts without spaces become words. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/⟦\d+:\d+⟧|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, ' $& ')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/^ ?#+ .*/gm, '$&:')
    .replace(wrap, ' ')
    .replace(/\b(?:items?|tasks?|issues?|tickets?|prs?|requirements?|releases?|story|stories|bugs?|epic|comment) #?(?=\d+\b)/gi, '#')
    .replace(phrase, (found) => found.replaceAll(' ', '-'));
}

function marksOf(words: ReadWord[], above: Marks): Marks {
  return above.union(new Set(words.flatMap(({ marks }) => marks)));
}

function readSentence(text: string, above: Marks): Clause[] {
  const parts = text.split(colon).map((part) => {
    const clauses = part.split(clauseEnd).filter(saysSomething);
    return clauses.map((clause, i) => readWords(clause, i === 0));
  });
  const sentence = stems(parts.flat(2));
  const lead = parts[0]?.at(-1) ?? [];
  const behindLead = stems(lead).size === 0 ? marksOf(lead, above) : above;
  return parts.flatMap((clauses, i) =>
    clauses.map((words) => ({ words, about: stems(words), sentence, marks: marksOf(words, i === 0 ? above : behindLead) })),
  );
}

export function readProse(text: string): Clause[] {
  const clauses: Clause[] = [];
  const none: Marks = new Set();
  let heading = none;
  let numbering = 0;
  for (const { text: line } of linesOf(plain(text)).filter(({ text }) => !isBlank(text))) {
    const [marker = '', digits = ''] = bullet.exec(line) ?? [];
    // A number that continues a numbered list is not a fact.
    const isCounted = digits === '' || digits === '1' || Number(digits) === numbering + 1;
    if (digits !== '') numbering = Number(digits);
    const said = line
      .slice(isCounted ? marker.length : 0)
      .replace(/^\[ \] /, 'todo ')
      .replace(/^\[x\] /i, 'box_ticked ');
    const isHeading = line.search(headingEnd) >= 0;
    const found = said.split(sentenceEnd).flatMap((sentence) => readSentence(sentence, isHeading ? none : heading));
    clauses.push(...found);
    if (isHeading || marker === '') heading = (isHeading && found.at(-1)?.marks) || none;
  }
  return clauses;
}
