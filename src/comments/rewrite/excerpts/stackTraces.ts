/** Recognises stack traces line by line: JavaScript, Java, .NET, Python, Ruby, Go, Rust, PHP, gdb. Pure.
 *  Doubt is settled in favour of "it is a trace": such a passage is kept as it is and never sent. */
import { isBlank, type Line } from './ranges.ts';

const pythonStart = 'Traceback (most recent call last):';
/** These open a trace with or without frames below them. */
const certain = [pythonStart, 'stack backtrace:', 'panic: '];
/** These open one when frames follow. */
const headings = [
  ...['Exception in thread ', 'Unhandled exception', 'Uncaught ', 'Caused by: ', 'Suppressed: ', 'Stack trace:'],
  ...['PHP Fatal error', 'Fatal error', 'created by '],
];
const chains = ['During handling of the above exception', 'The above exception was', 'Caused by: ', '[signal ', 'note: '];
const goroutine = /^goroutine \d+ \[/;
const panicking = /^thread '[^']*' panicked at /;
const panicked = / panicked at \S+:$/;
/** An error's message may have several lines before the first frame. */
const longestMessage = 8;
const errorName = /(?:Error|Exception|Throwable|Fault|Panic|Interrupt)$/;
const place = /:\d+(?::\d+)?$/;
const bareCallee = /^[\w.$<>`[\],+]+$/;
const javaPlaces = /^(?:native code|native|Native Method|Unknown Source|<anonymous>|anonymous|[\w$]+\.(?:java|kt|scala|groovy|clj))$/;
const frames = [
  /^from \S+?:\d+:in /,
  /^[^\s:]+:\d+:in [`'"]/,
  /^#\d{1,4} +(?:0x|\/|[A-Z]:\\|\{main\}|\[internal)/,
  /^\.\.\. \d+ (?:more|common frames omitted)$/,
  /^[^\s:]+\.go:\d+(?: \+0x[0-9a-f]+)?$/,
];

function isAtFrame(frame: string): boolean {
  const rest = frame.startsWith('async ') ? frame.slice(6) : frame;
  if (rest.includes(' in ') && /:line \d+$/.test(rest)) return true;
  if (!rest.endsWith(')')) return !/\s/.test(rest) && place.test(rest) && /[/\\.]|node:/.test(rest);
  const open = rest.lastIndexOf('(');
  const inside = rest.slice(open + 1, -1);
  const callee = rest.slice(0, Math.max(open, 0)).trim();
  return place.test(inside) || javaPlaces.test(inside) || (bareCallee.test(callee) && callee.includes('.'));
}

function isFrame(text: string): boolean {
  const line = text.trim();
  if (line.startsWith('at ')) return isAtFrame(line.slice(3).trim());
  if (line.startsWith('File "')) return line.includes('", line ');
  if (/^#\d/.test(line) && line.includes(' at ') && place.test(line)) return true;
  return frames.some((frame) => frame.test(line));
}

function startsWithOne(line: string, starts: string[]): boolean {
  return starts.some((start) => line.startsWith(start));
}

function isCertain(text: string): boolean {
  const line = text.trim();
  return startsWithOne(line, certain) || goroutine.test(line) || panicking.test(line);
}

function isChained(text: string): boolean {
  return startsWithOne(text, chains) || goroutine.test(text);
}

function isHeading(text: string): boolean {
  const line = text.trim();
  return isCertain(line) || startsWithOne(line, headings) || errorName.test(line.split(/[\s:(]/, 1)[0]!);
}

export class TraceFinder {
  private readonly lines: Line[];
  private readonly frame: boolean[];
  private readonly heading: boolean[];
  private readonly shut: boolean[];
  constructor(lines: Line[]) {
    this.lines = lines;
    const plain = lines.map((line) => isFrame(line.text));
    // A Go call stands on the line before its file.
    const isGoCall = (line: Line, i: number) => line.text.endsWith(')') && plain[i + 1] && /\.go:\d/.test(lines[i + 1]!.text);
    this.frame = lines.map((line, i) => plain[i]! || Boolean(isGoCall(line, i)));
    this.heading = lines.map((line) => isHeading(line.text));
    this.shut = lines.map((line) => isBlank(line.text));
  }

  /** The line after the trace that starts on line `from`, or `from` itself when none starts there. */
  endOf(from: number): number {
    if (!this.opens(from)) return from;
    let python = false;
    for (let end = from; ; ) {
      if (this.lines[end]?.text.trim() === pythonStart) python = true;
      const next = this.step(end, python);
      if (next === end) return end;
      // The error below the frames ends Python's part.
      if (!this.isIndented(end) && this.lines[end]!.text.trim() !== pythonStart) python = false;
      end = next;
    }
  }

  private opens(i: number): boolean {
    return this.frame[i]! || isCertain(this.lines[i]!.text) || (this.heading[i]! && this.frameAfter(i) >= 0);
  }

  /** The frame that follows line `i` within its message, or −1. */
  private frameAfter(i: number): number {
    for (let k = i + 1; k <= i + longestMessage && this.shut[k] === false && !isCertain(this.lines[k]!.text); k++) {
      if (this.frame[k]) return k;
    }
    return -1;
  }

  private isIndented(i: number): boolean {
    return this.shut[i] === false && /^[ \t]/.test(this.lines[i]!.text);
  }

  /** Where the trace goes on behind line `i`, or `i` when that line is no part of it. */
  private step(i: number, python: boolean): number {
    const text = this.lines[i]?.text;
    if (text === undefined) return i;
    if (this.shut[i]) return this.isLinked(i + 1) ? i + 1 : i;
    if (this.frame[i] || this.isIndented(i) || isCertain(text)) return i + 1;
    if (this.heading[i] && this.frameAfter(i) >= 0) return this.frameAfter(i);
    // Python's error stands below the frames, Rust's message below the panic.
    const isMessage = (python && this.isIndented(i - 1)) || panicked.test(this.lines[i - 1]?.text ?? '');
    return isMessage || isChained(text) ? i + 1 : i;
  }

  /** A chained error follows a blank line. */
  private isLinked(i: number): boolean {
    const text = this.lines[i]?.text;
    return text !== undefined && (isChained(text) || isCertain(text));
  }
}
