/** Replaces technical and quoted passages by tokens for the model, then restores them (behaviour §8.4). Pure and linear. */
import { isDeepStrictEqual } from 'node:util';
import { elementAt } from '../../../values/records.ts';
import { findCode, findIndented, findQuotes } from './blocks.ts';
import { findLinks, findTraces, linesOf, mergeRanges, type Range, without } from './ranges.ts';

/** Finds quoted passages: "…", “…”, ‘…’, „…“, «…» and similar. Pure and linear. */
const pairs = ['“”', '„“”', '«»', '‹›', '「」', '『』'];
/** Both marks are equal or also apostrophes: they open before a word and close after one. */
const sided = ['""', "''", '‘’', '””', '»«'];
const mark = /["'“”‘’„«»‹›「」『』]|\n(?=[\n\r])/g;

function isWord(character = ''): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Quotes of one kind. Nested marks belong to the outer quote. */
function quotesOf(text: string, [opening, ...closing]: string, isSided: boolean): Range[] {
  const found: Range[] = [];
  let opened: number[] = [];
  for (const { 0: character, index } of text.matchAll(mark)) {
    const start = opened.at(-1);
    const opens =
      character === opening && (!isSided || (start === undefined && !isWord(text[index - 1]) && /\S/.test(text[index + 1] ?? '')));
    const closes = start !== undefined && closing.includes(character) && (!isSided || (!isWord(text[index + 1]) && index > start + 1));
    if (closes) {
      opened.pop();
      found.push({ start, end: index + 1, block: false });
    } else if (opens) opened.push(index);
    // A mark that may be an apostrophe opens no quote across a blank line.
    else if (character === '\n' && isSided && opening !== '"') opened = [];
  }
  return found;
}

export function findQuotations(text: string): Range[] {
  return [...pairs.flatMap((pair) => quotesOf(text, pair, false)), ...sided.flatMap((pair) => quotesOf(text, pair, true))];
}

export interface Passage {
  text: string;
  block: boolean;
}

export interface SplitNote {
  sent: string;
  /** In text order. The token of passages[i] is tokenOf(prefix, i). */
  passages: Passage[];
  /** Start of all tokens. Occurs nowhere else in `sent`. */
  prefix: string;
  nothingToRewrite: boolean;
}

export type Tokens = Pick<SplitNote, 'prefix' | 'passages'>;

const closing = '⟧';

/** For example ⟦0:1⟧, ⟦0:2⟧. */
export function tokenOf(prefix: string, index: number): string {
  return `${prefix}${index + 1}${closing}`;
}

/** A prefix that is not in the text. Inserting tokens can't create another: they begin with ⟦ and end with ⟧. */
function unusedPrefix(text: string): string {
  const taken = new Set([...text.matchAll(/⟦(\d{1,9}):/g)].map((match) => match[1]));
  let salt = 0;
  while (taken.has(String(salt))) salt++;
  return `⟦${salt}:`;
}

/** Blocks first, then links outside them, then quotations outside both. */
function findPassages(text: string): Range[] {
  const lines = linesOf(text);
  const blocks = mergeRanges([...findCode(text, lines), ...findTraces(lines), ...findIndented(lines), ...findQuotes(lines)]);
  const solid = mergeRanges([...blocks, ...findLinks(without(text, blocks))]);
  return mergeRanges([...solid, ...findQuotations(without(text, solid))]);
}

export function splitNote(text: string): SplitNote {
  const ranges = findPassages(text);
  const prefix = unusedPrefix(text);
  let sent = '';
  let at = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    sent += text.slice(at, start) + tokenOf(prefix, index);
    at = end;
  }
  return {
    sent: sent + text.slice(at),
    passages: ranges.map(({ start, end, block }) => ({ text: text.slice(start, end), block })),
    prefix,
    nothingToRewrite: !/[\p{L}\p{N}]/u.test(without(text, ranges)),
  };
}

/** True if `text` contains every token exactly once, in order, and no other text with the prefix. */
export function holdsTokens(text: string, { prefix, passages }: Tokens): boolean {
  const behind = text.split(prefix).slice(1);
  return behind.length === passages.length && behind.every((part, i) => part.startsWith(`${i + 1}${closing}`));
}

/** Null if tokens are wrong, or if the new text around a passage changes its kind, such as a quote that no longer is one. */
export function restorePassages(answer: string, split: SplitNote): string | null {
  if (!holdsTokens(answer, split)) return null;
  const [first, ...behind] = answer.split(split.prefix);
  const restored = first + behind.map((part, i) => elementAt(split.passages, i).text + part.slice(part.indexOf(closing) + 1)).join('');
  return isDeepStrictEqual(splitNote(restored).passages, split.passages) ? restored : null;
}

/** False for a note with nothing but passages, which is saved unchanged without a job. */
export function needsRewriting(text: string): boolean {
  return !splitNote(text).nothingToRewrite;
}
