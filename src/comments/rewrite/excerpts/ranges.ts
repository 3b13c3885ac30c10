/** Ranges and lines of a text. Offsets are UTF-16 units, `end` excluded. */
import { linkifyit } from 'linkify-it';
import { elementAt } from '../../../values/records.ts';

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
    const first = elementAt(lines, index);
    return { start: first.start + skip(first), end: elementAt(lines, index + run.length - 1).end, block: true };
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

/** Finds links in prose: `scheme://…`, `mailto:…`, `www.…`, `host.tld/path`. linkify-it finds the end. Pure. */
const linkify = linkifyit({ urlAuth: true, maxLength: 12_000 });
const beginning = /[\p{L}\p{N}+.:-]+/gu;
const pastLink = /[\s\0<>"`“”„«»()[\]{}]|$/;

/** Offset of the end of the link that begins with `head`. `start` if it is not a link. */
function endOfLink(text: string, start: number, head: string): number {
  const behind = start + head.length;
  // Without a host known to the parser (`file:///etc`), the link ends at the next space or bracket.
  if (/[^:]:$/.test(head) && text.startsWith('//', behind))
    return behind + (linkify.testSchemaAt(text, 'http:', behind) || text.slice(behind).search(pastLink));
  if (/^mailto:/i.test(head)) {
    const address = linkify.testSchemaAt(text, 'mailto:', start + 'mailto:'.length);
    return address > 0 ? start + 'mailto:'.length + address : start;
  }
  if (!head.includes('.') || /[_/@\\]/.test(text[start - 1] ?? '')) return start;
  const end = start + linkify.testSchemaAt(text, '//', start);
  // A bare `name.ending` may be a file name.
  return /^www\.|\//i.test(text.slice(start, end)) ? end : start;
}

export function findLinks(text: string): Range[] {
  const found: Range[] = [];
  let past = 0;
  for (const { 0: head, index: start } of text.matchAll(beginning)) {
    const end = start < past ? start : endOfLink(text, start, head);
    if (end === start) continue;
    found.push({ start, end, block: false });
    past = end;
  }
  return found;
}

// Finds stack traces line by line in many languages. Pure. In doubt a passage counts as a trace, so it is never sent.

/** The letter of a line: that of the first pattern that matches its trimmed text. */
const shapes: [letter: string, RegExp][] = [
  ['_', /^$/],
  // f, a frame: `at f (a.js:1:2)`, `at Ns.Type.Method(String a) in y.cs:line 12`, `at /a/b.js:1:2`
  ['f', /^at (?:async |new )*[^\s(]+ ?\(.*\)$/],
  ['f', /^at .*:line \d+$/],
  ['f', /^at .*\([^\s()]*:\d+\)$/],
  ['f', /^at (?:async )?(?:[^\s/\\.]*[/\\.]|node:)\S*:\d+$/],
  // Go's `main.main()` and its file on the next line; Ruby's `x.rb:3:in`; Python
  ['f', /^[^\s(]+\(.*\)$/],
  ['f', /^[^\s:]+\.go:\d+/],
  ['f', /^(?:from )?[^\s:]+:\d+:in /],
  ['f', /^File "[^"]*", line /],
  ['f', /^#\d{1,4} +(?:0x|\/|[A-Z]:\\|\{main\}|\[internal)/],
  ['f', /^#\d{1,4} .* at [^\s:]+:\d+$/],
  ['f', /^\.\.\. \d+ (?:more|common frames omitted)$/],
  // p, Python's first line; its error is below the frames
  ['p', /^Traceback \(most recent call last\)/],
  // o, another first line, with or without frames below; Rust's error is below
  ['o', /^(?:stack backtrace|During handling of the above exception|The above exception was|panic: |goroutine \d+ \[|\[signal )/],
  ['o', /^thread '[^']*' panicked at /],
  // c, a continuation of the trace above, also after a blank line
  ['c', /^(?:Caused by|note): /],
  // h, a heading if frames follow
  ['h', /^(?:Exception in thread |Unhandled exception|Uncaught |Suppressed: |Stack trace:|PHP Fatal|Fatal error|created by )/],
  ['h', /^[^\s:(]*(?:Error|Exception|Throwable|Fault|Panic|Interrupt)(?:[\s:(]|$)/],
];
/** An error message of up to eight lines above a frame or first line, and its continuation. `i`: other indented line; `.`: any other line.
 *  A blank line before an error belongs to it. */
const trace = /(?:_?(?:[och][chi.]{0,7})?(?:f|o[^_op]?|p[fi]*[^_op]?)(?:_?c|i)*)+/g;

function letterOf({ text }: Line): string {
  const inside = text.trim();
  return shapes.find(([, shape]) => shape.test(inside))?.[0] ?? (/^\s/.test(text) ? 'i' : '.');
}

export function findTraces(lines: Line[]): Range[] {
  return runsOf(lines, letterOf, trace);
}
