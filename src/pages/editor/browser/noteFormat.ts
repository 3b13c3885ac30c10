/** The HTML of notes for the editor. A note opens only if what the editor would write means the same (behaviour §29.2). */
import { DOMSerializer, type Node as Doc, DOMParser as DocumentParser } from 'prosemirror-model';
import { TableMap } from 'prosemirror-tables';
import { isAbsoluteLink } from '../../../personal-notes/html/links.ts';
import type { Format, Opened } from '../format.ts';
import { schema, write } from '../noteHtml.ts';
import { withoutStyle } from './paste.ts';

const blocks = new Set('BODY P H1 H2 H3 H4 UL OL LI BLOCKQUOTE PRE TABLE THEAD TBODY TR TD TH HR'.split(' '));
const formats: Record<string, string> = { STRONG: 'B', B: 'B', EM: 'I', I: 'I', U: 'U', S: 'S', CODE: 'CODE', A: 'A' };
/** Elements that show nothing if they are empty. */
const invisible = /^(?:P|H[1-4]|UL|OL|BLOCKQUOTE|PRE|TABLE|THEAD|TBODY|TR|STRONG|B|EM|I|U|S|CODE|A)$/;
/** Larger tables make each key slow. */
const MOST_CELLS = 5_000;

/** An inert document in standards mode, as pages are. */
const bodyOf = (html: string): HTMLElement =>
  new DOMParser().parseFromString(`<!doctype html><body>${withoutStyle(html)}`, 'text/html').body;

/** Text outside elements keeps its line breaks. */
function breakLines(body: HTMLElement): void {
  for (const text of [...body.childNodes]) {
    if (!(text instanceof Text) || text.data.trim() === '') continue;
    text.replaceWith(...text.data.split('\n').flatMap((line, at) => (at === 0 ? [line] : [document.createElement('br'), line])));
  }
}

/** Removes invisible parts: spaces at the ends of lines and after other spaces, and the last line break of a block. */
class Line {
  #last: Text | null = null;
  #lastBreak: Element | null = null;
  #parts = 0;

  text(node: Text): void {
    const data = node.data.replace(/[ \t\n\r\f]+/g, ' ');
    node.data = !this.#last || this.#last.data.endsWith(' ') ? data.replace(/^ /, '') : data;
    if (node.data === '') node.remove();
    else {
      this.#last = node;
      this.#lastBreak = null;
      this.#parts++;
    }
  }

  lineBreak(node: Element): void {
    this.#trim();
    this.#lastBreak = node;
    this.#parts++;
  }

  get isBegun(): boolean {
    return this.#parts > 0;
  }

  /** The line continues below `separator`, which stands for an empty block. */
  continueBelow(separator: Element): void {
    this.#lastBreak = separator;
    this.#parts = 2;
  }

  end(): void {
    this.#trim();
    const { parentElement } = this.#lastBreak ?? {};
    const isParagraph = Boolean(parentElement?.closest('p, h1, h2, h3, h4'));
    // The empty text keeps the element of an empty line.
    if (this.#parts === 1 && !isParagraph) this.#lastBreak?.replaceWith(paragraph());
    else this.#lastBreak?.replaceWith('');
    this.#lastBreak = null;
    this.#parts = 0;
  }

  #trim(): void {
    if (this.#last) this.#last.data = this.#last.data.replace(/ $/, '');
    this.#last = null;
  }
}

function paragraph(): HTMLElement {
  const made = document.createElement('p');
  made.append('');
  return made;
}

function separatorFor(block: Element): Element {
  const separator = document.createElement('br');
  block.replaceWith(separator);
  return separator;
}

/** Also removes empty elements. One that separates two lines becomes a break. */
function tidy(node: ChildNode, line: Line, inPre = false): void {
  if (node instanceof Text) {
    if (!inPre) line.text(node);
  } else if (!(node instanceof Element)) node.remove();
  else if (node.localName === 'br') {
    if (inPre) node.replaceWith('\n');
    else line.lineBreak(node);
  } else {
    const isBlock = blocks.has(node.nodeName);
    const follows = isBlock && line.isBegun;
    if (isBlock) line.end();
    for (const child of [...node.childNodes]) tidy(child, line, inPre || node.localName === 'pre');
    if (isBlock) line.end();
    if (node.hasChildNodes() || !invisible.test(node.nodeName)) return;
    if (follows) line.continueBelow(separatorFor(node));
    else node.remove();
  }
}

function tidied(html: string): HTMLElement {
  const body = bodyOf(html);
  breakLines(body);
  tidy(body, new Line());
  return body;
}

/** True for an empty line that is not the only content of a list item or cell: such an item or cell has a line anyway. */
const isEmptyLine = (node: Element): boolean =>
  !node.textContent &&
  !node.querySelector('br') &&
  !(node.parentElement?.matches('li, td, th') && node.parentNode?.childNodes.length === 1);

const spanOf = (cell: Element, name: string): number => Number(cell.getAttribute(name) ?? 1);

/** A tidied body as text: its blocks, and the text and formats of each line. Equal for HTML that looks the same. */
class Meaning {
  readonly #parts: string[] = [];
  #line: [formats: string, text: string][] = [];

