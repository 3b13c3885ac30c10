/** Ranges and lines of a text. Offsets are UTF-16 units, `end` excluded. */

export interface Range {
  start: number;
  end: number;
  block: boolean;
}

export interface Line {
  start: number;
  end: number;
  text: string;
}

export function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** Lines end with LF, CRLF or CR. */
export function linesOf(text: string): Line[] {
  let start = 0;
  return Array.from(text.matchAll(/\r\n|\n|\r|$/g), ({ 0: lineBreak, index: end }) => {
    const line = { start, end, text: text.slice(start, end) };
    start = end + lineBreak.length;
    return line;
  });
}

/** `letterOf`: class of a line as one letter. `shape`: runs of letters. `skip`: characters to leave out at the start of a run. */
export function runsOf(lines: Line[], letterOf: (line: Line) => string, shape: RegExp, skip = (_: Line) => 0): Range[] {
  return Array.from(lines.map(letterOf).join('').matchAll(shape), ({ 0: run, index }) => {
    const first = lines[index]!;
    return { start: first.start + skip(first), end: lines[index + run.length - 1]!.end, block: true };
  });
}

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

/** Replaces the characters of the ranges by NUL, so that later searches skip them and offsets stay valid. */
export function without(text: string, ranges: Range[]): string {
  let at = 0;
  const kept = ranges.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return before + '\0'.repeat(end - start);
  });
  return kept.join('') + text.slice(at);
}
