/** Allowed elements, attributes and links in a personal note (behaviour §11.6). */
import { InvalidRequest } from '../../values/errors.ts';
import { firstCharacters } from '../../values/text.ts';
import { isAbsoluteLink } from './links.ts';

const elements = new Set('p br hr h1 h2 h3 h4 ul ol li blockquote pre code strong em b i u s a table thead tbody tr th td'.split(' '));
const attributes: Record<string, readonly string[]> = { a: ['href'], td: ['colspan', 'rowspan'] };
const listed = 'p, br, hr, h1–h4, ul, ol, li, blockquote, pre, code, strong, em, b, i, u, s, a, table, thead, tbody, tr, th and td';

function quotedName(name: string): string {
  return firstCharacters(name.toWellFormed().replace(/[\p{C}\p{Z}]/gu, '�'), 40);
}

export function checkElement(tag: string): void {
  if (!elements.has(tag)) throw new InvalidRequest([], `Remove <${quotedName(tag)}> from html: notes may have only ${listed}.`);
}

/** Throws InvalidRequest with the first attribute that is not allowed or has a wrong value. */
export function checkAttributes(tag: string, attrs: readonly { name: string; value: string }[]): void {
  const allowed = attributes[tag] ?? [];
  for (const { name, value } of attrs) {
    if (!allowed.includes(name)) {
      throw new InvalidRequest(
        [],
        `Remove the attribute ${quotedName(name)} from <${tag}> in html: only href on <a>, colspan and rowspan on <td> are allowed.`,
      );
    }
    if (name === 'href') checkLink(value);
    // Browsers limit larger numbers, so the display would differ from the checked HTML.
    else if (!/^\d{1,3}$/.test(value)) throw new InvalidRequest([], `Give ${name} on <${tag}> in html as a whole number up to 999.`);
  }
}

function checkLink(href: string): void {
  if (!isAbsoluteLink(href)) {
    throw new InvalidRequest(
      [],
      `Change the link href="${quotedName(href)}" in html: give a full address that starts with https://, http:// or mailto:.`,
    );
  }
}
