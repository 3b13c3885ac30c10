import fc from 'fast-check';
import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, parse } from 'parse5';
import { checkNoteHtml } from '../../../src/personal-notes/html/html.ts';
import { InvalidRequest } from '../../../src/values/errors.ts';
import { suite } from '../../support/suite.ts';
import { runs } from '../../support/thorough.ts';
import { links, parserDifferences, repairs, scripts } from './hostile.ts';

const test = suite(import.meta.url);

const refusal = (html: string): string | null => {
  try {
    checkNoteHtml(html);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.message;
  }
};

test('a note of more than 30,000 words is refused', (t) => {
  t.is(refusal('a\n'.repeat(30_000)), null);
  t.is(refusal('a\n'.repeat(30_001)), 'html has more than 30,000 words. Split it into several notes.');
});

const accepted = [
  '',
  'Plain text',
  '<p>One</p><p>Two</p>',
  '<P>One<p>Two',
  '<p>a<br>b<br/>c<br />d</p><hr>',
  '<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4>',
  '<ul><li>a<ol><li>b</li></ol></li><li>c</ul>',
  '<blockquote><p>q<p>r</blockquote>',
  '<pre><code>\nif (a &lt; b) {}\n</code></pre>',
  '<pre>\n\nx</pre>',
  '<p><strong>s</strong><em>e</em><b>b</b><i>i</i><u>u</u><s>s</s><code>c</code></p>',
  '<b><b><b><b><b>deep</b></b></b></b></b>',
  '<a href="https://a.example/x?y=1&z=2#f">x</a>',
  "<a href=HTTP://a.example>x</a> <a href='mailto:a@a.example?subject=Hi there'>y</a> <a>z</a>",
  '<a href="h&#116;tps://a.example/">x</a>',
  '<a href="https://a.example"><h2>Block in a link</h2></a>',
  '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td colspan="2" rowspan=3>x</td></tr></tbody></table>',
  '<table><tr><td>x<td>y<tr><td>z</table>',
  '<table>\n <tr> <td>x</td> </tr>\n</table>\n',
  '<table><tr><td><table><tr><td><p>in</table></table>',
  '1 < 2 && 3 > 2; AT&T &amp; &copy &#xA9; &nbsp; &#0; &unknown;',
  'I <3 \u{1f600} \u202e rtl \u0001',
  '\r\n<p>x\r\n</p>\r\n',
];

test('safe rich text is accepted', (t) => {
  for (const html of accepted) t.is(refusal(html), null, html);
});

for (const [kind, list] of Object.entries({
  'active content': scripts,
  'HTML that parsers read differently': parserDifferences,
  'HTML that browsers would repair': repairs,
})) {
  test(`${kind} is refused, alone and inside a paragraph or a cell`, (t) => {
    for (const html of list) {
      t.truthy(refusal(html), html);
      t.truthy(refusal(`<p>before</p>${html}<p>after</p>`), html);
      t.truthy(refusal(`<ul><li>${html}</li></ul>`), html);
      t.truthy(refusal(`<table><tr><td>${html}</td></tr></table>`), html);
    }
  });
}

test('links may have only full http, https and mailto addresses', (t) => {
  for (const href of links) {
    t.truthy(refusal(`<a href="${href}">x</a>`), href);
    t.truthy(refusal(`<p><b><a href='${href}'>x</a></b></p>`), href);
  }
});

