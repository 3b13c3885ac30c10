/** The HTML of notes as a ProseMirror document, and back to HTML that §11.6 allows. Runs without a DOM. */
import { schema as base } from 'prosemirror-markdown';
import { type Mark, type Node, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import { isAbsoluteLink } from '../../personal-notes/html/links.ts';
import type { MarkName, NodeName } from './format.ts';

const { table, table_row, table_cell, table_header } = tableNodes({ tableGroup: 'block', cellContent: 'block+', cellAttributes: {} });
const list = (tag: 'ul' | 'ol') => ({ group: 'block', content: 'list_item+', parseDOM: [{ tag }], toDOM: () => [tag, 0] as const });
const levels = [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level: Math.min(level, 4) } }));

const nodes = base.spec.nodes
  .remove('image')
  .update('heading', { ...base.spec.nodes.get('heading'), content: 'inline*', parseDOM: levels })
  .update('code_block', {
    ...{ group: 'block', content: 'text*', marks: 'link strong em underline strike', code: true, defining: true },
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', 0],
  })
  .update('bullet_list', list('ul'))
  .update('ordered_list', list('ol'))
  .update('list_item', { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] })
  .update('hard_break', { ...base.spec.nodes.get('hard_break'), linebreakReplacement: true })
  .append({
    table,
    table_row: {
      ...table_row,
      attrs: { head: { default: false } },
      parseDOM: [{ tag: 'tr', getAttrs: (row) => ({ head: row.parentElement?.localName === 'thead' }) }],
    },
    table_cell,
    // Header cells have no attributes in notes.
    table_header: { ...table_header, parseDOM: [{ tag: 'th' }] },
  });

const of = (tag: string, ...others: string[]) => ({
  parseDOM: [tag, ...others].map((name) => ({ tag: name })),
  toDOM: () => [tag, 0] as const,
});

/** In the order in which their elements are nested. */
const marks = {
  link: {
    attrs: { href: {} },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs(link: { getAttribute(name: string): string | null }) {
          const href = link.getAttribute('href') ?? '';
          return isAbsoluteLink(href) && { href };
        },
      },
    ],
    toDOM: ({ attrs }: Mark) => ['a', { href: String(attrs.href) }, 0] as const,
  },
  strong: of('b', 'strong'),
  em: of('i', 'em'),
  underline: of('u', 'ins'),
  strike: of('s', 'del', 'strike'),
  code: { ...of('code', 'tt', 'kbd', 'samp', 'var'), code: true },
};

export const schema = new Schema<NodeName, MarkName | 'underline'>({ nodes, marks });

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[&<>"]/g, (sign) => signs[sign] ?? '');

const tags: Record<string, string> = { link: 'a', strong: 'b', em: 'i', underline: 'u', strike: 's', code: 'code' };
const tagOf = ({ type }: Mark): string => tags[type.name] ?? 'span';
const start = (mark: Mark): string => (mark.type.name === 'link' ? `<a href="${escaped(String(mark.attrs.href))}">` : `<${tagOf(mark)}>`);

/** Browsers drop spaces at the ends of a line and after other spaces, but not non-breaking ones. */
const spaced = (text: string, before: string, after: string): string =>
  text.replace(/[ \t\n\r\f]/g, (_sign, at: number) =>
    /[ \t\n\r\f]/.test(text[at - 1] ?? before) || (text[at + 1] ?? after) === '\n' ? '\u00a0' : ' ',
  );

function inline(block: Node): string {
  const textAt = (at: number) => block.maybeChild(at)?.text ?? '\n';
  const open: Mark[] = [];
  let out = '';
  block.forEach((node, _offset, at) => {
    const differs = open.findIndex((mark, place) => !node.marks[place]?.eq(mark));
    for (const mark of open.splice(differs < 0 ? open.length : differs).reverse()) out += `</${tagOf(mark)}>`;
    const added = node.marks.slice(open.length);
    out += added.map(start).join('');
    open.push(...added);
    if (!node.text) out += '<br>';
    else out += escaped(block.type.spec.code ? node.text : spaced(node.text, textAt(at - 1).slice(-1), textAt(at + 1).charAt(0)));
  });
  return (
    out +
    open
      .reverse()
      .map((mark) => `</${tagOf(mark)}>`)
      .join('')
  );
}

/** Browsers show an empty line only if it has a line break, and a line break at the end only if another follows. */
const line = (block: Node): string => inline(block) + (!block.lastChild || block.lastChild.type.name === 'hard_break' ? '<br>' : '');

/** The content of a list item or cell. Its first paragraph needs no tags unless another follows. */
function inside(item: Node): string {
  const [first, ...rest] = item.children;
  if (first?.type.name !== 'paragraph' || rest[0]?.type.name === 'paragraph') return item.children.map(block).join('');
  return (item.childCount === 1 && first.childCount === 0 ? '' : line(first)) + rest.map(block).join('');
}

const span = (name: string, cell: Node): string =>
  cell.attrs[name] > 1 && cell.type.name === 'table_cell' ? ` ${name}="${cell.attrs[name]}"` : '';

const row = (cells: Node): string =>
  `<tr>${cells.children
    .map((cell) => {
      const tag = cell.type.name === 'table_header' ? 'th' : 'td';
      return `<${tag}${span('colspan', cell)}${span('rowspan', cell)}>${inside(cell)}</${tag}>`;
    })
    .join('')}</tr>`;

const rows = (of: Node): string =>
  `<table>${of.children
    .map((one, at) => {
      const tag = one.attrs.head ? 'thead' : 'tbody';
      const [before, after] = [of.maybeChild(at - 1), of.maybeChild(at + 1)].map((other) => other?.attrs.head === one.attrs.head);
      return `${before ? '' : `<${tag}>`}${row(one)}${after ? '' : `</${tag}>`}`;
    })
    .join('')}</table>`;

function block(node: Node): string {
  const items = (tag: string) => `<${tag}>${node.children.map((item) => `<li>${inside(item)}</li>`).join('')}</${tag}>`;
  switch (node.type.name) {
    case 'heading':
      return `<h${node.attrs.level}>${line(node)}</h${node.attrs.level}>`;
    case 'code_block': {
      const text = inline(node);
      // HTML drops a line feed right after <pre>.
      return `<pre>${text.startsWith('\n') ? '\n' : ''}${text}</pre>`;
    }
    case 'bullet_list':
      return items('ul');
    case 'ordered_list':
      return items('ol');
    case 'blockquote':
      return `<blockquote>${node.children.map(block).join('')}</blockquote>`;
    case 'horizontal_rule':
      return '<hr>';
    case 'table':
      return rows(node);
    default:
      return `<p>${line(node)}</p>`;
  }
}

/** HTML that notes allow, without empty paragraphs at the end. */
export const write = (doc: Node): string =>
  doc.children
    .map(block)
    .join('')
    .replace(/(?:<p><br><\/p>)+$/, '');
