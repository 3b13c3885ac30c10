/** Stretches of a text, and its lines. Offsets are UTF-16 units, `end` excluded. */

export interface Range {
  start: number;
  end: number;
  /** Stands on lines of its own: code, a stack trace, a `>` quote. */
  block: boolean;
}

export interface Line {
  start: number;
  /** Before the line break. */
  end: number;
  text: string;
}

const blank = /^\s*$/;

export function isBlank(text: string): boolean {
  return blank.test(text);
}

/** Lines end with \n, \r\n or a lone \r. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const lineBreak of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: lineBreak.index, text: text.slice(start, lineBreak.index) });
    start = lineBreak.index + lineBreak[0].length;
  }
  return [...lines, { start, end: text.length, text: text.slice(start) }];
}

/** Sorted, with those that overlap made one. */
export function mergeRanges(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && range.start < last.end) {
      last.end = Math.max(last.end, range.end);
      last.block ||= range.block;
    } else merged.push({ ...range });
  }
  return merged;
}

/** The stretches between sorted, disjoint ranges. */
export function gapsBetween(ranges: Range[], length: number): Range[] {
  const starts = [0, ...ranges.map((range) => range.end)];
  return starts.map((start, i) => ({ start, end: ranges[i]?.start ?? length, block: false })).filter(({ start, end }) => end > start);
}
