/** HTML from template literals: whatever is put in is escaped, unless it is Html itself. */

/** V8 makes a string of more than 128 KB outside of its heap's usual pages, which costs ten times its bytes: what is long stays in pieces. */
const LONG = 16_000;

export class Html {
  /** Its text, or the beginning of it, which `rest` goes on with piece by piece. */
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

/** Most texts have nothing to escape: looking costs a third of replacing. */
export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(allSpecial, (character) => escapes[character]!) : text;
}

/** What `html` makes of what is put in. */
export function render(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (content instanceof Html) return content.rest === null ? content.first : content.text;
  if (typeof content === 'number') return String(content);
  if (Array.isArray(content)) {
    let text = '';
    for (const one of content) text += render(one);
    return text;
  }
  // So that `condition && html` and absent values show nothing.
  if (content === null || content === undefined || typeof content === 'boolean') return '';
  return escapeHtml(String(content));
}

/** What is put together: pieces that are done, and the one that goes on. */
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
