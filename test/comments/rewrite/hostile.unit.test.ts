/** Notes of 12,000 characters that are slow to parse, for our own code and for the parsers below it. */
import { checkRewrite } from '../../../src/comments/rewrite/check/check.ts';
import { restorePassages, splitNote } from '../../../src/comments/rewrite/excerpts/passages.ts';
import { suite } from '../../support/suite.ts';
import { isThorough } from '../../support/thorough.ts';

const test = suite(import.meta.url);

const LONGEST = 12_000;
const fill = (piece: string) => piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST);

/** Repeated Markdown, links, quotes, traces and marks. The parser with all its constructs takes seconds for some. */
const pieces = [
  ...['>', '> - ', '>a\n', '- ', '* ', '1. ', '- a\n\n', '- \t', '* * *\n', '\n', '\t', '    a\n\n', '\\', 'a\n=', '[a]: b\n', '&a', '<a '],
  ...['`', '`a', '``a`', '\\`', '`\n', '- ```\n', '```a\n~~~\n', '[', '[a](', '![a]', '*a_ ', '*a**a', '__a'],
  ...[
    'http://',
    'http://a/(',
    'http://a/[{(',
    'http://a/"',
    "http://a/'a",
    'http://a:b@',
    'http://[::',
    '://',
    'a.',
    'a.b/',
    'www.',
    'mailto:a@',
  ],
  ...['"a', "'a ", '“', '“”', '»a«', 'Error: x\na\n', 'panic: \n', 'at f (a.js:1:2)\n', 'Caused by: a\n', 'note: \n\n', 'f()\n'],
  ...['not, ', 'Next: a, ', '- not a:\n', '# a\n- b\n', 'Bob ', 'May 3 ', '12 and ', 'twenty-five ', '⟦0:1⟧', '(', '日', 'ﷺ', '\ud800'],
];

test('a hostile note is returned byte for byte and passes unchanged', (t) => {
  for (const piece of isThorough ? pieces : pieces.filter((_, n) => n % 5 === 0)) {
    const note = fill(piece);
    const split = splitNote(note);
    t.is(restorePassages(split.sent, split), note, piece);
    t.deepEqual(checkRewrite(split.sent, split.sent, split), { ok: true }, piece);
  }
});
