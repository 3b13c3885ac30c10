/** Markdown as a ProseMirror document and back. Blocks that are not edited keep their source, byte by byte. Runs without a DOM. */
import type { Token } from 'markdown-it';
import { schema as base, MarkdownParser, MarkdownSerializer, type MarkdownSerializerState } from 'prosemirror-markdown';
import { type Node, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import { isOwnFile, isSafeAddress, markdownParser, taskOf } from '../frame/components/markdownSyntax.ts';
import type { Format, MarkName, NodeName } from './format.ts';

const listNode = (tag: 'ul' | 'ol', name: 'bullet_list' | 'ordered_list') => ({
  ...base.spec.nodes.get(name)!,
  attrs: { ...(tag === 'ol' && { order: { default: 1 } }), tight: { default: true } },
  parseDOM: [{ tag }],
});

const tables = tableNodes({
  tableGroup: 'block',
  cellContent: '(text | image)*',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: (cell) => /^(left|center|right)$/.exec(cell.style.textAlign)?.[0] ?? null,
      setDOMAttr: (value, attrs) => {
        if (value) attrs.class = `to-${value}`;
      },
    },
  },
});

const nodes = base.spec.nodes
  .update('bullet_list', listNode('ul', 'bullet_list'))
  .update('ordered_list', listNode('ol', 'ordered_list'))
  .update('list_item', {
    content: 'paragraph block*',
    defining: true,
    attrs: { checked: { default: null } },
    parseDOM: [{ tag: 'li', getAttrs: (dom) => ({ checked: checkedOf(dom.getAttribute('data-checked')) }) }],
    toDOM: ({ attrs }) => ['li', attrs.checked === null ? {} : { 'data-checked': String(attrs.checked) }, 0],
  })
  // Pictures of others are links on pages, too: loading one would tell its host who reads.
  .update('image', {
    ...base.spec.nodes.get('image')!,
    parseDOM: [{ tag: 'img[src]', getAttrs: (dom) => (isSafeAddress(addressIn(dom, 'src')) ? imageOf(dom) : false) }],
    toDOM: ({ attrs: { src, alt } }) =>
      isOwnFile(String(src))
        ? ['img', { src: own.path + src, alt: String(alt ?? '') }]
        : ['span', { class: 'picture' }, String(alt || 'Picture')],
  })
  .append(tables);

const checkedOf = (data: string | null): boolean | null => (data === null ? null : data === 'true');
interface Attributes {
  getAttribute(name: string): string | null;
}

/** Set in a browser: the context path, with and without the origin. */
export const own = { origin: '', path: '' };

/** An address in HTML. Of our files without origin and context path, as texts have them. */
function addressIn(dom: Attributes, name: 'src' | 'href'): string {
  const address = dom.getAttribute(name) ?? '';
  const rest = address.startsWith(own.origin) ? address.slice(own.origin.length) : address;
  const file = rest.startsWith(own.path) ? rest.slice(own.path.length) : rest;
  return isOwnFile(file) ? file : address;
}
const imageOf = (dom: Attributes) => ({ src: addressIn(dom, 'src'), alt: dom.getAttribute('alt') });

const marks = base.spec.marks
  .update('link', {
    ...base.spec.marks.get('link')!,
    parseDOM: [{ tag: 'a[href]', getAttrs: (dom) => isSafeAddress(addressIn(dom, 'href')) && { href: addressIn(dom, 'href') } }],
  })
  .addToEnd('strike', { parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }], toDOM: () => ['s'] });

export const schema = new Schema<NodeName | 'image', MarkName>({ nodes, marks });

const plain = markdownParser({ linkify: false });
const asShown = markdownParser({ linkify: true });

