/** Texts in Markdown: formatting and safety (behaviour §18.4). */
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { markdown, markdownWithin, pieces } from '../../src/pages/frame/components/markdown.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

const ana = { id: 3, name: 'Ana Lindqvist' };
const links = {
  items: '/stint/workspaces/1/items',
  people: [ana, { id: 4, name: 'Bo' }, { id: 5, name: 'Cleo' }, { id: 6, name: 'cleo' }],
};
const inside = (text: string) =>
  markdown(text, links)
    .text.replace(/^<div class="prose">|<\/div>$/g, '')
    .trim();

test('paragraphs, lists, tables, code and line breaks are formatted', (t) => {
  t.is(inside('one\ntwo'), '<p>one<br>\ntwo</p>');
  t.regex(inside('- a\n- b'), /^<ul dir="auto">\s*<li>a<\/li>\s*<li>b<\/li>\s*<\/ul>$/);
  t.regex(inside('a | b\n--|-:\n1 | 2'), /<table>.*<td class="to-right">2<\/td>/s);
  t.is(inside('```\n<b>#24\n```'), '<pre tabindex="0"><code>&lt;b&gt;#24\n</code></pre>');
});

test('files of items are shown, below the context path; other paths and pictures of other hosts are not', (t) => {
  const shown = (text: string) =>
    markdown(text, { ...links, files: '/stint' })
      .text.replace(/^<div class="prose">|<\/div>$/g, '')
      .trim();
  const link = '<a href="/stint/files/12" rel="noopener nofollow ugc">';
  t.is(shown('![Im"age](/files/12)'), `<p>${link}<img src="/stint/files/12" alt="Im&quot;age" loading="lazy"></a></p>`);
  t.is(shown('[File 12](/files/12)'), `<p>${link}File 12</a></p>`);
  for (const other of [
    '/files/012',
    '/files/12/remove',
    '/files/x',
    '/files/../sign-out',
    '//files/12',
    '/files/12?download=1',
    '/filesx/1',
  ])
    t.notRegex(shown(`![a](${other}) [b](${other})`), /<a|<img/, other);
  t.notRegex(shown('![a](https://a.example/files/12)'), /<img/);
});

test('headings are one level below those of the page', (t) => {
  t.is(inside('# A'), '<h3>A</h3>');
  t.is(inside('###### A'), '<h6>A</h6>');
});

test('addresses are links without referrer; unsafe ones stay text', (t) => {
  t.is(inside('https://a.example/x'), '<p><a href="https://a.example/x" rel="noopener nofollow ugc">https://a.example/x</a></p>');
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/sign-out',
    '//a.example',
  ])
    t.false(inside(`[x](${address}) <${address}>`).includes('<a'), address);
});

test('a picture becomes a link to it, within a link only its words', (t) => {
  t.is(inside('![A deck](https://a.example/x.png)'), '<p><a href="https://a.example/x.png" rel="noopener nofollow ugc">A deck</a></p>');
  t.is(inside('[![A deck](https://a.example/x.png)](https://b.example)').match(/<a /g)?.length, 1);
});

test('numbers link to items of the workspace and names of people are marked, except in code, links and words', (t) => {
  t.is(inside('see #24.'), '<p>see <a class="ref" href="/stint/workspaces/1/items/24">#24</a>.</p>');
  t.is(inside('ask @ana lindqvist and @Bo'), '<p>ask <span class="mention">@ana lindqvist</span> and <span class="mention">@Bo</span></p>');
  t.is(inside('@Cleo or @Cleo#6'), '<p>@Cleo or <span class="mention">@Cleo#6</span></p>');
  for (const text of ['`#24`', '[#24](https://a.example)', 'a#24', '##24', '#024', '#24b', 'https://a.example/#24'])
    t.false(inside(text).includes('class="ref"'), text);
  t.false(markdown('#24').text.includes('<a'));
});

