/** Recognises stack traces line by line: JavaScript, Java, .NET, Python, Ruby, Go, Rust, PHP, gdb. Pure.
 *  Doubt is settled in favour of "it is a trace": such a passage is kept as it is and never sent. */
import type { Line, Range } from './ranges.ts';

type Kind = 'blank' | 'frame' | 'opening' | 'chain' | 'heading' | 'indented' | 'plain';

/** What a line is to a trace: the first kind whose expression fits it, without the space around it. */
const kinds: [Kind, RegExp][] = [
  ['blank', /^$/],
  // `at f (a.js:1:2)`, `at Ns.Type.Method(String a) in y.cs:line 12`, `at /a/b.js:1:2`
  ['frame', /^at (?:async |new )*[^\s(]+ ?\(.*\)$/],
  ['frame', /^at .*:line \d+$/],
  ['frame', /^at .*\([^\s()]*:\d+\)$/],
  ['frame', /^at (?:async )?(?:[^\s/\\.]*[/\\.]|node:)\S*:\d+$/],
  // Go's `main.main()` and its file on the next line; Ruby's `x.rb:3:in`; Python
  ['frame', /^[^\s(]+\(.*\)$/],
  ['frame', /^[^\s:]+\.go:\d+/],
  ['frame', /^(?:from )?[^\s:]+:\d+:in /],
  ['frame', /^File "[^"]*", line /],
  ['frame', /^#\d{1,4} +(?:0x|\/|[A-Z]:\\|\{main\}|\[internal)/],
  ['frame', /^#\d{1,4} .* at [^\s:]+:\d+$/],
  ['frame', /^\.\.\. \d+ (?:more|common frames omitted)$/],
  // With or without frames below
  ['opening', /^(?:Traceback \(most recent call last\)|stack backtrace|During handling of the above exception|The above exception was)/],
  ['opening', /^(?:panic: |goroutine \d+ \[|thread '[^']*' panicked at |\[signal )/],
  // Goes on with the trace above, behind a blank line too
  ['chain', /^(?:Caused by|note): /],
  ['heading', /^(?:Exception in thread |Unhandled exception|Uncaught |Suppressed: |Stack trace:|PHP Fatal|Fatal error|created by )/],
  ['heading', /^[^\s:(]*(?:Error|Exception|Throwable|Fault|Panic|Interrupt)(?:[\s:(]|$)/],
];
/** An error's message may have several lines before the first frame. */
const longestMessage = 8;

function kindOf({ text }: Line): Kind {
  const inside = text.trim();
  return kinds.find(([, shape]) => shape.test(inside))?.[0] ?? (/^\s/.test(text) ? 'indented' : 'plain');
}

/** The next frame or opening behind the message that begins on line `i`, or −1. */
function behindMessage(found: Kind[], i: number): number {
  const end = found.slice(i + 1, i + 1 + longestMessage).findIndex((kind) => ['frame', 'opening', 'blank'].includes(kind));
  return end < 0 || found[i + 1 + end] === 'blank' ? -1 : i + 1 + end;
}

function begins(found: Kind[], i: number): boolean {
  const kind = found[i] ?? 'plain';
  return kind === 'frame' || kind === 'opening' || (['chain', 'heading'].includes(kind) && behindMessage(found, i) > 0);
}

/** The line of the trace that follows its line `i`, or −1. */
function step(lines: Line[], found: Kind[], i: number, isPython: boolean): number {
  const [here, next, afterNext] = [found[i]!, found[i + 1], found[i + 2]];
  const frame = ['opening', 'chain', 'heading'].includes(here) ? behindMessage(found, i) : -1;
  if (frame > 0) return frame;
  if (next === 'blank') return afterNext === 'chain' || afterNext === 'opening' ? i + 2 : -1;
  if (next === 'indented' || next === 'chain' || begins(found, i + 1)) return i + 1;
  // Python tells the error below the frames, Rust below the place.
  const isBelow = (isPython && /^\s/.test(lines[i]!.text)) || (here === 'opening' && lines[i]!.text.endsWith(':'));
  return isBelow && next ? i + 1 : -1;
}

export function findTraces(lines: Line[]): Range[] {
  const kindsOfLines = lines.map(kindOf);
  const found: Range[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!begins(kindsOfLines, i)) continue;
    const start = lines[i]!.start;
    let isPython = false;
    for (let next = i; next >= 0; next = step(lines, kindsOfLines, i, isPython)) {
      i = next;
      isPython ||= lines[i]!.text.trim().startsWith('Traceback ');
    }
    found.push({ start, end: lines[i]!.end, block: true });
  }
  return found;
}
