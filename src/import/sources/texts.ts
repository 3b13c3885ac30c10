/** Text of other services in the form that ours may have (behaviour §36.9). */
import { firstCharacters, isMisleading, isVisible, longest } from '../../values/text.ts';

/** Text of any length that PostgreSQL can store, with \n line ends. */
export const cleanText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim();

/** One line of up to `max` characters. Empty if nothing of it can be seen. */
export function cleanLine(text: string, max: number = longest.title): string {
  const whole = wholeLine(text);
  const short = firstCharacters(whole, max);
  return short === whole ? whole : `${firstCharacters(whole, max - 1).trimEnd()}…`;
}

function wholeLine(text: string): string {
  const stored = text.toWellFormed().replaceAll('\0', '');
  const line = isMisleading(stored) ? Array.from(stored, (one) => (isMisleading(one) ? ' ' : one)).join('') : stored;
  const trimmed = line.replaceAll(/\s+/g, ' ').trim();
  return isVisible(trimmed) ? trimmed : '';
}

const MOST_NAME = 200;
const MOST_CLEANED = 2_000;

/** Of a status, type, label, person, list, field or key (behaviour §36.5). Empty if nothing of it can be seen. */
export const nameOf = (text: string, max = MOST_NAME): string => cleanLine(beginningOf(text), max);

/** A copy, because a part of a string keeps the whole string in memory. */
const beginningOf = (text: string): string => (text.length > MOST_CLEANED ? Buffer.from(text.slice(0, MOST_CLEANED)).toString() : text);

export const ADDRESS_SHAPE = /^[^\s@<>,;]{1,100}@[^\s@<>,;]{1,200}$/;

/** An address that a link may have, or null. */
export function webAddress(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > longest.line || !/^https?:\/\//i.test(trimmed)) return null;
  const { href } = URL.parse(trimmed) ?? {};
  // Letters that are not ASCII become up to nine characters.
  return href !== undefined && href.length <= longest.line ? href : null;
}

/** Parts of up to `max` characters, cut between lines where there is one in the second half. */
export function partsOf(text: string, max: number): string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const first = firstCharacters(rest, max);
    const line = first === rest ? -1 : first.lastIndexOf('\n');
    const cut = line > first.length / 2 ? line : first.length;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return parts;
}

/** For text inside a line: markup at the start of a line, such as #, is not escaped. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, '\\$&');

/** A link in Markdown; without address only its text. */
export function markdownLink(text: string, url: string | null): string {
  const name = escapeMarkdown(text || 'link');
  return url === null ? name : `[${name}](<${url.replaceAll(/[<>]/g, encodeURIComponent)}>)`;
}