const alignOf = (token: Token) => ({ align: /left|center|right/.exec(String(token.attrGet('style') ?? ''))?.[0] ?? null });
/** A list is tight if its first paragraph is hidden. */
const isTight = (tokens: Token[], at: number): boolean => tokens.slice(at).find(({ type }) => type === 'paragraph_open')?.hidden ?? true;
const addressOf = (token: Token, name: 'href' | 'src') => ({ [name]: token.attrGet(name), title: token.attrGet('title') || null });

const parser = new MarkdownParser(schema, plain, {
  blockquote: { block: 'blockquote' },
  paragraph: { block: 'paragraph' },
  list_item: { block: 'list_item', getAttrs: (token) => ({ checked: taskOf(token)?.done ?? null }) },
  bullet_list: { block: 'bullet_list', getAttrs: (_token, tokens, at) => ({ tight: isTight(tokens, at) }) },
  ordered_list: {
    block: 'ordered_list',
    getAttrs: (token, tokens, at) => ({ order: Number(token.attrGet('start') ?? 1), tight: isTight(tokens, at) }),
  },
  heading: { block: 'heading', getAttrs: ({ tag }) => ({ level: Number(tag.slice(1)) }) },
  code_block: { block: 'code_block', noCloseToken: true },
  fence: { block: 'code_block', getAttrs: ({ info }) => ({ params: info }), noCloseToken: true },
  hr: { node: 'horizontal_rule' },
  table: { block: 'table' },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: 'table_row' },
  th: { block: 'table_header', getAttrs: alignOf },
  td: { block: 'table_cell', getAttrs: alignOf },
  image: { node: 'image', getAttrs: (token) => ({ ...addressOf(token, 'src'), alt: token.content || null }) },
  hardbreak: { node: 'hard_break' },
  softbreak: { node: 'hard_break' },
  em: { mark: 'em' },
  strong: { mark: 'strong' },
  s: { mark: 'strike' },
  link: { mark: 'link', getAttrs: (token) => addressOf(token, 'href') },
  code_inline: { mark: 'code', noCloseToken: true },
});

/** How text is protected from being read as syntax: as little as the block allows. */
type Escape = (text: string, startOfLine: boolean) => string;

