/** Code, by a Markdown parser, and the passages beside it that take whole lines: indented code and `>` quotes. Pure. */
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { isBlank, type Line, type Range, runsOf } from './ranges.ts';

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

function isQuote(line: string): boolean {
  return line.slice(behindMarkers(line)).trimStart().startsWith('>');
}

/** The line as the parser gets it, as long as it was: it knows no lists and no quotes. */
function forParser(line: string): string {
  if (isQuote(line)) return ' '.repeat(line.length);
  const at = behindMarkers(line);
  // A fence behind a marker moves to the front. What follows it keeps it from closing another fence, as no list item can.
  return at > 0 && fence.test(line.slice(at)) ? `${line.slice(at)}${'x'.repeat(at)}` : line;
}

/** Fenced code from the line's start, or from behind its list marker, to the end of its last line; code spans as they stand. */
export function findCode(text: string, lines: Line[]): Range[] {
  if (!/`|~~~/.test(text)) return [];
  // The parser would drop a byte order mark, and every offset would be one less.
  const { children } = fromMarkdown(text.replace(/[^\r\n]+/g, forParser).replace(/^\uFEFF/, ' '), codeAlone);
  const parts = children.flatMap((node) => (node.type === 'paragraph' ? node.children : [node]));
  return parts.flatMap(({ type, position }): Range[] => {
    const { start, end } = position!;
    if (type === 'inlineCode') return [{ start: start.offset!, end: end.offset!, block: false }];
    const [first, last] = [lines[start.line - 1]!, lines[end.line - 1]!];
    return type === 'code' ? [{ start: first.start + behindMarkers(first.text), end: last.end, block: true }] : [];
  });
}

/** Lines that begin with four columns or a tab, and blank lines between them. CommonMark sees no code below a paragraph or in a list;
 *  here it is taken as code all the same, so that code is never sent by mistake. */
export function findIndented(lines: Line[]): Range[] {
  const letterOf = ({ text }: Line) => (isBlank(text) ? '_' : /^(?: {4}| {0,3}\t)/.test(text) ? 'i' : '.');
  return runsOf(lines, letterOf, /i(?:_*i)*/g);
}

/** Lines that begin with `>`. A list marker stays outside; a line without the mark is a reply, and no part of the quote. */
export function findQuotes(lines: Line[]): Range[] {
  const markers = ({ text }: Line) => behindMarkers(text);
  return runsOf(lines, (line) => (!isQuote(line.text) ? '.' : markers(line) > 0 ? 'm' : 'q'), /[mq]q*/g, markers);
}
