/** Finds stack traces line by line in many languages. Pure. In doubt a passage counts as a trace, so it is never sent. */
import { type Line, type Range, runsOf } from './ranges.ts';

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
