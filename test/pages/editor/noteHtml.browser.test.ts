/** The HTML of notes through the editor and back, in a real browser. */
import type { ExecutionContext } from 'ava';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, parseFragment } from 'parse5';
import { Mark, type Node } from 'prosemirror-model';
import { schema, write } from '../../../src/pages/editor/noteHtml.ts';
import { displayedNote } from '../../../src/personal-notes/html/display.ts';
import { checkNoteHtml } from '../../../src/personal-notes/html/html.ts';
import { links, parserDifferences, repairs, scripts } from '../../personal-notes/html/hostile.ts';
import { fileBrowser } from '../../support/browser.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const browser = fileBrowser();

const bundle = () =>
  buildSync({
    stdin: {
      resolveDir: new URL('../../../src/pages/editor/browser/', import.meta.url).pathname,
      loader: 'ts',
      contents: `
        import { DOMParser as DocumentParser } from 'prosemirror-model';
        import { noteFormat, shownNote } from './noteFormat.ts';
        import { cleanHtml } from './paste.ts';
        import { schema, write } from '../noteHtml.ts';
        window.pass = (all) => all.map((html) => {
          const opened = noteFormat.open(html);
          return opened && write(opened.doc);
        });
        window.textsOf = (all) => all.map((html) => {
          const box = document.createElement('div');
          box.innerHTML = html;
          document.body.replaceChildren(box);
          // A break at the end of a cell shows nothing, but counts as the end of a line between two cells.
          return box.innerText.replaceAll('\\u00a0', ' ').replace(/ *[\\n\\t]\\s*/g, '\\n').trim();
        });
        window.pasted = (all) => all.map((html) => {
          const box = document.createElement('div');
          box.innerHTML = cleanHtml(html);
          return write(DocumentParser.fromSchema(schema).parse(box));
        });
        window.display = (all) => all.map((html) => {
          const box = document.createElement('div');
          box.append(shownNote(html));
          return box.innerHTML;
        });`,
    },
    ...{ bundle: true, format: 'iife', target: 'es2022', write: false, logLevel: 'error' },
  }).outputFiles[0]!.text;

let script: string | undefined;
async function call<Answer>(t: ExecutionContext, name: string, all: readonly string[]): Promise<Answer[]> {
  const page = await browser.shared(t);
  if (script === undefined) {
    script = bundle();
    await page.addScriptTag({ content: script });
  }
  return page.evaluate(`${name}(${JSON.stringify(all)})`);
}

