/** Code, by a Markdown parser, and the passages beside it that take whole lines: indented code and `>` quotes. Pure. */
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { isBlank, type Line, type Range } from './ranges.ts';

/** The parser looks for fenced code and code spans alone. What is off either is no code or made it take seconds over a hostile
 *  note (lists and quotes nested a thousand deep, `[[[[`, `*a_ *a_`); with `codeIndented` off a fence may be indented. */
const codeAlone: Options = {
  extensions: [
    {
      disable: {
        null: [
          ...['attention', 'autolink', 'blockQuote', 'characterReference', 'codeIndented', 'definition', 'hardBreakEscape', 'headingAtx'],
          ...['htmlFlow', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink', 'list', 'setextUnderline', 'thematicBreak'],
        ],
      },
    },
  ],
};
const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const fence = /^(?:`{3,}|~{3,})/;

/** Where a line's content starts behind list markers (`- `, `2. `), 0 when it has none. */
function behindMarkers(text: string): number {
  let at = 0;
  // Nested markers on one line (`- - x`) are rare; the bound keeps the walk linear.
  for (let depth = 0; depth < 4; depth++) at += marker.exec(text.slice(at))?.[0].length ?? 0;
  return at;
}

function isQuote(line: Line): boolean {
  return line.text.slice(behindMarkers(line.text)).trimStart().startsWith('>');
}

/** The line as the parser gets it, as long as it was: it knows no lists and no quotes. */
function forParser(line: Line): string {
  const { text } = line;
  if (isQuote(line)) return ' '.repeat(text.length);
  const at = behindMarkers(text);
  // A fence behind a marker moves to the front. What follows it keeps it from closing another fence, as no list item can.
  return at > 0 && fence.test(text.slice(at)) ? `${text.slice(at)}${'x'.repeat(at)}` : text;
}

/** Fenced code from the line's start, or from behind its list marker, to the end of its last line; code spans as they stand. */
export function findCode(text: string, lines: Line[]): Range[] {
  if (!/`|~~~/.test(text)) return [];
  const breaks = lines.map((line, i) => text.slice(line.end, lines[i + 1]?.start ?? text.length));
  // The parser would drop a byte order mark, and every offset would be one less.
  const masked = lines.map((line, i) => forParser(line) + breaks[i]).join('');
  const tree = fromMarkdown(masked.replace(/^\uFEFF/, ' '), codeAlone);
  return tree.children.flatMap((node) => {
    if (node.type === 'paragraph') return node.children.flatMap((child) => (child.type === 'inlineCode' ? [spanOf(child.position!)] : []));
    if (node.type !== 'code') return [];
    const first = lines[node.position!.start.line - 1]!;
    const last = lines[node.position!.end.line - 1]!;
    return [{ start: first.start + behindMarkers(first.text), end: last.end, block: true }];
  });
}

function spanOf({ start, end }: Record<'start' | 'end', { offset?: number | undefined }>): Range {
  return { start: start.offset!, end: end.offset!, block: false };
}

/** Runs of lines as one range each: `startOf` gives where a line begins to belong, −1 when it does not. Blank lines go with what
 *  surrounds them if `overBlanks`. */
function runs(lines: Line[], startOf: (line: Line) => number, overBlanks: boolean): Range[] {
  const found: Range[] = [];
  let open: Range | null = null;
  for (const line of lines) {
    const at = startOf(line);
    if (at === 0 && open) open.end = line.end;
    else if (at >= 0) {
      open = { start: line.start + at, end: line.end, block: true };
      found.push(open);
    } else if (!overBlanks || !isBlank(line.text)) open = null;
  }
  return found;
}

/** Lines that begin with four columns or a tab. CommonMark sees no code below a paragraph or in a list; here it is taken as code
 *  all the same, so that code is never sent by mistake. */
export function findIndented(lines: Line[]): Range[] {
  return runs(lines, ({ text }) => (/^(?: {4}| {0,3}\t)/.test(text) && !isBlank(text) ? 0 : -1), true);
}

/** Lines that begin with `>`. A list marker stays outside; a line without the mark is a reply, and no part of the quote. */
export function findQuotes(lines: Line[]): Range[] {
  return runs(lines, (line) => (isQuote(line) ? behindMarkers(line.text) : -1), false);
}
