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
