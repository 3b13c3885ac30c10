/** Tracks the open elements of a note. Optional end tags may be missing; all else that a browser would repair is refused. So a note can't
 *  affect the page around it, and the parser needs no slow repairs. */
import { InvalidRequest } from '../../values/errors.ts';

/** No editor nests deeper. The parser's work per tag grows with the depth. */
const maxDepth = 64;

export const voidElements = new Set(['br', 'hr']);
const optionalEnd = new Set(['p', 'li', 'td', 'th', 'tr', 'thead', 'tbody']);
const inline = new Set(['code', 'strong', 'em', 'b', 'i', 'u', 's', 'a']);

const blocks = ['p', 'hr', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'blockquote', 'pre', 'table'];
const cell = ['p', 'li', 'td', 'th'];
const ends = new Map<string, readonly string[]>([
  ...blocks.map((tag) => [tag, ['p']] as const),
  ['li', ['p', 'li']],
  ['td', cell],
  ['th', cell],
  ['tr', [...cell, 'tr']],
  ['thead', [...cell, 'tr', 'thead', 'tbody']],
  ['tbody', [...cell, 'tr', 'thead', 'tbody']],
]);

/** For these start tags a browser would close this element together with formatting elements inside it. */
const notAround = new Map([...blocks.map((tag) => [tag, 'p'] as const), ['li', 'p'], ['a', 'a']]);
const rows = ['table', 'thead', 'tbody', 'tr'];
/** Allowed parents of table parts. Browsers add a missing tbody or tr. */
const homes = new Map<string, readonly string[]>([
  ['thead', ['table']],
  ['tbody', ['table']],
  ['tr', ['table', 'thead', 'tbody']],
  ['td', rows],
  ['th', rows],
]);

function refuse(what: string): never {
  throw new InvalidRequest([], `Correct the nesting in html: ${what}.`);
}

export class Nesting {
  readonly #open: string[] = [];
  readonly #closed: (tag: string) => void;

  /** Calls `closed` for every closed element, even without an end tag. */
  constructor(closed: (tag: string) => void) {
    this.#closed = closed;
  }

  get depth(): number {
    return this.#open.length;
  }

  isIn(tag: string): boolean {
    return this.#open.includes(tag);
  }

  /** Throws InvalidRequest if a browser would build another tree than the tags say. */
  start(tag: string): void {
    const ended = ends.get(tag);
    while (ended?.includes(this.#top)) this.#pop();
    this.#checkPlace(tag);
    if (voidElements.has(tag)) return;
    this.#open.push(tag);
    if (this.depth > maxDepth) refuse(`nest elements at most ${maxDepth} deep`);
  }

  end(tag: string): void {
    // Only its own end tag closes a formatting element, and nothing inside may still be open.
    while (!inline.has(tag) && this.#top !== tag && optionalEnd.has(this.#top) && this.#open.includes(tag)) this.#pop();
    if (this.#top !== tag)
      refuse(this.#open.includes(tag) ? `close <${this.#top}> before </${tag}>` : `remove </${tag}>, which has no start tag`);
    this.#pop();
  }

  text(): void {
    if (rows.includes(this.#top)) refuse(`text in <${this.#top}> must be inside <td> or <th>`);
  }

  finish(): void {
    while (optionalEnd.has(this.#top)) this.#pop();
    if (this.#top) refuse(`close <${this.#top}>`);
  }

  get #top(): string {
    return this.#open.at(-1) ?? '';
  }

  #pop(): void {
    const tag = this.#open.pop();
    if (tag !== undefined) this.#closed(tag);
  }

  #checkPlace(tag: string): void {
    const home = homes.get(tag);
    if (home ? !home.includes(this.#top) : rows.includes(this.#top)) {
      refuse(home ? `<${tag}> must be inside <table>` : `<${tag}> must not be directly in <${this.#top}>`);
    }
    const inCell = this.#open.slice(this.#open.findLastIndex((around) => around === 'td' || around === 'th') + 1);
    const around = notAround.get(tag);
    if (around && inCell.includes(around)) refuse(`<${tag}> must not be inside <${around}>`);
    if (tag === 'li') this.#checkItem();
  }

  /** An li closes the previous li, even through open formatting elements. */
  #checkItem(): void {
    const around = this.#open.findLast((tag) => !inline.has(tag));
    if (around === 'li') refuse('close the formatting inside <li> before the next <li>');
  }
}