const text = fc.constantFrom('word', ' ', '\n', ' two  words ', '\u00a0', 'x ', ' x', '\t', 'a\n\nb', '&amp; &lt;b&gt;', 'ü 漢字', '  ');
const format = fc.constantFrom('b', 'strong', 'i', 'em', 'u', 's', 'code');
const wrapped = (tag: string, inside: readonly string[]) => `<${tag}>${inside.join('')}</${tag}>`;
const { flow } = fc.letrec<Record<'line' | 'linked' | 'flow' | 'block' | 'item' | 'row', string>>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.constant('<br>'),
    fc.tuple(format, fc.array(tie('line'), { maxLength: 3 })).map(([tag, inside]) => wrapped(tag, inside)),
    tie('linked'),
  ),
  linked: fc
    .tuple(fc.constantFrom('https://a.example/?x=1&amp;y', 'mailto:a@a.example'), fc.array(text, { maxLength: 2 }))
    .map(([href, inside]) => `<a href="${href}">${inside.join('')}</a>`),
  flow: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('line'), tie('block')),
  item: fc.array(tie('flow'), { maxLength: 3 }).map((inside) => wrapped('li', inside)),
  row: fc
    .array(
      fc
        .tuple(fc.constantFrom('td', 'th', 'td colspan="2"', 'td rowspan="2"'), fc.array(tie('flow'), { maxLength: 2 }))
        .map(([tag, inside]) => `<${tag}>${inside.join('')}</${tag.slice(0, 2)}>`),
      { maxLength: 3 },
    )
    .map((cells) => wrapped('tr', cells)),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('<hr>', '<p></p>', '<p><br></p>', '\n  '),
    fc
      .tuple(fc.constantFrom('p', 'p', 'h1', 'h2', 'h3', 'h4', 'pre'), fc.array(tie('line'), { maxLength: 4 }))
      .map(([tag, inside]) => wrapped(tag, inside)),
    fc.tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('item'), { maxLength: 3 })).map(([tag, inside]) => wrapped(tag, inside)),
    fc.tuple(fc.constantFrom('blockquote', 'b', 'i'), fc.array(tie('flow'), { maxLength: 3 })).map(([tag, inside]) => wrapped(tag, inside)),
    fc
      .tuple(fc.boolean(), fc.array(tie('row'), { maxLength: 3 }))
      .map(
        ([hasHead, rows]) =>
          `<table>${hasHead ? `<thead>${rows[0] ?? ''}</thead>` : ''}<tbody>${rows.slice(hasHead ? 1 : 0).join('')}</tbody></table>`,
      ),
  ),
}));
const document = fc.array(flow, { maxLength: 5 }).map((parts) => parts.join(''));
/** Tags in any order, mostly wrong. */
const soup = (tags: string, attributes: readonly string[] = ['']) =>
  fc
    .array(
      fc.oneof(
        text,
        fc
          .tuple(fc.constantFrom(...tags.split(' ')), fc.constantFrom(...attributes), fc.boolean())
          .map(([tag, given, isEnd]) => (isEnd ? `</${tag}>` : `<${tag}${given}>`)),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
const allowed = 'p br hr h1 h4 ul ol li blockquote pre code strong em b i u s table thead tbody tr td th';

function isAccepted(html: string): boolean {
  try {
    checkNoteHtml(html);
    return true;
  } catch {
    return false;
  }
}

const same: Record<string, string> = { strong: 'b', em: 'i' };
const unseen = new Set(['p', 'tbody', 'thead', 'div']);

/** The text without spaces, each run with its elements from outside in. Formats are sorted, because their order can't be seen. */
function structure(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Dom.ChildNode, blocks: readonly string[], formats: readonly string[]): void => {
    if (dom.isTextNode(node)) {
      const words = node.value.replace(/\s/g, '');
      const inPre = blocks.some((one) => one.startsWith('pre'));
      const key = `${blocks.join('>')} ${[...new Set(formats)].filter((one) => !inPre || one !== 'code').sort()}: `;
      if (words && found.at(-1)?.startsWith(key)) found.push(found.pop() + words);
      else if (words) found.push(key + words);
    } else if (dom.isElementNode(node)) {
      const tag = same[node.tagName] ?? node.tagName;
      const isFormat = /^(?:[bius]|code|a)$/.test(tag);
      const name = `${tag} ${node.attrs.filter(({ value }) => value !== '1').map((one) => `${one.name}=${one.value}`)}`.trim();
      const isSeen = !isFormat && !unseen.has(tag);
      const numbered = isSeen && node.childNodes.length > 0 ? [...blocks, tag === 'hr' ? tag : name] : blocks;
      if (tag === 'hr') found.push(`${blocks.join('>')} hr: `);
      for (const child of node.childNodes) visit(child, numbered, isFormat ? [...formats, name] : formats);
    }
  };
  for (const child of parseFragment(dom.createElement('div', 'http://www.w3.org/1999/xhtml' as never, []), html, {}).childNodes)
    visit(child, [], []);
  return found;
}

/** Checks the notes that open, and gives their share. */
async function check(t: ExecutionContext, all: readonly string[]): Promise<number> {
  const written = await call<string | null>(t, 'pass', all);
  const opened = all.flatMap((html, at) => (written[at] === null ? [] : [{ html, made: written[at]! }]));
  for (const { html, made } of opened) {
    const about = JSON.stringify({ html, made });
    t.notThrows(() => checkNoteHtml(made), about);
    t.deepEqual(structure(made), structure(html), about);
  }
  const made = opened.map((one) => one.made);
  const again = await call<string | null>(t, 'pass', made);
  const shown = (htmls: readonly string[]) =>
    call<string>(
      t,
      'textsOf',
      htmls.map((html) => displayedNote(html)),
    );
  const [before, after] = [await shown(opened.map(({ html }) => html)), await shown(made)];
  for (const [at, one] of opened.entries()) {
    t.is(again[at], one.made, one.html);
    t.is(after[at], before[at], JSON.stringify(one));
  }
  return opened.length / all.length;
}

test.long('a note that opens is written with the same text, structure and formats, accepted, and the same the next time', async (t) => {
  const share = await check(t, fc.sample(document, 2_000).filter(isAccepted));
  t.true(share > 0.8, `${share} of the notes open`);
  await check(t, fc.sample(soup(allowed), 20_000).filter(isAccepted));
});

test('a note that the editor would change does not open', async (t) => {
  const all = [
    '<h1>a<ul><li>b</li></ul></h1>',
    '<ul>a<li>b</li></ul>',
    '<ul><li>a</li><ul><li>b</li></ul></ul>',
    '<table><tr><td colspan="0">a</td></tr></table>',
    `<table><tr><td colspan="999">a</td></tr>${'<tr><td>b</td></tr>'.repeat(10)}</table>`,
  ];
  for (const html of all) t.true(isAccepted(html), html);
  // Of encrypted notes the server sees no HTML.
  const unchecked = ['<div>a</div>', '<p>a<img src="x" onerror="x()"></p>', '<a href="javascript:x()">a</a>'];
  t.deepEqual(await call(t, 'pass', [...all, ...unchecked]), Array(8).fill(null));
});

test('everyday notes open, and are written as people and agents write them', async (t) => {
  const unchanged = [
    '',
    '<h1>Plan</h1><p>see <a href="https://example.org/a">there</a></p>',
    '<p>One</p><p><br></p><p>Two</p>',
    '<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>',
    '<ul><li><p>a</p><p>b</p></li><li><h3>c</h3><p>d</p></li></ul>',
    '<p><b>s</b><i>e</i> <u>u</u> <s>s</s> <code>c</code></p>',
    '<table><thead><tr><th>h</th></tr></thead><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
    '<table><tbody><tr><td>a<ul><li>b</li></ul></td><td></td></tr></tbody></table>',
    '<pre>\n\nif (a &lt; b)\n  <b>x</b></pre>',
    '<blockquote><p>said</p><p>more</p></blockquote><hr>',
    '<p>a&amp;b \u00a0 c<br><br></p>',
  ];
  t.deepEqual(await call(t, 'pass', unchanged), unchanged);
  const changed: Record<string, string> = {
    'First line &amp; more\nhas &lt;b&gt; in it': '<p>First line &amp; more<br>has &lt;b&gt; in it</p>',
    '<h1>T</h1>\n<ul>\n  <li>a</li>\n  <li>b\n</ul>\n': '<h1>T</h1><ul><li>a</li><li>b</li></ul>',
    'one<ul></ul><i><ol></ol>two</i><ul></ul><p>three</p>': '<p>one<i><br>two</i></p><p>three</p>',
    '<b><p>one</p><p>two</p></b>': '<p><b>one</b></p><p><b>two</b></p>',
    '<p><strong>s</strong><em>e</em></p><p></p><p><br></p>': '<p><b>s</b><i>e</i></p>',
    '<pre><code>a\nb\n</code></pre>': '<pre>a\nb\n</pre>',
    '<table><tr><td>x</table>': '<table><tbody><tr><td>x</td></tr></tbody></table>',
  };
  t.deepEqual(await call(t, 'pass', Object.keys(changed)), Object.values(changed));
});

const kinds = ['strong', 'em', 'underline', 'strike', 'code'] as const;
const typed = fc.tuple(
  fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), fc.constantFrom(' ', '  ', ' a', 'a ', '\0a', '<b>')),
  fc.subarray([...kinds], { maxLength: 3 }),
  fc.boolean(),
);
const words = fc.array(fc.option(typed), { maxLength: 5 }).map((all) =>
  all.map((one) => {
    if (!one) return schema.node('hard_break');
    const [data, names, isLinked] = one;
    const link = isLinked ? [schema.mark('link', { href: 'https://a.example/?"<&' })] : [];
    return schema.text(
      data,
      [...link, ...names.map((name) => schema.mark(name))].reduce((set, mark) => mark.addToSet(set), Mark.none),
    );
  }),
);
const filled = fc.oneof(
  words.map((inside) => schema.node('paragraph', null, inside)),
  fc.tuple(fc.integer({ min: 1, max: 4 }), words).map(([level, inside]) => schema.node('heading', { level }, inside)),
  fc.string({ minLength: 1 }).map((code) => schema.node('code_block', null, schema.text(code))),
  fc.constant(schema.node('horizontal_rule')),
);
const within = (name: string, inside: Node[], attributes = {}) => schema.node(name, attributes, inside);
const surrounded: ((inside: Node[]) => Node)[] = [
  (inside) => within('blockquote', inside),
  (inside) => within('bullet_list', [within('list_item', inside)]),
  (inside) => within('ordered_list', [within('list_item', inside), within('list_item', inside)]),
  (inside) => within('table', [within('table_row', [within('table_cell', inside)], { head: false })]),
  (inside) => within('table', [within('table_row', [within('table_header', inside)], { head: true })]),
];
const blocks = fc
  .tuple(fc.array(filled, { minLength: 1, maxLength: 3 }), fc.array(fc.constantFrom(...surrounded), { maxLength: 3 }))
  .map(([inside, around]) => around.reduce((all, surround) => [surround(all)], inside));

