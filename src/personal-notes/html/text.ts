import { type DefaultTreeAdapterTypes as Dom, defaultTreeAdapter as dom, html as names, parseFragment } from 'parse5';
import { firstCharacters, isVisible } from '../../values/text.ts';

const lineBreaking = new Set([
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'table',
  'thead',
  'tbody',
  'tr',
]);
const titleLength = 200;

export class NoteText {
  readonly #parts: string[] = [];

  tag(tag: string): void {
    if (lineBreaking.has(tag)) this.#parts.push('\n');
    else if (tag === 'td' || tag === 'th') this.#parts.push(' ');
  }

  /** `keepsLines`: line feeds are line breaks, as in <pre>; otherwise they are spaces. */
  add(text: string, keepsLines: boolean): void {
    this.#parts.push(keepsLines ? text : text.replaceAll('\n', ' '));
  }

  /** Lines without empty ones; several spaces become one. */
  lines(): string[] {
    const lines = this.#parts.join('').split('\n');
    return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter(isVisible);
  }
}

/** The first line, at most 200 characters; empty for a note without text. */
export function titleOf(lines: readonly string[]): string {
  return firstCharacters(lines[0] ?? '', titleLength).trimEnd();
}

// Converts an HTML tree to a string. Two trees have the same string only if elements, attributes and text are equal.

// The parser drops or replaces NUL, so a tree can't contain it.
export const closing = '\0>';

export function opening(tag: string, attrs: readonly { name: string; value: string }[]): string {
  let text = `\0<${tag}`;
  for (const { name, value } of attrs) text += `\0${name}=${value}`;
  return `${text}\0:`;
}

function isImplied(element: Dom.Element): boolean {
  return (element.tagName === 'tbody' || element.tagName === 'tr') && !element.sourceCodeLocation;
}

function shapeInto(shape: string[], node: Dom.ChildNode): void {
  if (dom.isTextNode(node)) shape.push(node.value);
  else if (dom.isElementNode(node)) {
    const implied = isImplied(node);
    if (!implied) shape.push(opening(node.tagName, node.attrs));
    for (const child of node.childNodes) shapeInto(shape, child);
    if (!implied) shape.push(closing);
  } else shape.push(`\0${node.nodeName}`);
}

/** The tree that a browser builds from `html` inside a <div>, without added tbody and tr. */
export function shapeOf(html: string): string {
  const div = dom.createElement('div', names.NS.HTML, []);
  const shape: string[] = [];
  // Only tables have added elements. Source positions take a third of the time.
  const sourceCodeLocationInfo = /<table/i.test(html);
  for (const node of parseFragment(div, html, { treeAdapter: dom, sourceCodeLocationInfo }).childNodes) shapeInto(shape, node);
  return shape.join('');
}
