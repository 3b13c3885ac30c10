/** The passages inside lines: code spans, links, quoted passages. Pure and linear. */
import { gapsBetween, isBlank, type Line, type Range } from './ranges.ts';
import { findUrls } from './urls.ts';

const wordCharacter = /[\p{L}\p{N}]/u;

function isWord(character: string | undefined): boolean {
  return character !== undefined && wordCharacter.test(character);
}

/** Stretches of lines with something on them, outside blocks: a code span ends with its paragraph (CommonMark 6.1). */
function paragraphs(lines: Line[], blocks: Range[]): Range[] {
  const found: Range[] = [];
  let open: Range | null = null;
  let next = 0;
  for (const line of lines) {
    while (next < blocks.length && blocks[next]!.end < line.start) next++;
    const inBlock = next < blocks.length && blocks[next]!.start <= line.end && blocks[next]!.end >= line.start && line.end > line.start;
    if (inBlock || isBlank(line.text)) open = null;
    else if (open) open.end = line.end;
    else {
      open = { start: line.start, end: line.end, block: false };
      found.push(open);
    }
  }
  return found;
}

/** Runs of backticks as [start, length]; a backslash before one takes the first backtick's meaning away, as an opener only. */
function backtickRuns(text: string, paragraph: Range): [start: number, length: number][] {
  return [...text.slice(paragraph.start, paragraph.end).matchAll(/`+/g)].map((run) => [paragraph.start + run.index, run[0].length]);
}

function codeSpans(text: string, paragraph: Range): Range[] {
  const runs = backtickRuns(text, paragraph);
  // For each length, its runs from the last to the first: what is behind the walk is popped off.
  const ahead = new Map<number, number[]>();
  for (const [start, length] of runs.toReversed()) {
    const same = ahead.get(length);
    if (same) same.push(start);
    else ahead.set(length, [start]);
  }
  const found: Range[] = [];
  let floor = 0;
  for (const [start, length] of runs) {
    if (start < floor) continue;
    const escaped = text[start - 1] === '\\' ? 1 : 0;
    const same = ahead.get(length - escaped) ?? [];
    while (same.length > 0 && same.at(-1)! <= start) same.pop();
    const close = same.at(-1);
    if (close === undefined) continue;
    floor = close + length - escaped;
    found.push({ start: start + escaped, end: floor, block: false });
  }
  return found;
}

interface QuoteMarks {
  open: string;
  close: string;
  /** Opening and closing marks may look alike, or the closing one is an apostrophe too: then the letters beside them decide. */
  bySides: boolean;
  /** Apostrophes are everywhere: such a quote ends with its paragraph. */
  inParagraph: boolean;
}

const quoteMarks: QuoteMarks[] = [
  { open: '"', close: '"', bySides: true, inParagraph: false },
  { open: "'", close: "'", bySides: true, inParagraph: true },
  { open: '‘', close: '’', bySides: true, inParagraph: true },
  { open: '“', close: '”', bySides: false, inParagraph: false },
  { open: '„', close: '“”', bySides: false, inParagraph: false },
  { open: '«', close: '»', bySides: false, inParagraph: false },
  { open: '»', close: '«', bySides: false, inParagraph: false },
  { open: '‹', close: '›', bySides: false, inParagraph: false },
  { open: '「', close: '」', bySides: false, inParagraph: false },
  { open: '『', close: '』', bySides: false, inParagraph: false },
  { open: '”', close: '”', bySides: true, inParagraph: true },
];

/** Nested marks belong to the outermost quote. */
function pairedQuotes(text: string, marks: QuoteMarks, atoms: Range[]): Range[] {
  const found: Range[] = [];
  const opened: number[] = [];
  for (const gap of gapsBetween(atoms, text.length)) {
    for (let i = gap.start; i < gap.end; i++) {
      const character = text[i]!;
      if (opened.length > 0 && marks.close.includes(character)) found.push({ start: opened.pop()!, end: i + 1, block: false });
      else if (character === marks.open) opened.push(i);
    }
  }
  return found;
}

function opensBySides(text: string, i: number): boolean {
  return !isWord(text[i - 1]) && i + 1 < text.length && !/\s/.test(text[i + 1]!);
}

function sidedQuotes(text: string, marks: QuoteMarks, atoms: Range[]): Range[] {
  const found: Range[] = [];
  let open = -1;
  for (const gap of gapsBetween(atoms, text.length)) {
    for (let i = gap.start; i < gap.end; i++) {
      const character = text[i]!;
      if (marks.inParagraph && character === '\n' && /[\n\r]/.test(text[i + 1] ?? '')) open = -1;
      if (open >= 0 && character === marks.close && !isWord(text[i + 1]) && i > open + 1) {
        found.push({ start: open, end: i + 1, block: false });
        open = -1;
      } else if (open < 0 && character === marks.open && opensBySides(text, i)) open = i;
    }
  }
  return found;
}

/** Code spans and links outside `blocks`, then quoted passages, whose marks don't count inside code, links and blocks. Ranges may overlap. */
export function findInline(text: string, lines: Line[], blocks: Range[]): Range[] {
  const code = paragraphs(lines, blocks).flatMap((paragraph) => codeSpans(text, paragraph));
  const solid = [...blocks, ...code].sort((a, b) => a.start - b.start);
  const urls = gapsBetween(solid, text.length).flatMap((gap) => findUrls(text, gap.start, gap.end));
  const atoms = [...solid, ...urls].sort((a, b) => a.start - b.start);
  const quotes = quoteMarks.flatMap((marks) => (marks.bySides ? sidedQuotes : pairedQuotes)(text, marks, atoms));
  return [...code, ...urls, ...quotes];
}