test.long('every document of the editor is written as accepted HTML, which opens again', async (t) => {
  const written = fc.sample(blocks, 2_000).map((all) => write(schema.node('doc', null, all)));
  for (const html of written) t.notThrows(() => checkNoteHtml(html), html);
  const again = await call<string | null>(t, 'pass', written);
  for (const [at, html] of written.entries()) t.is(again[at], html);
});

const pastedTags = `${allowed} div span h5 h6 a dl dt dd section figure font sub input form`;
const attributes = [
  '',
  ' style="font-weight: 700"',
  ' style="font-style:italic;position:fixed"',
  ' href="https://a.example"',
  ' href="javascript:x()"',
  ' onclick="x()" class="c"',
  ' colspan="3"',
];
const letters = (html: string): string[] => [...String(html).replace(/\s/g, '')].sort();
const textIn = (node: Dom.ParentNode): string =>
  node.childNodes.map((child) => (dom.isTextNode(child) ? child.value : dom.isElementNode(child) ? textIn(child) : '')).join('');

test.long('pasted HTML becomes accepted HTML with all of its text', async (t) => {
  const all = fc.sample(soup(pastedTags, attributes), 4_000);
  const made = await call<string>(t, 'pasted', all);
  for (const [at, html] of made.entries()) {
    const about = JSON.stringify([all[at], html]);
    t.notThrows(() => checkNoteHtml(html), about);
    t.deepEqual(letters(textIn(parseFragment(html))), letters(textIn(parseFragment(all[at]!))), about);
  }
});

