/** Finds quoted passages: "…", “…”, ‘…’, „…“, «…» and similar. Pure and linear. */
import type { Range } from './ranges.ts';

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
    if (closes) found.push({ start: opened.pop()!, end: index + 1, block: false });
    else if (opens) opened.push(index);
    // A quote that may begin with an apostrophe ends at a blank line.
    else if (character === '\n' && isSided && opening !== '"') opened = [];
  }
  return found;
}

export function findQuotations(text: string): Range[] {
  return [...pairs.flatMap((pair) => quotesOf(text, pair, false)), ...sided.flatMap((pair) => quotesOf(text, pair, true))];
}
