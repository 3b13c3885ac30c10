/** Keeps technical and quoted passages of a note away from the model: each is sent as one opaque token and put back byte for
 *  byte (behaviour §8.4). Pure, and linear in the length of the text. */
import { findCode, findIndented, findQuotes } from './blocks.ts';
import { findLinks } from './links.ts';
import { findQuotations } from './quotations.ts';
import { gapsBetween, linesOf, mergeRanges, type Range } from './ranges.ts';
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
  const links = gapsBetween(blocks, text.length).flatMap((gap) => findLinks(text, gap.start, gap.end));
  const solid = mergeRanges([...blocks, ...links]);
  return mergeRanges([...solid, ...findQuotations(text, solid)]);
}

export function splitNote(text: string): SplitNote {
  const ranges = findPassages(text);
  const prefix = unusedPrefix(text);
  const rest: string[] = [];
  let sent = '';
  let at = 0;
  ranges.forEach((range, index) => {
    const prose = text.slice(at, range.start);
    rest.push(prose);
    sent += prose + tokenOf(prefix, index);
    at = range.end;
  });
  rest.push(text.slice(at));
  return {
    sent: sent + text.slice(at),
    passages: ranges.map(({ start, end, block }) => ({ text: text.slice(start, end), block })),
    prefix,
    nothingToRewrite: !rest.some((prose) => /[\p{L}\p{N}]/u.test(prose)),
  };
}

/** The stretches between the tokens: passages.length + 1 of them; null unless `text` holds every token exactly once, in order,
 *  and nothing else that begins like one. */
export function betweenTokens(text: string, split: Pick<SplitNote, 'prefix' | 'passages'>): string[] | null {
  const [first, ...parts] = text.split(split.prefix);
  if (parts.length !== split.passages.length) return null;
  const stretches = [first!];
  for (const [index, part] of parts.entries()) {
    const rest = `${index + 1}${closing}`;
    if (!part.startsWith(rest)) return null;
    stretches.push(part.slice(rest.length));
  }
  return stretches;
}

/** The model's answer with the passages back in their places, byte for byte; null when a token is missing, doubled, out of
 *  order or made up, or when the prose around a passage has changed what it is (a quote that is none any more). */
export function restorePassages(answer: string, split: SplitNote): string | null {
  const stretches = betweenTokens(answer, split);
  if (!stretches) return null;
  const restored = stretches.map((stretch, i) => (i === 0 ? stretch : split.passages[i - 1]!.text + stretch)).join('');
  const { passages } = splitNote(restored);
  const same =
    passages.length === split.passages.length &&
    passages.every(({ text, block }, i) => text === split.passages[i]!.text && block === split.passages[i]!.block);
  return same ? restored : null;
}

/** Whether the model has to be asked at all. A note of nothing but bypassed passages is saved as it is: without a job, a key or a worker. */
export function needsRewriting(text: string): boolean {
  return !splitNote(text).nothingToRewrite;
}