const atStart = (text: string): string =>
  text
    .replace(/^[ \t]+/, '')
    .replace(/^[-+*>#=|]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
const needless: Escape = (text, startOfLine) => (startOfLine ? text.replace(/^[ \t]+/, '') : text);
const usual: Escape = (text, startOfLine) => {
  const inside = text.replace(/[\\`*~[\]]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|<(?=[a-z][a-z0-9+.-]+:|[^\s<>]+@)/gi, '\\$&');
  return startOfLine ? atStart(inside) : inside;
};
const all: Escape = (text, startOfLine) => (startOfLine ? text.replace(/^[ \t]+/, '') : text).replace(/[!-/:-@[-`{-~]/g, '\\$&');

const common = new MarkdownSerializer(
  { text: () => {} },
  {
    em: { open: '*', close: '*', mixable: true, expelEnclosingWhitespace: true },
    strong: { open: '**', close: '**', mixable: true, expelEnclosingWhitespace: true },
    strike: { open: '~~', close: '~~', mixable: true, expelEnclosingWhitespace: true },
  },
).marks;

const target = (href: string, title: string | null): string => {
  const address = /[\s()<>]/.test(href) ? `<${href.replace(/[<>]/g, encodeURIComponent)}>` : href;
  return `(${address}${title ? ` "${title.replace(/["\\]/g, '\\$&')}"` : ''})`;
};

const ticks = (node: Node): string => {
  const longest = Math.max(0, ...[...(node.text ?? '').matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(longest + 1);
};
const padding = (node: Node): string => (/^`|`$|^ .* $/.test(node.text ?? '') ? ' ' : '');

const marksInText: typeof common = {
  ...common,
  link: { open: '[', close: (_state, mark) => `]${target(mark.attrs.href, mark.attrs.title)}`, mixable: true },
  code: {
    open: (_state, _mark, parent, index) => ticks(parent.child(index)) + padding(parent.child(index)),
    close: (_state, _mark, parent, index) => padding(parent.child(index - 1)) + ticks(parent.child(index - 1)),
    escape: false,
  },
};

const ruleOf: Record<string, string> = { left: ':--', center: ':-:', right: '--:' };

function tableOf(table: Node, inline: (cell: Node) => string): string {
  const rows: string[][] = [];
  table.forEach((row) => {
    rows.push(Array.from({ length: row.childCount }, (_, at) => inline(row.child(at))));
  });
  const columns = Math.max(...rows.map((row) => row.length));
  const head = table.child(0);
  const rules = Array.from({ length: columns }, (_, at) => ruleOf[head.maybeChild(at)?.attrs.align] ?? '---');
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  const [first = [], ...rest] = rows.map((row) => line([...row, ...Array<string>(columns - row.length).fill('')]));
  return [first, line(rules), ...rest].join('\n');
}

function serializerOf(protect: Escape): MarkdownSerializer {
  const inline = (cell: Node): string =>
    serializer.serialize(schema.node('doc', null, schema.node('paragraph', null, cell.content))).replace(/\\?\|/g, '\\|');
  const serializer: MarkdownSerializer = new MarkdownSerializer(
    {
      blockquote: (state, node) => state.wrapBlock('> ', null, node, () => state.renderContent(node)),
      paragraph(state, node) {
        state.renderInline(node);
        state.closeBlock(node);
      },
      heading(state, node) {
        state.write(`${'#'.repeat(Number(node.attrs.level))} `);
        state.renderInline(node, false);
        state.closeBlock(node);
      },
      code_block(state, node) {
        const runs = [...node.textContent.matchAll(/`{3,}/g)].map(([run]) => run.length);
        const fence = '`'.repeat(Math.max(2, ...runs) + 1);
        state.write(`${fence}${node.attrs.params}\n`);
        state.text(node.textContent, false);
        state.write(node.textContent ? '\n' : '');
        state.write(fence);
        state.closeBlock(node);
      },
      horizontal_rule(state, node) {
        state.write('---');
        state.closeBlock(node);
      },
      bullet_list: (state, node) => state.renderList(node, '  ', () => '- '),
      ordered_list(state, node) {
        const from = Number(node.attrs.order);
        state.renderList(node, ' '.repeat(String(from + node.childCount - 1).length + 2), (at) => `${from + at}. `);
      },
      list_item(state, node) {
        if (node.attrs.checked !== null) state.write(node.attrs.checked ? '[x] ' : '[ ] ');
        state.renderContent(node);
      },
      table(state, node) {
        state.write(tableOf(node, inline));
        state.closeBlock(node);
      },
      image: (state, node) => state.write(`![${usual(String(node.attrs.alt ?? ''), false)}]${target(node.attrs.src, node.attrs.title)}`),
      hard_break(state, _node, parent, index) {
        const isLast = Array.from({ length: parent.childCount - index }, (_, at) => parent.child(index + at)).every(
          ({ type }) => type.name === 'hard_break',
        );
        if (!isLast) state.write('\n');
      },
      text(state: MarkdownSerializerState & { out?: string; atBlockStart?: boolean }, node) {
        state.text(protect(node.text ?? '', Boolean(state.atBlockStart) || /\n[> ]*$/.test(state.out ?? '')), false);
      },
    },
    marksInText,
  );
  return serializer;
}

const serializers = [needless, usual, all].map(serializerOf);

/** The parsed tokens as text, without positions and markup. Equal for texts with the same HTML. */
function meaning(text: string): string {
  const words = (token: Token): unknown => [
    token.type === 'softbreak' ? 'hardbreak' : token.type === 'code_block' ? 'fence' : token.type,
    token.tag,
    token.attrs?.filter(([name]) => name !== 'style' || token.type.startsWith('t')) ?? [],
    token.children ? '' : token.content.replace(/\n$/, ''),
    token.info,
    token.hidden,
    taskOf(token)?.done,
    token.children?.map(words),
  ];
  return JSON.stringify(asShown.parse(text, {}).map(words));
}

const squeezed = (node: Node): string => JSON.stringify(node.toJSON()).replace(/(\\t|\s)+/g, ' ');

function write(block: Node): string {
  const doc = schema.node('doc', null, [block]);
  const texts = serializers.map((serializer) => serializer.serialize(doc));
  return texts.find((text) => squeezed(parser.parse(text)) === squeezed(doc)) ?? texts[1]!;
}

/** Larger documents make each key slow. */
const MOST_BLOCKS = 5_000;

interface Parsed {
  doc: Node;
  /** Text before the first block, e.g. link definitions. */
  before: string;
  sources: Map<Node, Source>;
}

interface Source {
  /** Up to the next block. */
  text: string;
  /** Link definitions between this block and the next. */
  after: string;
}

/** Null if the editor would lose something: then the text is edited as text. */
export function read(text: string): Parsed | null {
  try {
    const places = plain
      .parse(text, { blocksLeft: MOST_BLOCKS })
      .flatMap(({ level, nesting, map }) => (level === 0 && nesting >= 0 && map ? [map] : []));
    const doc = parser.parse(text);
    doc.check();
    if (places.length === 0) return text.trim() === '' ? { doc, before: text, sources: new Map() } : null;
    if (doc.childCount !== places.length || text.includes('\r')) return null;
    const written = doc.children.map(write).join('\n\n');
    if (meaning(written) !== meaning(text)) return null;
    const lines = text.split(/(?<=\n)/);
    const sources = new Map(
      doc.children.map((block, at) => {
        const [[from, to], next] = [places[at]!, places[at + 1]?.[0]];
        return [block, { text: lines.slice(from, next).join(''), after: lines.slice(to, next).join('').trim() }];
      }),
    );
    return { doc, before: lines.slice(0, places[0]![0]).join(''), sources };
  } catch (error) {
    // Over budget, or a token or nesting that the schema has no place for.
    if (error instanceof Error) return null;
    throw error;
  }
}

const isBlank = ({ type, childCount }: Node): boolean => type.name === 'paragraph' && childCount === 0;

/** The text with one empty line after it. */
function apart(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return `${text.slice(0, end)}\n\n`;
}

/** The Markdown of a document. Blocks of `opened` that are still there keep their source. */
export function textOf(doc: Node, { doc: first, before, sources }: Parsed): string {
  if (doc.eq(first)) return before + [...sources.values()].map(({ text }) => text).join('');
  const blocks = doc.children.filter((block) => !isBlank(block));
  const fresh = blocks.map(write).join('\n\n');
  // The definitions after a block that is edited or gone stay at its place, else at the end.
  const loose = new Map(first.children.flatMap((block, at) => (blocks.includes(block) ? [] : [[at, sources.get(block)?.after ?? '']])));
  const pieces = blocks.map((block, at) => {
    const after = sources.has(block) ? '' : loose.get(at);
    if (after) loose.delete(at);
    return sources.get(block)?.text ?? (after ? `${write(block)}\n\n${after}` : write(block));
  });
  const all = [...pieces, ...[...loose.values()].filter((after) => after !== '')];
  const kept =
    before.trimStart() + all.map((piece, at) => (at === all.length - 1 || piece.endsWith('\n\n') ? piece : apart(piece))).join('');
  return meaning(kept) === meaning(fresh) ? kept : fresh;
}

export const markdownFormat: Format = {
  schema,
  open(text) {
    const parsed = read(text);
    return parsed && { doc: parsed.doc, write: (doc) => textOf(doc, parsed) };
  },
  blocksOf: (text) => read(text)?.doc ?? null,
  isLink: isSafeAddress,
  linksAddresses: false,
};
