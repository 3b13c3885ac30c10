/** Pasted content: web pages and Word as HTML, Markdown as text. The schema drops everything else. */
import { type Node, Slice } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import type { Format } from '../format.ts';
import { schemaOf } from './commands.ts';
import { address } from './typing.ts';

/** More cells than this make each key slow: they are pasted as text. */
const MOST_CELLS = 1_000;
const MOST_CHARACTERS = 200_000;
/** Notes allow 64 levels; formats and parts of tables add some. */
const MOST_LEVELS = 40;

/** The CSP reports inline styles even in an inert document, so they are renamed before the text is parsed. */
export const withoutStyle = (html: string): string =>
  html.replace(/<style\b[\s\S]*?(<\/style>|$)/gi, '').replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));

function wrap(inner: Element, tag: string): void {
  const made = inner.ownerDocument.createElement(tag);
  made.append(...inner.childNodes);
  inner.append(made);
}

/** Google Docs and Word mark bold and italic by style. Google Docs wraps everything in a `<b>` with normal weight. */
function marksOfStyles(body: HTMLElement): void {
  for (const bold of body.querySelectorAll('b[data-style*="font-weight:normal"]')) bold.replaceWith(...bold.childNodes);
  for (const span of body.querySelectorAll('span[data-style]')) {
    const style = span.getAttribute('data-style') ?? '';
    if (/font-weight:\s*(bold|[6-9]00)/i.test(style)) wrap(span, 'strong');
    if (/font-style:\s*italic/i.test(style)) wrap(span, 'em');
    if (/line-through/i.test(style)) wrap(span, 's');
    if (/text-decoration(-line)?:[^;]*underline/i.test(style) && !span.closest('a')) wrap(span, 'u');
  }
}

/** Word writes list items as paragraphs, with the bullet as text and the level in a style. */
function listsOfWord(body: HTMLElement): void {
  let open: { level: number; list: Element }[] = [];
  let before: Element | null = null;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p[class^="MsoList"], p[data-style*="mso-list"]')) {
    const level = Number(/mso-list:\s*l\d+\s+level(\d)/i.exec(paragraph.getAttribute('data-style') ?? '')?.[1] ?? 1);
    const sign = paragraph.querySelector('[data-style*="mso-list" i]') ?? paragraph.firstElementChild;
    const isNumbered = /^\s*\w{1,3}[.)]/.test(sign?.textContent ?? '');
    if (/^\s*(\w{1,3}[.)]|\S)\s*$/.test(sign?.textContent ?? '')) sign?.remove();
    if (!before || paragraph.previousElementSibling !== before) open = [];
    while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const tag = isNumbered ? 'ol' : 'ul';
    let last = open.at(-1);
    if (!last || last.level < level || (open.length === 1 && last.list.localName !== tag)) {
      const list = paragraph.ownerDocument.createElement(tag);
      const item = last && last.level < level ? last.list.lastElementChild : null;
      if (item) item.append(list);
      else paragraph.before(list);
      if (!item) open = [];
      last = { level, list };
      open.push(last);
    }
    const item = paragraph.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    last.list.append(item);
    before = open[0]?.list ?? null;
    paragraph.remove();
  }
}

function textOnly(body: HTMLElement, html: string): string {
  const paragraph = document.createElement('p');
  paragraph.textContent = (body.innerText || body.textContent || html).slice(0, MOST_CHARACTERS);
  return paragraph.outerHTML;
}