test('hostile HTML is pasted and shown as harmless HTML', async (t) => {
  const deep = `${'<ul><li><blockquote><b><table><tr><td>'.repeat(40)}at the bottom`;
  const all = [...scripts, ...parserDifferences, ...repairs, ...links.map((href) => `<a href="${href}">x</a>`), deep];
  for (const html of await call<string>(t, 'pasted', all)) t.notThrows(() => checkNoteHtml(html), html);
  const harmless =
    /^<(?:\/?(?:p|br|hr|div|h[1-4]|ul|ol|li|blockquote|pre|code|b|i|u|s|a|table|tbody|tr|td|th)|a href="(?:https?:|mailto:)[^"]*"|td(?: (?:col|row)span="\d+")*)>$/;
  for (const html of await call<string>(t, 'display', all)) for (const [tag] of html.matchAll(/<[^>]*>/g)) t.regex(tag, harmless, html);
  const page = await browser.shared(t);
  t.is(await page.evaluate('document.querySelectorAll("script, img, iframe").length'), 1, 'only the script of this test');
});

test('what Word, Google Docs and web pages paste keeps its lists, formats and links', async (t) => {
  const becomes: Record<string, string> = {
    '<p><strong>s</strong><em>e</em><span style="font-weight:700">w</span></p>': '<p><b>s</b><i>e</i><b>w</b></p>',
    '<b style="font-weight:normal"><p>from a document</p></b>': '<p>from a document</p>',
    '<p><span style="font-weight:700;font-style:italic;text-decoration:underline">w</span><span style="text-decoration:line-through">s</span></p>':
      '<p><b><i><u>w</u></i></b><s>s</s></p>',
    [`<p style='mso-list:l0 level1 lfo1'><span><span style='mso-list:Ignore'>·  </span></span>one</p>
<p style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.</span>in it</p><p style='mso-list:l0 level1 lfo1'>two</p><p>after</p>`]:
      '<ul><li>one<ol><li>in it</li></ol></li><li>two</li></ul><p>after</p>',
    '<div>One</div><div>Two <sub>low</sub></div>': '<p>One</p><p>Two low</p>',
    '<h5>Small</h5><a href="javascript:x()">x</a> <a href="https://a.example" onclick="x()">y</a><img src=x onerror=y><script>z</script>':
      '<h4>Small</h4><p>x <a href="https://a.example">y</a></p>',
    '<ul><li>a</li><ul><li>b</li></ul></ul>': '<ul><li>a<ul><li>b</li></ul></li></ul>',
    '<table style="x"><tr><td colspan="2" style="x">x</td></tr></table>': '<table><tbody><tr><td colspan="2">x</td></tr></tbody></table>',
  };
  t.deepEqual(await call(t, 'pasted', Object.keys(becomes)), Object.values(becomes));
});
