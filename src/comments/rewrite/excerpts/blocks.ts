/** Finds code with a Markdown parser, and block passages: indented code and `>` quotes. Pure. */
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { elementAt } from '../../../values/records.ts';
import { isBlank, type Line, type Range, runsOf } from './ranges.ts';

/** Only fenced code and code spans: other syntax takes seconds for hostile notes. Without `codeIndented` a fence may be indented. */
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

/** Offset of a line's content after list markers (`- `, `2. `), 0 without any. */
function behindMarkers(text: string): number {
  let at = 0;
  // The limit of four nested markers (`- - x`) keeps this linear.
  for (let depth = 0; depth < 4; depth++) at += marker.exec(text.slice(at))?.[0].length ?? 0;
  return at;
}

function isQuote(line: string): boolean {
  return line.slice(behindMarkers(line)).trimStart().startsWith('>');
}

/** The line for the parser, with the same length. The parser does not know lists and quotes. */
function forParser(line: string): string {
  if (isQuote(line)) return ' '.repeat(line.length);
  const at = behindMarkers(line);
  // Moves a fence after a marker to the start. The added text prevents it from closing another fence.
  return at > 0 && fence.test(line.slice(at)) ? `${line.slice(at)}${'x'.repeat(at)}` : line;
}

/** Ranges of fenced code, from the line's start or after its list marker, and of code spans. */
export function findCode(text: string, lines: Line[]): Range[] {
  if (!/`|~~~/.test(text)) return [];
  // The parser drops a byte order mark, which would shift all offsets by one.
  const { children } = fromMarkdown(text.replace(/[^\r\n]+/g, forParser).replace(/^\uFEFF/, ' '), codeAlone);
  const parts = children.flatMap((node) => (node.type === 'paragraph' ? node.children : [node]));
  return parts.flatMap(({ type, position }): Range[] => {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (!position || start === undefined || end === undefined) throw new Error('The parser gives no position.');
    if (type === 'inlineCode') return [{ start, end, block: false }];
    const [first, last] = [elementAt(lines, position.start.line - 1), elementAt(lines, position.end.line - 1)];
    return type === 'code' ? [{ start: first.start + behindMarkers(first.text), end: last.end, block: true }] : [];
  });
}

/** Lines indented by four columns or a tab, even where CommonMark sees no code: code must never be sent. */
export function findIndented(lines: Line[]): Range[] {
  const letterOf = ({ text }: Line) => (isBlank(text) ? '_' : /^(?: {4}| {0,3}\t)/.test(text) ? 'i' : '.');
  return runsOf(lines, letterOf, /i(?:_*i)*/g);
}

/** Lines that begin with `>`, without their list marker. A line without `>` ends the quote. */
export function findQuotes(lines: Line[]): Range[] {
  const markers = ({ text }: Line) => behindMarkers(text);
  return runsOf(lines, (line) => (!isQuote(line.text) ? '.' : markers(line) > 0 ? 'm' : 'q'), /[mq]q*/g, markers);
}
