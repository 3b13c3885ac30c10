/** The editor's HTML against the server's rules: any DOM tree gives accepted HTML with the same text, unchanged by another pass. */
import test from 'ava';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, parse } from 'parse5';
import { checkNoteHtml } from '../../../src/personal-notes/html/html.ts';
import { links, parserDifferences, repairs, scripts } from '../../personal-notes/html/hostile.ts';
import { runs } from '../../support/thorough.ts';
import { noteScripts } from './scripts.ts';

/** The properties of a node that the script reads. */
interface Tree {
  nodeType: number;
  localName?: string;
  data?: string;
  childNodes: Tree[];
  getAttribute(name: string): string | null;
}

type HtmlOf = (tree: Tree, options?: { lines: boolean }) => string;
const { htmlOf } = noteScripts('notesClean') as { htmlOf: HtmlOf };

const text = (data: string): Tree => ({ nodeType: 3, data, childNodes: [], getAttribute: () => null });
const element = (localName: string, childNodes: Tree[], attributes: Record<string, string> = {}): Tree => ({
  ...{ nodeType: 1, localName, childNodes },
  getAttribute: (name) => attributes[name] ?? null,
});

/** A browser's tree of the HTML, as our script sees it. */
function treeOf(html: string): Tree {
  const body = (parse(html).childNodes.find((node) => node.nodeName === 'html') as Dom.Element).childNodes.find(
    (node) => node.nodeName === 'body',
  ) as Dom.Element | undefined;
  const adapt = (node: Dom.ChildNode): Tree[] => {
    if (dom.isTextNode(node)) return [text(node.value)];
    if (!dom.isElementNode(node)) return [];
    return [element(node.tagName, node.childNodes.flatMap(adapt), Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])))];
  };
  // A frameset has no body.
  return element('body', body?.childNodes.flatMap(adapt) ?? []);
}

const textIn = (tree: Tree): string => (tree.nodeType === 3 ? tree.data! : tree.childNodes.map(textIn).join(''));
/** In any order: text between the rows of a table moves before it. */
const letters = (all: string) => [...all.toWellFormed().replace(/[\s\0\u200b]/g, '')].sort().join('');

const tags =
  'p div h1 h2 h5 ul ol li blockquote pre code strong b em i u s a span br hr table thead tbody tr td th dl dd section figure font sub'.split(
    ' ',
  );
const attributes = fc.record(
  {
    href: fc.constantFrom(
      'https://a.example/?x=1&y="2"',
      'mailto:a@a.example',
      'javascript:alert(1)',
      '/here',
      'https:evil',
      'https://\ud800',
    ),
    style: fc.constantFrom('font-weight: 700', 'font-weight:normal', 'font-style: italic', 'position:fixed'),
    colspan: fc.constantFrom('2', '1000', 'all'),
    onclick: fc.constant('x()'),
    class: fc.constant('c'),
  },
  { requiredKeys: [] },
);
const words = fc.oneof(
  fc.constantFrom('word', ' ', '\n', '\n\nx', 'a < b & "c"', '\u00a0', '\u200b', '\ud800', 'x\0y', '\r\n', '</p>', '<!-- -->'),
  fc.string({ maxLength: 8 }),
);
const { tree: anyTree } = fc.letrec<{ tree: Tree; leaf: Tree }>((tie) => ({
  leaf: words.map(text),
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom(...tags), fc.array(tie('tree'), { maxLength: 5 }), attributes)
      .map(([tag, children, given]) => element(tag, /^[bh]r$/.test(tag) ? [] : children, given)),
  ),
}));

test('HTML of any editor or clipboard becomes accepted HTML with all of its text', (t) => {
  fc.assert(
    fc.property(fc.array(anyTree, { maxLength: 6 }), (children) => {
      const body = element('body', children);
      const html = htmlOf(body);
      checkNoteHtml(html);
      t.is(letters(textIn(treeOf(html))), letters(textIn(body)), html);
      const again = htmlOf(treeOf(html));
      t.is(again, htmlOf(treeOf(again)), html);
    }),
    { numRuns: runs(400) },
  );
});

test('hostile HTML becomes harmless and keeps its text', (t) => {
  for (const html of [...scripts, ...parserDifferences, ...repairs, ...links.map((href) => `<a href="${href}">x</a>`)]) {
    const made = htmlOf(treeOf(html));
    t.notThrows(() => checkNoteHtml(made), `${html} -> ${made}`);
  }
  let deep = text('at the bottom');
  for (let n = 0; n < 200; n++) deep = element(['ul', 'li', 'blockquote', 'b', 'table', 'tr', 'td'][n % 7]!, [deep]);
  checkNoteHtml(htmlOf(element('body', [deep])));
  t.is(letters(textIn(treeOf(htmlOf(element('body', [deep]))))), letters('at the bottom'));
});

const becomes: Record<string, string> = {
  '': '',
  '<p><br></p>': '',
  '<div>One</div><div><br></div><div>Two</div><div><br></div>': '<p>One</p><p><br></p><p>Two</p>',
  'loose <b>text</b> <p>and</p> more': '<p>loose <b>text</b> </p><p>and</p><p> more</p>',
  '<h1>Plan</h1><p>see <a href="https://example.org/a" onclick="x()">there</a></p>':
    '<h1>Plan</h1><p>see <a href="https://example.org/a">there</a></p>',
  '<p><strong>s</strong><em>e</em><span style="font-weight:700">w</span></p>': '<p><b>s</b><i>e</i><b>w</b></p>',
  '<b style="font-weight:normal"><p>from a document</p></b>': '<p>from a document</p>',
  '<p><span style="font-weight:700;font-style:italic;text-decoration:underline">w</span><span style="text-decoration:line-through">s</span></p>':
    '<p><b><i><u>w</u></i></b><s>s</s></p>',
  [`<p style='mso-list:l0 level1 lfo1'><span><span style='mso-list:Ignore'>·  </span></span>one</p>
<p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.</span>in it</p><p style='mso-list:l0 level1 lfo1'>two</p><p>after</p>`]:
    '<ul><li>one<ol><li>in it</li></ol></li><li>two</li></ul><p>after</p>',
  '<b><p>one</p><p>two</p></b>': '<p><b>one</b></p><p><b>two</b></p>',
  '<ul><li>a</li><ul><li>b</li></ul></ul>': '<ul><li>a<ul><li>b</li></ul></li></ul>',
  '<ul><li>a<ol><li>b</li></ol></li><li>c</ul>': '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>',
  '<ul><li><div>a</div><ul><li>b</li></ul></li></ul>': '<ul><li>a<ul><li>b</li></ul></li></ul>',
  '<table><tr><td colspan="2" style="x">x</td></tr></table>': '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
  '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>':
    '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>',
  '<pre>\n\nif (a &lt; b)<br>  x</pre>': '<pre>\n\nif (a &lt; b)\n  x</pre>',
  '<a href="javascript:alert(1)">x</a><img src=x onerror=y><script>z</script>': '<p>x</p>',
  '<blockquote>said<p>more</p></blockquote><hr>': '<blockquote><p>said</p><p>more</p></blockquote><hr>',
};

test('cleaned HTML looks the same', (t) => {
  for (const [html, wanted] of Object.entries(becomes)) t.is(htmlOf(treeOf(html)), wanted, html);
  t.is(
    htmlOf(treeOf('First line &amp; more\nhas &lt;b&gt; in it'), { lines: true }),
    '<p>First line &amp; more<br>has &lt;b&gt; in it</p>',
  );
});
