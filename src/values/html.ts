/** HTML from template literals. Escapes every value except Html. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const special = /[&<>"']/;
const allSpecial = /[&<>"']/g;

/** Tests first, because most texts need no escaping and a test costs a third of replacing. */
export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character] ?? '') : text;
}

export function render(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (content instanceof Html) return content.text;
  if (typeof content === 'number') return String(content);
  if (Array.isArray(content)) {
    let text = '';
    for (const one of content) text += render(one);
    return text;
  }
  // So that `condition && html` and absent values render nothing.
  if (content === null || content === undefined || typeof content === 'boolean') return '';
  return escapeHtml(String(content));
}

export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  let text = parts[0] ?? '';
  for (let i = 0; i < contents.length; i++) text += render(contents[i]) + parts[i + 1];
  return new Html(text);
}