test('the pieces together are the whole text', (t) => {
  const word = fc.constantFrom('#24', '@Bo', '@Ana Lindqvist', '@Cleo#5', ' ', 'x', '#', '@', 'İ', '#99999999999999999', '\n');
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 12 }), (words) => {
      const text = words.join('');
      return (
        pieces(text, links.people)
          .map((piece) => piece.text)
          .join('') === text
      );
    }),
  );
  t.deepEqual(
    pieces('a #2 @Bo', links.people).map(({ kind }) => kind),
    ['text', 'item', 'text', 'person'],
  );
});

type Node = DefaultTreeAdapterMap['node'];
const known = new Set(
  'div p h3 h4 h5 h6 ul ol li a em strong s code pre blockquote hr br table thead tbody tr th td span #text'.split(' '),
);

/** Elements and attributes outside of the allowed few. */
function foreign(node: Node): string[] {
  const attributes = 'attrs' in node ? node.attrs : [];
  const wrong = attributes.flatMap(({ name, value }) => {
    if (name === 'href') return /^(https?:|mailto:|\/stint\/workspaces\/1\/items\/\d+$)/i.test(value) ? [] : [`href ${value}`];
    const usual = ['class', 'rel', 'tabindex', 'role', 'aria-label', 'title', 'start', ...(value === 'auto' ? ['dir'] : [])];
    return usual.includes(name) ? [] : [`${name}=${value}`];
  });
  const children = 'childNodes' in node ? node.childNodes : [];
  return [
    ...(node.nodeName === '#document-fragment' || known.has(node.nodeName) ? [] : [node.nodeName]),
    ...wrong,
    ...children.flatMap(foreign),
  ];
}

const hostile = fc.constantFrom(
  ...[
    '<script>',
    '</div>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '![x](data:x)',
    '<a href="javascript:x">',
    '"onclick="x',
    "'",
    '&',
    '&lt;',
  ],
  ...[
    '](',
    '[',
    '!',
    '`',
    '```',
    '*',
    '**',
    '_',
    '|',
    '--|--',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '# ',
    '    ',
    '#24',
    '@Bo',
    '@Ana Lindqvist"',
    'www.x.org',
    'http://',
  ],
  ...[
    'javascript:',
    'x&#106;avascript:',
    '\\',
    '<',
    '>',
    '&#x6a;',
    '\u0000',
    '\u202e',
    '[a]: javascript:x',
    '[a]',
    '"t"',
    '<!--',
    ']]>',
    '<svg/onload=x>',
  ],
);

test('a hostile text adds no elements, attributes or addresses', (t) => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: hostile }, fc.string({ maxLength: 6 })), { maxLength: 30 }), (words) => {
      const found = foreign(parseFragment(markdown(words.join(''), links).text));
      if (found.length) throw new Error(`${JSON.stringify(words.join(''))}: ${found.join(', ')}`);
    }),
    { numRuns: runs(400) },
  );
  t.pass();
});

test('text without any marks is shown unchanged', (t) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zäß]{1,8}( [a-z]{1,8}){0,5}$/), (text) => inside(text) === `<p>${text}</p>`),
    { numRuns: runs(50) },
  );
  t.pass();
});

test('endless nesting is shown without Markdown', (t) => {
  for (const nested of ['> ', '- ', '[', '**', '!['].map((mark) => mark.repeat(5_000))) {
    const depth = (node: Node): number => 1 + Math.max(0, ...('childNodes' in node ? node.childNodes : []).map(depth));
    t.true(depth(parseFragment(markdown(`${nested}x`).text)) < 50, nested.slice(0, 4));
  }
});

test('a text with more cells or HTML than its budget is not formatted', (t) => {
  const cells = `|a|b|c|\n|-|-|-|\n${'x\n'.repeat(100)}`;
  t.is(markdownWithin(cells, {}, { blocks: 300, output: 1_000_000 }), null);
  t.is(markdownWithin('**a**', {}, { blocks: 300, output: 20 }), null);
  t.is(markdownWithin('**a**', {}, { blocks: 300, output: 100 })?.trim(), '<p><strong>a</strong></p>');
});
