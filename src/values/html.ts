/** HTML from template literals. Escapes every value except Html. */

/** V8 stores strings above 128 KB outside its usual heap pages, at ten times their size. So long text stays in pieces. */
const LONG = 16_000;

export class Html {
  /** The whole text, or its beginning if `rest` has further pieces. */
  readonly first: string;
  readonly rest: readonly string[] | null;
  constructor(first: string, rest: readonly string[] | null = null) {
    this.first = first;
    this.rest = rest;
  }

  get text(): string {
    return this.rest === null ? this.first : this.first + this.rest.join('');
  }
}

export type Content = Html | string | number | boolean | null | undefined | readonly Content[];

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const special = /[&<>"']/;
const allSpecial = /[&<>"']/g;

/** Tests first, because most texts need no escaping and a test costs a third of replacing. */
export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
}

export function render(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (content instanceof Html) return content.rest === null ? content.first : content.text;
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

class Made {
  text: string;
  done: string[] | null;
  constructor(text: string, done: string[] | null) {
    this.text = text;
    this.done = done;
  }

  add(content: Content) {
    if (Array.isArray(content)) for (const one of content) this.add(one);
    else if (content instanceof Html) {
      this.text += content.first;
      for (const piece of content.rest ?? []) {
        this.cut();
        this.text = piece;
      }
    } else this.text += render(content);
    if (this.text.length > LONG) this.cut();
  }

  cut() {
    this.done ??= [];
    this.done.push(this.text);
    this.text = '';
  }
}

export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  let text = parts[0]!;
  let done: string[] | null = null;
  for (let i = 0; i < contents.length; i++) {
    const content = contents[i];
    if (Array.isArray(content) || (content instanceof Html && (content.rest !== null || content.first.length > LONG))) {
      const made = new Made(text, done);
      made.add(content);
      text = made.text;
      done = made.done;
    } else text += render(content);
    text += parts[i + 1];
    if (text.length > LONG) {
      done ??= [];
      done.push(text);
      text = '';
    }
  }
  return done === null ? new Html(text) : new Html(done[0]!, [...done.slice(1), text]);
}