  constructor(body: Element) {
    this.#inside(body, {}, false);
    this.#end();
    // Empty lines at the end of a note are not written.
    while (this.#parts.at(-1) === '[]') this.#parts.pop();
  }

  toString(): string {
    return this.#parts.join('\n');
  }

  #end(always = false): void {
    if (this.#line.length || always) this.#parts.push(JSON.stringify(this.#line));
    this.#line = [];
  }

  #add(text: string, formats: string): void {
    const last = this.#line.at(-1);
    if (last?.[0] === formats) last[1] += text;
    else if (text) this.#line.push([formats, text]);
  }

  #inside(element: Element, around: Record<string, string>, inPre: boolean): void {
    for (const child of element.childNodes) {
      if (child instanceof Text) this.#add(child.data, Object.values(around).sort().join(' '));
      else if (child instanceof Element) this.#element(child, around, inPre);
    }
  }

  #element(element: Element, around: Record<string, string>, inPre: boolean): void {
    const { nodeName: name } = element;
    const format = formats[name];
    if (name === 'BR') this.#add('\n', '');
    else if (format) {
      const added = name === 'A' ? { A: `A ${element.getAttribute('href')}` } : inPre && name === 'CODE' ? {} : { [format]: format };
      this.#inside(element, { ...around, ...added }, inPre);
    } else if (/^(?:P|THEAD|TBODY)$/.test(name)) {
      this.#end();
      this.#inside(element, around, inPre);
      this.#end(name === 'P' && isEmptyLine(element));
    } else {
      this.#end();
      const isHead = name === 'TR' && element.parentElement?.localName === 'thead';
      const spans = name === 'TD' ? [spanOf(element, 'colspan'), spanOf(element, 'rowspan')] : [];
      this.#parts.push(`<${name} ${isHead} ${spans}`);
      this.#inside(element, around, inPre || name === 'PRE');
      this.#end();
      this.#parts.push('>');
    }
  }
}

const meaning = (body: Element): string => new Meaning(body).toString();
const parser = DocumentParser.fromSchema(schema);
const parse = (body: Element): Doc => parser.parse(body, { preserveWhitespace: 'full' });

function hasLargeTable(doc: Doc): boolean {
  let found = false;
  doc.descendants((node) => {
    if (node.type.name !== 'table') return;
    const { width, height } = TableMap.get(node);
    found ||= width * height > MOST_CELLS;
  });
  return found;
}

function open(html: string): Opened | null {
  const body = tidied(html);
  const wanted = meaning(body);
  const doc = parse(body);
  if (meaning(tidied(write(doc))) !== wanted || hasLargeTable(doc)) return null;
  return { doc, write: (now) => (now.eq(doc) ? html : write(now)) };
}

export const noteFormat: Format = { schema, open, blocksOf: () => null, isLink: isAbsoluteLink, linksAddresses: true };

/** As much of a note as the editor can show. Safe: the schema has no other elements. */
export const shownNote = (html: string): DocumentFragment | HTMLElement =>
  DOMSerializer.fromSchema(schema).serializeFragment(parse(tidied(html)).content);
