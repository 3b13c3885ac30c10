/** Accepts or refuses a personal note's HTML; never changes it (behaviour §11.6, §11.8).
 *
 *  Every tag and attribute must be allowed, and no allowed element switches the tokenizer's mode, so all browsers read the same tokens. The
 *  HTML standard's parser then builds the tree, which must match the tags. */
import { ErrorCodes, type ParserError, type Token, type TokenHandler, Tokenizer } from 'parse5';
import { InvalidRequest } from '../../values/errors.ts';
import { unstorable } from '../../values/text.ts';
import { checkAttributes, checkElement } from './allowed.ts';
import { Nesting, voidElements } from './nesting.ts';
import { closing, NoteText, opening, shapeOf, titleOf } from './text.ts';

const maxBytes = 128 * 1024;
/** Limits CPU time: this many elements or words take up to 25 ms. */
const maxElements = 5_000;
const maxWords = 30_000;

/** Parse errors that drop part of the source from the tree, so that comparing trees would not find them. */
const lossy = new Map<string, string>([
  [ErrorCodes.eofInTag, 'finish the tag at its end'],
  [ErrorCodes.eofBeforeTagName, 'finish the tag at its end, or write &lt;'],
  [ErrorCodes.missingEndTagName, 'remove </>'],
  [ErrorCodes.duplicateAttribute, 'give each attribute once in a tag'],
  [ErrorCodes.endTagWithAttributes, 'remove the attributes from the end tag'],
]);

class Reader implements TokenHandler {
  readonly text = new NoteText();
  readonly #shape: string[] = [];
  readonly #nesting: Nesting;
  #fault: string | undefined;
  #afterPre = false;
  #elements = 0;
  #words = 0;

  constructor() {
    this.#nesting = new Nesting((tag) => this.#close(tag));
  }

  get shape(): string {
    return this.#shape.join('');
  }

  onStartTag({ tagName, attrs }: Token.TagToken): void {
    if (++this.#elements > maxElements) {
      throw new InvalidRequest([], `html has more than ${maxElements.toLocaleString('en')} elements. Split it into several notes.`);
    }
    checkElement(tagName);
    this.#checkFault();
    checkAttributes(tagName, attrs);
    this.#nesting.start(tagName);
    this.text.tag(tagName);
    this.#shape.push(opening(tagName, attrs));
    if (voidElements.has(tagName)) this.#close(tagName);
    this.#afterPre = tagName === 'pre';
  }

  onEndTag({ tagName }: Token.TagToken): void {
    checkElement(tagName);
    this.#checkFault();
    this.#nesting.end(tagName);
    this.#afterPre = false;
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (++this.#words > maxWords) {
      throw new InvalidRequest([], `html has more than ${maxWords.toLocaleString('en')} words. Split it into several notes.`);
    }
    this.#nesting.text();
    this.#add(chars);
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    // HTML drops a line feed right after <pre>.
    this.#add(this.#afterPre && chars.startsWith('\n') ? chars.slice(1) : chars);
  }

  onNullCharacter(): void {
    throw new InvalidRequest([], 'html has a NUL character. Remove it.');
  }

  onComment(): void {
    throw new InvalidRequest([], 'Remove comments, CDATA sections and processing instructions (<!…>, <?…>) from html.');
  }

  onDoctype(): void {
    throw new InvalidRequest([], 'Remove the doctype from html.');
  }

  onEof(): void {
    this.#checkFault();
    this.#nesting.finish();
  }

  onParseError({ code }: ParserError): void {
    this.#fault ??= lossy.get(code);
  }

  #checkFault(): void {
    if (this.#fault) throw new InvalidRequest([], `Correct html: ${this.#fault}.`);
  }

  #add(chars: string): void {
    this.#afterPre = false;
    this.#shape.push(chars);
    this.text.add(chars, this.#nesting.depth === 0 || this.#nesting.isIn('pre'));
  }

  #close(tag: string): void {
    this.text.tag(tag);
    this.#shape.push(closing);
  }
}

export interface ReadHtml {
  /** The first line of text, at most 200 characters, or empty. */
  title: string;
  text: string;
}

/** Throws InvalidRequest with the first error. Call it in the helper thread only (`readNoteHtml.ts`). */
export function checkNoteHtml(html: string): ReadHtml {
  if (Buffer.byteLength(html) > maxBytes) throw new InvalidRequest([], 'html is longer than 128 KiB of UTF-8. Shorten it.');
  const fault = unstorable(html);
  if (fault) throw new InvalidRequest([], `Correct html: ${fault}.`);
  const reader = new Reader();
  new Tokenizer({}, reader).write(html, true);
  if (reader.shape !== shapeOf(html)) {
    throw new InvalidRequest([], 'Correct the nesting in html: close each element before its parent.');
  }
  const lines = reader.text.lines();
  return { title: titleOf(lines), text: lines.join('\n') };
}
