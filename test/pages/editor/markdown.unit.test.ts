/** Markdown through the editor and back. */
import fc from 'fast-check';
import { read, schema, textOf } from '../../../src/pages/editor/markdown.ts';
import { markdown } from '../../../src/pages/frame/components/markdown.ts';
import { suite } from '../../support/suite.ts';
import { isThorough } from '../../support/thorough.ts';

const test = suite(import.meta.url);

const piece = fc.constantFrom(
  ...[
    '# Title',
    '## Two',
    'Title\n===',
    'text',
    '*em*',
    '**strong**',
    '~~gone~~',
    '`a|b`',
    '``a`b``',
    '- one\n- two',
    '* star\n\n  more',
    '1. one',
    '7) seven',
  ],
  ...[
    '- [ ] open',
    '- [x] done\n  - [ ] below',
    '> quote\n> more',
    '```js\ncode\n```',
    '    indented',
    '---',
    '***',
    '| a | b |\n| --- | --: |\n| 1 | \\| |',
  ],
  ...[
    '[link](https://a.example "t")',
    '[ref]',
    '[ref]: https://b.example',
    '<https://c.example>',
    'https://d.example/a_b',
    '![alt](https://e.example/p.png)',
    '![Image](/files/12)',
    '[File 13](/files/13)',
  ],
  ...[
    'line\\\nbreak',
    'line  \nbreak',
    'soft\nbreak',
    '&amp; &copy;',
    '\\*not em\\*',
    '<b>html</b>',
    '<!-- note -->',
    '#24 and @Bo',
    'a_b_c',
    '1986. Year',
    '+ plus',
  ],
  ...[
    '[^1]',
    '[^1]: foot',
    'a | b',
    '$x$',
    ':tada:',
    '\t',
    '  ',
    'ü 漢字 🚢',
    '\u00a0',
    '* * *',
    '- ',
    '1.',
    '>',
    '``',
    '[ ] no task',
    '![',
    '](',
    '~~~\nx',
  ],
);
const glue = fc.constantFrom('\n\n', '\n', '\n\n\n', ' ', '', '\n  ', '\n> ', '\n    ');
const text = fc.array(fc.tuple(piece, glue), { maxLength: 9 }).map((parts) => parts.flat().join(''));
const shown = (body: string): string =>
  markdown(body)
    .toString()
    .replace(/ data-task="\d+"/g, '');

const runs = { numRuns: isThorough ? 20_000 : 1_000 };

test('opening and saving an untouched text does not change a byte', (t) => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 60 })), (body) => {
      const opened = read(body);
      if (opened) t.is(textOf(opened.doc, opened), body);
    }),
    runs,
  );
});

test('an edit of one block leaves the meaning of all others, and their bytes where they fit', (t) => {
  let edited = 0;
  fc.assert(
    fc.property(text, (body) => {
      const opened = read(body);
      if (!opened || opened.sources.size === 0) return;
      edited++;
      const added = schema.node('paragraph', null, schema.text('Added at the end'));
      const doc = opened.doc.copy(opened.doc.content.addToEnd(added));
      const saved = textOf(doc, opened);
      t.is(
        shown(saved).replaceAll(/\s+/g, ''),
        shown(`${body.replace(/\n*$/, '')}\n\nAdded at the end`).replaceAll(/\s+/g, ''),
        JSON.stringify([body, saved]),
      );
    }),
    runs,
  );
  t.true(edited > runs.numRuns / 3, `${edited} texts could be edited`);
});

test('everyday texts open in the editor', (t) => {
  for (const body of [
    '',
    'Plain text.\nSecond line.',
    '## What the form needs\n\n- [x] Length in metres, one decimal\n- [ ] Caravan in a field of its own, hidden until `trailer` is ticked',
    '| Vehicle class | Up to |\n| --- | ---: |\n| A, car | 5.0 m |',
    'See [25 Price](https://a.example) and #25, @Cleo.\n\n```ts\nconst a = 1;\n```\n\n> Quote\n\n1. One\n2. Two\n\n---',
    '[ref]: https://b.example\n\nA [ref] link.',
  ])
    t.truthy(read(body), body);
});

test('typed text is escaped only where it would mean something else', (t) => {
  const typed = (...lines: string[]) => {
    const opened = read('')!;
    return textOf(
      schema.node(
        'doc',
        null,
        lines.map((line) => schema.node('paragraph', null, schema.text(line))),
      ),
      opened,
    );
  };
  t.is(typed('Costs 5 * 3, snake_case and [brackets]!'), 'Costs 5 * 3, snake_case and [brackets]!');
  t.is(typed('*stars*'), '\\*stars\\*');
  t.is(typed('# no heading', '1. no list', '- no list'), '\\# no heading\n\n1\\. no list\n\n\\- no list');
  t.is(typed('&amp; stays'), '\\&amp; stays');
  t.is(typed('https://a.example/b_c_d?e=*f*'), 'https://a.example/b_c_d?e=\\*f\\*');
  t.is(typed('@Bo, see #24'), '@Bo, see #24');
});

test('what the editor cannot hold opens as text', (t) => {
  for (const body of [
    'a\r\nb',
    '> - [x] a\n>\n>   | a |\n>   | - |\n>\n> # b\nc\n===\n\n- # heading in a list',
    `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n`,
  ])
    t.is(read(body), null, body.slice(0, 30));
});
