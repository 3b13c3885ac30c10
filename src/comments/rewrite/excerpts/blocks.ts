/** The passages that take whole lines: fenced and indented code, stack traces, `>` quotes. Pure, one walk over the lines. */
import { isBlank, type Line, type Range } from './ranges.ts';
import { TraceFinder } from './stackTraces.ts';

const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** Where a line's content starts behind list markers (`- `, `2. `), 0 when it has none. */
function behindMarkers(text: string): number {
  let at = 0;
  // Nested markers on one line (`- - x`) are rare; the bound keeps the walk linear.
  for (let depth = 0; depth < 4; depth++) {
    const found = marker.exec(text.slice(at));
    if (!found) break;
    at += found[0].length;
  }
  return at;
}

interface Fence {
  at: number;
  mark: string;
  length: number;
}

function runLength(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at]) end++;
  return end - at;
}

function openingFence(text: string): Fence | null {
  const content = behindMarkers(text);
  const at = content + text.slice(content).search(/\S|$/);
  const mark = text[at];
  if (mark !== '`' && mark !== '~') return null;
  const length = runLength(text, at);
  // A backtick in the info string makes it inline code (CommonMark 4.5).
  if (length < 3 || (mark === '`' && text.includes('`', at + length))) return null;
  return { at: content > 0 ? at : 0, mark, length };
}

function closes(text: string, fence: Fence): boolean {
  const line = text.trim();
  return line.length >= fence.length && line[0] === fence.mark && runLength(line, 0) === line.length;
}

/** The line after the closing fence; an unclosed fence runs to the end of the text (CommonMark 4.5). */
function fenceEnd(lines: Line[], from: number, fence: Fence): number {
  for (let i = from + 1; i < lines.length; i++) if (closes(lines[i]!.text, fence)) return i + 1;
  return lines.length;
}

/** Four columns, or a tab: taken as code even under a list item, so that code is never sent by mistake. */
function isIndented(line: Line | undefined): boolean {
  return line !== undefined && /^(?: {4}| {0,3}\t)/.test(line.text) && !isBlank(line.text);
}

/** Indented lines with the blank ones among them. */
function indentedEnd(lines: Line[], from: number): number {
  let end = from;
  for (let i = from; i < lines.length && (isIndented(lines[i]) || isBlank(lines[i]!.text)); i++) if (isIndented(lines[i])) end = i + 1;
  return end;
}

function isQuote(line: Line): boolean {
  return line.text.slice(behindMarkers(line.text)).trimStart().startsWith('>');
}

/** The `>` of a quote in a list item stands behind the item's marker, which stays outside. */
function quoteStart(line: Line): number {
  return line.start + behindMarkers(line.text);
}

function quoteEnd(lines: Line[], from: number): number {
  let end = from + 1;
  while (end < lines.length && isQuote(lines[end]!) && behindMarkers(lines[end]!.text) === 0) end++;
  return end;
}

export function findBlocks(lines: Line[]): Range[] {
  const traces = new TraceFinder(lines);
  const found: Range[] = [];
  const take = (start: number, next: number) => {
    found.push({ start, end: lines[next - 1]!.end, block: true });
    return next;
  };
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    const fence = openingFence(line.text);
    const trace = traces.endOf(i);
    if (fence) i = take(line.start + fence.at, fenceEnd(lines, i, fence));
    else if (trace > i) i = take(line.start, trace);
    else if (isQuote(line)) i = take(quoteStart(line), quoteEnd(lines, i));
    else if (isIndented(line)) i = take(line.start, indentedEnd(lines, i));
    else i++;
  }
  return found;
}
