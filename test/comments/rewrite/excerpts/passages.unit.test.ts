import fc from 'fast-check';
import { restorePassages, splitNote, tokenOf } from '../../../../src/comments/rewrite/excerpts/passages.ts';
import { suite } from '../../../support/suite.ts';
import { runs } from '../../../support/thorough.ts';

const test = suite(import.meta.url);

/** The text that is sent, with its passages as ‹n›. */
function sentAs(text: string): string {
  const { sent, prefix } = splitNote(text);
  return sent.replaceAll(prefix, '‹').replaceAll('⟧', '›');
}

const passagesOf = (text: string) => splitNote(text).passages.map((passage) => passage.text);

/** Texts that open and close passages, or nearly do. */
const piece = fc.constantFrom(
  ...['`', '``', '```', '~~~', '"', "'", '“', '”', '‘', '’', '„', '«', '»', '> ', '    ', '\t', '\n', '\r\n', '\n\n', '\\', ' ', '(', ')'],
  ...[
    'https://a.b/c',
    'www.x.y',
    '://',
    '⟦0:1⟧',
    '⟦0:',
    '⟦1:',
    '⟦',
    '⟧',
    ':',
    '1',
    'word',
    "don't",
    'at f (a.js:1:2)',
    'TypeError: x',
    '- ',
    '1. ',
  ],
  ...['Traceback (most recent call last):', '  File "a.py", line 1', 'panic: x', 'goroutine 1 [running]:', '\ud800', '\u{1f600}', '日本'],
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('an unchanged answer gives the same note, for any note', (t) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const split = splitNote(text);
      return restorePassages(split.sent, split) === text;
    }),
    { numRuns: runs(3000) },
  );
  t.pass();
});

test('tokens occur once each, in order, and no text of the note looks like one', (t) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { sent, passages, prefix } = splitNote(text);
      const found = sent.split(prefix).slice(1);
      return found.length === passages.length && found.every((part, i) => (prefix + part).startsWith(tokenOf(prefix, i)));
    }),
    { numRuns: runs(3000) },
  );
  t.is(splitNote('⟦0:1⟧ and ⟦1:1⟧ beside `code`').sent, '⟦0:1⟧ and ⟦1:1⟧ beside ⟦2:1⟧');
});

const secret = 'Xq7Zv';
const wrapped = fc.constantFrom(
  ...[
    `\`${secret}\``,
    `\`\`a \` ${secret}\`\``,
    `"${secret} and more"`,
    `“${secret}”`,
    `‘${secret}’`,
    `„${secret}“`,
    `«${secret}»`,
    `'${secret} it'`,
  ],
  ...[`https://h.example/${secret}?q=(1)`, `www.h.example/${secret}`, `mailto:${secret}@h.example`, `docs.h.example/${secret}`],
  ...[`\n> ${secret}\n`, `\n\`\`\`js\n${secret}\n\`\`\`\n`, `\n~~~\n${secret}\n~~~\n`, `\n\n    ${secret}\n\n`, `\n\t${secret}\n`],
  ...[
    `\n${secret}Error: bad\n    at f (a.js:1:2)\n`,
    `\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n${secret}Error: bad\n`,
  ],
);
const plain = fc.array(fc.constantFrom('The', 'build', 'is', "isn't", 'slow.', 'Next,', '3', '5" pipe', '(maybe)', 'and/or'), {
  minLength: 1,
  maxLength: 6,
});

test('a passage is never sent', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, wrapped), { minLength: 1, maxLength: 4 }), plain, (parts, end) => {
      const text = `${parts.map(([words, passage]) => `${words.join(' ')} ${passage} `).join('')}${end.join(' ')}`;
      return !splitNote(text).sent.includes(secret);
    }),
    { numRuns: runs(2000) },
  );
  t.pass();
});

