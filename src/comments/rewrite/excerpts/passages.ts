/** Keeps technical and quoted passages of a note away from the model: each is sent as one opaque token and put back byte for
 *  byte (behaviour §8.4). Pure, and linear in the length of the text. */
import { isDeepStrictEqual } from 'node:util';
import { findCode, findIndented, findQuotes } from './blocks.ts';
import { findLinks } from './links.ts';
import { findQuotations } from './quotations.ts';
import { linesOf, mergeRanges, type Range, without } from './ranges.ts';
import { findTraces } from './stackTraces.ts';

export interface Passage {
  text: string;
  /** Takes whole lines: code, a stack trace, a `>` quote. */
  block: boolean;
}

export interface SplitNote {
  /** What the model gets: the text with a token for each passage. */
  sent: string;
  /** In the order of the text; the token of passages[i] is tokenOf(prefix, i). */
  passages: Passage[];
  /** Begins every token, and occurs nowhere else in `sent`. */
  prefix: string;
  /** Nothing but passages, spaces and punctuation: there is nothing to send. */
  nothingToRewrite: boolean;
}

export type Tokens = Pick<SplitNote, 'prefix' | 'passages'>;

const closing = '⟧';

/** The token of the passage at `index`: ⟦0:1⟧, ⟦0:2⟧ … */
export function tokenOf(prefix: string, index: number): string {
  return `${prefix}${index + 1}${closing}`;
}

/** A start of tokens that the text does not hold, even when it is full of look-alikes. A token can't arise across a seam
 *  either: the prefix begins with ⟦, and what is put in begins with ⟦ and ends with ⟧. */
function unusedPrefix(text: string): string {
  const taken = new Set([...text.matchAll(/⟦(\d{1,9}):/g)].map((match) => match[1]));
  let salt = 0;
  while (taken.has(String(salt))) salt++;
  return `⟦${salt}:`;
}

/** Code, traces and `>` quotes first; then links outside them; then quotations, whose marks don't count in any of these. */
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

/** Whether `text` holds every token exactly once, in order, and nothing else that begins like one. */
export function holdsTokens(text: string, { prefix, passages }: Tokens): boolean {
  const behind = text.split(prefix).slice(1);
  return behind.length === passages.length && behind.every((part, i) => part.startsWith(`${i + 1}${closing}`));
}

/** The model's answer with the passages back in their places, byte for byte; null when a token is missing, doubled, out of
 *  order or made up, or when the prose around a passage has changed what it is (a quote that is none any more). */
export function restorePassages(answer: string, split: SplitNote): string | null {
  if (!holdsTokens(answer, split)) return null;
  const [first, ...behind] = answer.split(split.prefix);
  const restored = first + behind.map((part, i) => split.passages[i]!.text + part.slice(part.indexOf(closing) + 1)).join('');
  return isDeepStrictEqual(splitNote(restored).passages, split.passages) ? restored : null;
}

/** Whether the model has to be asked at all. A note of nothing but bypassed passages is saved as it is: without a job, a key or a worker. */
export function needsRewriting(text: string): boolean {
  return !splitNote(text).nothingToRewrite;
}