test('the error names the first faulty element', (t) => {
  t.regex(refusal('<p>x</p><font>y</font><script>z</script>')!, /<font>/);
  t.regex(refusal('<p align=left onclick=x>x</p>')!, /attribute align .*<p>/);
  t.regex(refusal('<a href="/x">x</a>')!, /href="\/x".*https:\/\//);
  t.regex(refusal('<table><tr><td colspan=all>x</table>')!, /colspan on <td>/);
  t.regex(refusal('<th colspan=2>')!, /colspan from <th>/);
  t.regex(refusal('<p>x</p><!-- c --><font>')!, /comments/);
  t.regex(refusal('<!doctype html>')!, /doctype/);
  t.regex(refusal('<b>x')!, /close <b>/);
  t.regex(refusal('<b><i>x</b></i>')!, /close <i> before <\/b>/);
  t.regex(refusal('<table>x</table>')!, /text in <table>/);
  t.regex(refusal(`<${'x'.repeat(10_000)}>`)!, /^.{1,300}$/);
  for (const html of ['<font>', 'x<', '<b>x', '<!-- -->', 'x\0', 'x<', 'x'.repeat(131_073), '<a href=x>'])
    t.regex(refusal(html)!, /\bhtml\b/);
});

test('the title is the first line of text, at most 200 characters', (t) => {
  const title = (html: string) => checkNoteHtml(html).title;
  t.is(title('<p>One</p><p>Two</p>'), 'One');
  t.is(title('<p> <br>&nbsp;</p><h1>The <b>bold</b>\n title </h1>x'), 'The bold title');
  t.is(title('<ul><li><p>First<li>Second</ul>'), 'First');
  t.is(title('One<br>Two'), 'One');
  t.is(title('One\nTwo'), 'One');
  t.is(title('<pre>One\nTwo</pre>'), 'One');
  t.is(title('<table><tr><th>A</th><th>B</th></tr><tr><td>C</table>'), 'A B');
  t.is(title('a &lt;b&gt; &amp;amp;'), 'a <b> &amp;');
  t.is(title('<hr>'), '');
  t.is(title(`<p>${'😀'.repeat(201)}</p>`), '😀'.repeat(200));
  t.is(checkNoteHtml('<p>One</p>\n<ul><li>Two<li>Three</ul>').text, 'One\nTwo\nThree');
});

test('128 KiB of UTF-8 are accepted and one byte more is refused', (t) => {
  const most = 128 * 1024;
  t.is(refusal('x'.repeat(most)), null);
  t.is(refusal('é'.repeat(most / 2)), null);
  t.regex(refusal(`${'é'.repeat(most / 2)}x`)!, /128 KiB/);
});

test('elements may be nested 64 levels deep', (t) => {
  const nest = (depth: number) => `${'<blockquote>'.repeat(depth)}x${'</blockquote>'.repeat(depth)}`;
  t.is(refusal(nest(64)), null);
  t.regex(refusal(nest(65))!, /64 deep/);
});

test('the largest hostile inputs get an answer', (t) => {
  const units = [
    '<b>',
    '<p><b>x<p>',
    '<b><p>x</b>',
    '<table>',
    '<table><tr><td>',
    '<td>',
    '<',
    '<a><b>',
    '<li><b>',
    '</p>',
    '<table>x',
    '<svg>',
    '<!--',
    '<i>x</b>',
  ];
  for (const unit of units) t.truthy(refusal(unit.repeat(131_072 / unit.length)), unit);
  t.truthy(refusal(`<a ${Array.from({ length: 20_000 }, (_, i) => `a${i.toString(36)}`).join(' ')}>`));
  for (const unit of ['<p>', '<br>', '<li>', '<p>x<hr>', '&amp;', '&', '&#', '\r', '<i></i>', '<p></p>'])
    t.is(refusal(unit.repeat(Math.min(131_072 / unit.length, 5_000 / Math.max(1, unit.split('<').length - 1)))), null, unit);
});

const words = fc.constantFrom('x', 'two words', ' ', '\n', '&amp;', '&nbsp;', '1 < 2', 'é😀', '&copy');
const wrap = (tag: string, content: fc.Arbitrary<string>) => content.map((inner) => `<${tag}>${inner}</${tag}>`);
const several = (part: fc.Arbitrary<string>) => fc.array(part, { maxLength: 3 }).map((parts) => parts.join(''));
const anyOf = (tags: string[], content: fc.Arbitrary<string>) => fc.constantFrom(...tags).chain((tag) => wrap(tag, content));
/** Documents of the allowed grammar. */
const { flow } = fc.letrec<Record<'inline' | 'link' | 'block' | 'items' | 'cells' | 'flow', string>>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.constant('<br>'),
    tie('link'),
    anyOf(['strong', 'em', 'b', 'i', 'u', 's', 'code'], several(tie('inline'))),
  ),
  link: fc
    .tuple(fc.constantFrom('https://a.example/?a=1&b', 'http://a.example', 'mailto:a@a.example'), words)
    .map(([to, text]) => `<a href="${to}">${text}</a>`),
  items: several(wrap('li', several(tie('flow')))),
  cells: several(
    fc.oneof(
      wrap('th', several(tie('inline'))),
      several(tie('flow')).map((inner) => `<td colspan="2" rowspan=1>${inner}</td>`),
    ),
  ),
  block: fc.oneof(
    { depthSize: 'small' },
    fc.constant('<hr/>'),
    anyOf(['p', 'h1', 'h2', 'h3', 'h4', 'pre'], several(tie('inline'))),
    anyOf(['ul', 'ol'], tie('items')),
    wrap('blockquote', several(tie('flow'))),
    wrap(
      'table',
      fc.tuple(tie('cells'), tie('cells')).map(([head, body]) => `<thead><tr>${head}</tr></thead><tbody><tr>${body}</tr></tbody>`),
    ),
  ),
  flow: fc.oneof({ depthSize: 'small' }, tie('block'), tie('inline')),
}));
const documents = fc.array(flow, { minLength: 1, maxLength: 6 });

