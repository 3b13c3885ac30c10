/** Recognises stack traces line by line: JavaScript, Java, .NET, Python, Ruby, Go, Rust, PHP, gdb. Pure.
 *  Doubt is settled in favour of "it is a trace": such a passage is kept as it is and never sent. */
import { isBlank, type Line, type Range } from './ranges.ts';

const python = 'Traceback (most recent call last):';
/** Opens a trace with or without frames below it. */
const opening = /^(?:Traceback \(most recent call last\):|stack backtrace:|panic: |goroutine \d+ \[|thread '[^']*' panicked at )/;
/** Opens one when frames follow. */
const heading =
  /^(?:Exception in thread |Unhandled exception|Uncaught |Caused by: |Suppressed: |Stack trace:|PHP Fatal error|Fatal error|created by )/;
const errorName = /(?:Error|Exception|Throwable|Fault|Panic|Interrupt)$/;
/** Goes on with the trace above, behind a blank line too. */
const chain = /^(?:During handling of the above exception|The above exception was|Caused by: |\[signal |note: )/;
const frames = [
  /^from \S+?:\d+:in /,
  /^[^\s:]+:\d+:in [`'"]/,
  /^#\d{1,4} +(?:0x|\/|[A-Z]:\\|\{main\}|\[internal)/,
  /^\.\.\. \d+ (?:more|common frames omitted)$/,
  /^[^\s:]+\.go:\d+(?: \+0x[0-9a-f]+)?$/,
  /^File "[^"]*", line /,
];
const place = /:\d+(?::\d+)?$/;
const nativePlace = /^(?:native code|native|Native Method|Unknown Source|<anonymous>|anonymous|[\w$]+\.(?:java|kt|scala|groovy|clj))$/;
/** An error's message may have several lines before the first frame. */
const longestMessage = 8;

/** `at callee (place)`, `at place`, `at Callee(String x) in place:line 3`. */
function isAtFrame(line: string): boolean {
  const frame = line.slice(3).replace(/^async /, '');
  if (frame.includes(' in ') && /:line \d+$/.test(frame)) return true;
  if (!frame.endsWith(')')) return !/\s/.test(frame) && place.test(frame) && /[/\\.]|node:/.test(frame);
  const open = Math.max(frame.lastIndexOf('('), 0);
  const [callee, inside] = [frame.slice(0, open).trim(), frame.slice(open + 1, -1)];
  return place.test(inside) || nativePlace.test(inside) || (callee.includes('.') && !/\s/.test(callee));
}

function isFrame(line: string): boolean {
  if (line.startsWith('at ')) return isAtFrame(line);
  if (/^#\d/.test(line) && line.includes(' at ') && place.test(line)) return true;
  return frames.some((frame) => frame.test(line));
}

type Kind = 'blank' | 'frame' | 'opening' | 'heading' | 'chain' | 'indented' | 'plain';

function kindOf(line: Line, next: Line | undefined): Kind {
  const text = line.text.trim();
  if (isBlank(text)) return 'blank';
  // A Go call stands on the line before its file.
  if (isFrame(text) || (text.endsWith(')') && /\.go:\d/.test(next?.text ?? ''))) return 'frame';
  if (opening.test(text)) return 'opening';
  if (chain.test(text)) return 'chain';
  if (heading.test(text) || errorName.test(text.split(/[\s:(]/, 1)[0]!)) return 'heading';
  return /^\s/.test(line.text) ? 'indented' : 'plain';
}

/** The next frame or opening behind the message that begins on line `i`, or −1. */
function behindMessage(kinds: Kind[], i: number): number {
  const found = kinds.slice(i + 1, i + 1 + longestMessage).findIndex((kind) => kind === 'frame' || kind === 'opening' || kind === 'blank');
  return found < 0 || kinds[i + 1 + found] === 'blank' ? -1 : i + 1 + found;
}

function begins(kinds: Kind[], i: number): boolean {
  const kind = kinds[i];
  return kind === 'frame' || kind === 'opening' || ((kind === 'heading' || kind === 'chain') && behindMessage(kinds, i) > 0);
}

/** The line of the trace that follows its line `i`, or −1. */
function step(lines: Line[], kinds: Kind[], i: number, isPython: boolean): number {
  const [here, next] = [kinds[i]!, kinds[i + 1]];
  if (here === 'opening' || here === 'heading' || here === 'chain') {
    const frame = behindMessage(kinds, i);
    if (frame > 0) return frame;
  }
  if (next === 'blank') return kinds[i + 2] === 'chain' || kinds[i + 2] === 'opening' ? i + 2 : -1;
  if (next === 'indented' || next === 'chain' || begins(kinds, i + 1)) return i + 1;
  // Python tells the error below the frames.
  const below = isPython && /^\s/.test(lines[i]!.text) && lines[i + 1] !== undefined;
  return below || (/ panicked at \S+:$/.test(lines[i]!.text) && next === 'plain') ? i + 1 : -1;
}

export function findTraces(lines: Line[]): Range[] {
  const kinds = lines.map((line, i) => kindOf(line, lines[i + 1]));
  const found: Range[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!begins(kinds, i)) continue;
    const start = lines[i]!.start;
    let isPython = false;
    for (let next = i; next >= 0; next = step(lines, kinds, i, isPython)) {
      i = next;
      isPython = lines[i]!.text.trim() === python || (isPython && /^\s/.test(lines[i]!.text));
    }
    found.push({ start, end: lines[i]!.end, block: true });
  }
  return found;
}