/** An inert document: nothing in it loads or runs. */
export function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutStyle(html), 'text/html');
  for (const unwanted of body.querySelectorAll('script, style, template, iframe, object, embed, svg, math, noscript, form, o\\:p')) {
    if (unwanted.localName === 'form' || unwanted.localName === 'o:p') unwanted.replaceWith(...unwanted.childNodes);
    else unwanted.remove();
  }
  const isDeep = body.querySelector(`:scope${' > *'.repeat(MOST_LEVELS)}`) !== null;
  const isLarge = body.querySelectorAll('td, th').length > MOST_CELLS || body.innerHTML.length > 10 * MOST_CHARACTERS;
  if (isDeep || isLarge) return textOnly(body, html);
  listsOfWord(body);
  marksOfStyles(body);
  // GitHub and others show a checklist as a list with inputs.
  for (const box of body.querySelectorAll<HTMLInputElement>('li input[type="checkbox"]')) {
    box.closest('li')?.setAttribute('data-checked', String(box.hasAttribute('checked')));
    box.remove();
  }
  for (const cell of body.querySelectorAll('td, th')) for (const line of cell.querySelectorAll('br')) line.replaceWith(' ');
  return body.innerHTML;
}

/** The text of a line, with its addresses as links if the format has them so. */
function words(line: string, { schema, isLink, linksAddresses }: Format): Node[] {
  const parts = linksAddresses ? line.split(/(?<=\s)|(?=\s)/) : [line];
  return parts.flatMap((part) => {
    const [found = '', href = ''] = address.exec(part) ?? [];
    if (!isLink(href) || !linksAddresses) return part ? [schema.text(part)] : [];
    const [before, after] = [part.slice(0, -found.length), found.slice(href.length)];
    const linked = schema.text(href, [schema.marks.link.create({ href })]);
    return [...(before ? [schema.text(before)] : []), linked, ...(after ? [schema.text(after)] : [])];
  });
}

/** Blocks if the format reads them from text; otherwise lines. `plain`: pasted with Shift. */
export function sliceOfText(text: string, isPlain: boolean, view: EditorView, format: Format): Slice {
  const { $from } = view.state.selection;
  const isLines = isPlain || $from.parent.type.spec.code || text.length > MOST_CHARACTERS;
  const blocks = isLines ? null : format.blocksOf(text.replaceAll('\r\n', '\n').trim());
  if (blocks) return Slice.maxOpen(blocks.content);
  const { schema } = format;
  const lines = text.slice(0, MOST_CHARACTERS).split(/(?:\r\n?|\n)+/);
  const paragraphs = lines.map((line) => schema.node('paragraph', null, words(line, format)));
  return Slice.maxOpen(schema.node('doc', null, paragraphs).content);
}

/** The first of several blocks joins the text at the caret only if it is a paragraph. */
export function keepFirstBlock(slice: Slice): Slice {
  const { content, openEnd } = slice;
  const joins = content.childCount < 2 || content.firstChild?.type.name === 'paragraph';
  return joins ? slice : new Slice(content, 0, openEnd);
}

/** Adds files to the item of the page, static/js/itemFiles.ts. */
export type Upload = (files: File[]) => Promise<{ fileId: number; type: string }[]>;

/** Word and web pages put a picture of their text next to the text. */
const hasText = (data: DataTransfer): boolean => Boolean(cleanText(data.getData('text/html')) || data.getData('text/plain').trim());
const cleanText = (html: string): string =>
  html ? (new DOMParser().parseFromString(withoutStyle(html), 'text/html').body.textContent ?? '').trim() : '';

/** Uploads pasted or dropped files and inserts them at the selection after the upload. Texts do not have their names (behaviour §35.11). */
export function takeFiles(view: EditorView, event: Event, data: DataTransfer | null, upload: Upload | undefined): boolean {
  const files = [...(data?.files ?? [])];
  if (!upload || !data || files.length === 0 || hasText(data)) return false;
  event.preventDefault();
  void upload(files).then((added) => {
    if (view.isDestroyed) return;
    const schema = schemaOf(view.state);
    for (const { fileId, type } of added) {
      const src = `/files/${fileId}`;
      const node =
        type.startsWith('image/') && schema.nodes.image
          ? schema.nodes.image.create({ src, alt: 'Image' })
          : schema.text(`File ${fileId}`, [schema.marks.link.create({ href: src })]);
      view.dispatch(view.state.tr.replaceSelectionWith(node, false).insertText(' ').scrollIntoView());
    }
    view.focus();
  });
  return true;
}