test('each kind of passage becomes one token and the rest is kept', (t) => {
  const cases: [note: string, sent: string][] = [
    ['Ran `npm ci` and ``a ` b`` twice.', 'Ran ‹1› and ‹2› twice.'],
    ['See https://h.example/a_(b)?c=d#e, or (http://h.example).', 'See ‹1›, or (‹2›).'],
    ['Link [text](https://h.example/x) and <ftp://h.example/y>.', 'Link [text](‹1›) and <‹2›>.'],
    ['He said "do not ship", she “said “no” again”, they ‘can’t’.', 'He said ‹1›, she ‹2›, they ‹3›.'],
    ["It doesn't, and the users' list isn't 'done yet' either.", "It doesn't, and the users' list isn't ‹1› either."],
    ['A 5" pipe, he said "do not ship" today', 'A 5" pipe, he said ‹1› today'],
    ['"a `b" c` d" end', '‹1› end'],
    ['Before\n```ts\nconst a = "x";\n```\nafter', 'Before\n‹1›\nafter'],
    ['Before\n~~~~\n```\n~~~\n~~~~\nafter', 'Before\n‹1›\nafter'],
    ['Before\n```\nnever closed', 'Before\n‹1›'],
    ['- ```js\n  code\n  ```\n- > quoted\n- item', '- ‹1›\n- ‹2›\n- item'],
    ['Before\n\n    a\n\n    b\n\nafter', 'Before\n\n‹1›\n\nafter'],
    ['Before\n\ta\nafter', 'Before\n‹1›\nafter'],
    ['> a\n> b\nreply\n>c', '‹1›\nreply\n‹2›'],
    ['a\r\n> b\r\nc', 'a\r\n‹1›\r\nc'],
    ['"over\n\ntwo" paragraphs', '‹1› paragraphs'],
    ['at 10:30 we met, at standup we agreed (see notes)', 'at 10:30 we met, at standup we agreed (see notes)'],
    ['e.g. and/or src/a.ts is not a link, node.js neither', 'e.g. and/or src/a.ts is not a link, node.js neither'],
    ['An \\`escaped `code` span', 'An \\`escaped ‹1› span'],
    ['`open and "open', '`open and "open'],
  ];
  for (const [note, sent] of cases) t.is(sentAs(note), sent);
});

test('a stack trace is one passage, its message included', (t) => {
  const traces = [
    "TypeError: Cannot read properties of undefined\nreading 'x'\n    at f (/a/b.js:1:2)\n    at async Promise.all (index 0)\n    at node:internal/x:3:4",
    'Error: x\nat new Foo (/a/b.js:1:2)\nat /a/c.js:10:3',
    'Exception in thread "main" java.lang.IllegalStateException: x\n\tat com.x.Y.z(Y.java:12)\nCaused by: java.io.IOException: y\n\t... 12 more',
    'Unhandled exception. System.Exception: x\n   at Ns.Type.Method(String a, Int32 b) in C:\\x\\y.cs:line 12\n   at Ns.Program.Main()',
    'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    f()\nValueError: bad\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "x.py", line 5, in <module>\nKeyError: 1',
    "x.rb:3:in `f': bad (RuntimeError)\n\tfrom x.rb:7:in `<main>'",
    'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:8 +0x1d',
    "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/1/std.rs:5\nnote: run with more",
    'PHP Fatal error:  Uncaught Exception: x in /a/b.php:3\nStack trace:\n#0 /a/b.php(12): f()\n#1 {main}\n  thrown in /a/b.php on line 3',
  ];
  for (const trace of traces) {
    t.deepEqual(passagesOf(`It crashed:\n${trace}\nWe fixed it.`), [trace]);
    t.is(sentAs(`It crashed:\n${trace}\nWe fixed it.`), 'It crashed:\n‹1›\nWe fixed it.');
  }
});

test('a note with only passages, spaces and punctuation has nothing to rewrite', (t) => {
  for (const note of [
    '```\ncode\n```',
    '  `a`, `b`.\n',
    '> quote',
    '    code',
    '(https://h.example/x)',
    '“all quoted”',
    ' \n',
    '- `a`\n- "b"',
  ]) {
    t.true(splitNote(note).nothingToRewrite, note);
  }
  for (const note of ['a', '`a` b', '> q\nok', '1. `a`', 'é']) t.false(splitNote(note).nothingToRewrite, note);
});

test('an answer that loses, doubles, swaps or invents tokens is refused', (t) => {
  const split = splitNote('See `a` and `b`.');
  t.is(restorePassages('Both ⟦0:1⟧, ⟦0:2⟧.', split), 'Both `a`, `b`.');
  for (const answer of [
    '⟦0:1⟧',
    '⟦0:2⟧ ⟦0:1⟧',
    '⟦0:1⟧ ⟦0:2⟧ ⟦0:2⟧',
    '⟦0:1⟧ ⟦0:2⟧ ⟦0:3⟧',
    '⟦0:1 ⟦0:2⟧',
    'none',
    '⟦0:01⟧ ⟦0:2⟧',
    '⟦0:1⟧ ⟦0:2⟧ ⟦0:',
  ]) {
    t.is(restorePassages(answer, split), null, answer);
  }
});

test('an answer that changes a passage or adds one is refused', (t) => {
  const fenced = splitNote('Before\n```\ncode\n```\nafter');
  t.is(restorePassages('Then ⟦0:1⟧ after', fenced), null);
  const quoted = splitNote('He said "no" twice');
  t.is(restorePassages('He said⟦0:1⟧', quoted), null);
  t.is(restorePassages('He said `⟦0:1⟧`', quoted), null);
  t.is(restorePassages('> He said ⟦0:1⟧', quoted), null);
  t.is(restorePassages('He said ⟦0:1⟧ at https://h.example', quoted), null);
});

test('the content of a passage is never taken for a token', (t) => {
  const note = 'Saw `⟦0:1⟧` and `⟦0:2⟧` there';
  const split = splitNote(note);
  t.is(restorePassages(split.sent, split), note);
});
