/** Recognises stack traces line by line: JavaScript, Java, .NET, Python, Ruby, Go, Rust, PHP, gdb. Pure.
 *  Doubt is settled in favour of "it is a trace": such a passage is kept as it is and never sent. */
import { type Line, type Range, runsOf } from './ranges.ts';

/** What a line is to a trace: the letter of the first expression that fits it, without the space around it. */
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
  // p, Python's opening, which has its error below the frames
  ['p', /^Traceback \(most recent call last\)/],
  // o, another opening, with or without frames below; Rust's has its error below
  ['o', /^(?:stack backtrace|During handling of the above exception|The above exception was|panic: |goroutine \d+ \[|\[signal )/],
  ['o', /^thread '[^']*' panicked at /],
  // c goes on with the trace above, behind a blank line too
  ['c', /^(?:Caused by|note): /],
  // h, a heading, when frames follow
  ['h', /^(?:Exception in thread |Unhandled exception|Uncaught |Suppressed: |Stack trace:|PHP Fatal|Fatal error|created by )/],
  ['h', /^[^\s:(]*(?:Error|Exception|Throwable|Fault|Panic|Interrupt)(?:[\s:(]|$)/],
];
/** Errors with messages of up to eight lines, each above a frame or an opening, with what goes on below; `i` is any other indented line,
 *  `.` any other at all. A blank line before an error goes with it. */
const trace = /(?:_?(?:[och][chi.]{0,7})?(?:f|o[^_op]?|p[fi]*[^_op]?)(?:_?c|i)*)+/g;

function letterOf({ text }: Line): string {
  const inside = text.trim();
  return shapes.find(([, shape]) => shape.test(inside))?.[0] ?? (/^\s/.test(text) ? 'i' : '.');
}

export function findTraces(lines: Line[]): Range[] {
  return runsOf(lines, letterOf, trace);
}