test('every document of the allowed grammar is accepted', (t) => {
  fc.assert(
    fc.property(documents, (parts) => t.is(refusal(parts.join('')), null)),
    { numRuns: runs(300) },
  );
});

test('the same document with one foreign element is refused', (t) => {
  const foreign = fc.constantFrom(
    '<font>x</font>',
    '<div></div>',
    '<img>',
    '<svg></svg>',
    '<!-- -->',
    '<?x?>',
    '<x-y></x-y>',
    '<input/>',
    '<style></style>',
    '</span>',
  );
  fc.assert(
    fc.property(documents, foreign, fc.nat(), (parts, thing, seed) => {
      const html = `${parts.join('')}<p>x</p>`;
      const places = [...html.matchAll(/</g)].map((match) => match.index);
      const place = places[seed % places.length]!;
      t.truthy(refusal(html.slice(0, place) + thing + html.slice(place)));
    }),
    { numRuns: runs(300) },
  );
});

test('the same document with one foreign attribute is refused', (t) => {
  const foreign = fc.constantFrom(
    'class="x"',
    'onclick=x',
    'style',
    'id=a',
    'data-x=1',
    'HREF=x',
    'title',
    'rel=x',
    'srcdoc',
    '"',
    'href=javascript:x',
  );
  fc.assert(
    fc.property(documents, foreign, fc.nat(), (parts, attribute, seed) => {
      const html = `${parts.join('')}<p>x</p>`;
      const tags = [...html.matchAll(/<[a-z][a-z0-9]*/g)];
      const tag = tags[seed % tags.length]!;
      const place = tag.index + tag[0].length;
      t.truthy(refusal(`${html.slice(0, place)} ${attribute}${html.slice(place)}`));
    }),
    { numRuns: runs(300) },
  );
});

const names = 'p br hr h1 h2 ul ol li blockquote pre code b i a table thead tbody tr th td'.split(' ');
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...names).chain((tag) => fc.constantFrom(`<${tag}>`, `</${tag}>`)),
      words,
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const elementsIn = (node: Dom.ChildNode): string[] =>
  dom.isElementNode(node) ? [node.tagName, ...node.childNodes.flatMap(elementsIn)] : [];

test('accepted HTML stays inside its parent element and has only listed elements', (t) => {
  fc.assert(
    fc.property(
      fc.oneof(
        soup,
        documents.map((parts) => parts.join('')),
      ),
      (html) => {
        if (refusal(html) !== null) return;
        const page = parse(`<!doctype html><body><div>${html}</div><p>after</p>`);
        const body = (page.childNodes[1] as Dom.Element).childNodes[1] as Dom.Element;
        t.deepEqual(
          body.childNodes.map((node) => node.nodeName),
          ['div', 'p'],
        );
        t.deepEqual(elementsIn(body.childNodes[1]!), ['p']);
        const inside = (body.childNodes[0] as Dom.Element).childNodes.flatMap(elementsIn);
        t.true(inside.every((name) => [...names, 'h3', 'h4', 'strong', 'em', 'u', 's'].includes(name)));
      },
    ),
    { numRuns: runs(3000) },
  );
});
