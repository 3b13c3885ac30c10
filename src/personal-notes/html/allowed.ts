/** What the HTML of a personal note may hold (behaviour §11.6): elements, attributes and links. */
import { InvalidRequest } from '../../values/errors.ts';
import { firstCharacters } from '../../values/text.ts';

const elements = new Set('p br hr h1 h2 h3 h4 ul ol li blockquote pre code strong em b i u s a table thead tbody tr th td'.split(' '));
const attributes: Record<string, readonly string[]> = { a: ['href'], td: ['colspan', 'rowspan'] };
const listed = 'p, br, hr, h1–h4, ul, ol, li, blockquote, pre, code, strong, em, b, i, u, s, a, table, thead, tbody, tr, th and td';

/** A name from the note, fit for a one-line message. */
function shown(name: string): string {
  return firstCharacters(name.toWellFormed().replace(/[\p{C}\p{Z}]/gu, '�'), 40);
}

/** Throws InvalidRequest when the element is not on the list. */
export function checkElement(tag: string): void {
  if (!elements.has(tag)) throw new InvalidRequest([], `Take <${shown(tag)}> out of html: notes may hold only ${listed}.`);
}

/** Throws InvalidRequest naming the first attribute that is not on the list or holds what it may not. */
export function checkAttributes(tag: string, attrs: readonly { name: string; value: string }[]): void {
  const allowed = attributes[tag] ?? [];
  for (const { name, value } of attrs) {
    if (!allowed.includes(name)) {
      throw new InvalidRequest(
        [],
        `Take the attribute ${shown(name)} out of <${tag}> in html: only href on <a>, colspan and rowspan on <td> are allowed.`,
      );
    }
    if (name === 'href') checkLink(value);
    // Browsers clamp larger numbers to their own limits: what is shown would not be what was checked.
    else if (!/^\d{1,3}$/.test(value)) throw new InvalidRequest([], `Give ${name} on <${tag}> in html as a whole number up to 999.`);
  }
}

// The two slashes are part of the check: `https:evil` and `https:/evil` are relative to a page served over https.
const absolute = /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i;

/** Whether a browser goes to an http, https or mailto address, wherever the page stands (behaviour §11.7). Browsers drop tabs, newlines and
 *  leading controls from an address, which is how `java\tscript:` works: none may be in it at all. */
function isAbsoluteLink(href: string): boolean {
  return absolute.test(href) && !/[\x00-\x1f\x7f]/.test(href) && URL.canParse(href);
}

function checkLink(href: string): void {
  if (!isAbsoluteLink(href)) {
    throw new InvalidRequest(
      [],
      `Change the link href="${shown(href)}" in html: give a full address that starts with https://, http:// or mailto:.`,
    );
  }
}
