/** Schemas for strings and ids. Lengths are Unicode code points, never UTF-16 units (behaviour §4.6). Messages continue after a field name:
 *  "title: give at most 300 characters". */

import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Longest texts of users, in characters. */
export const longest = { title: 300, line: 2_000, comment: 12_000, text: 50_000 } as const;

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Anything but spaces, controls and invisible format characters (zero-width joiners, directional marks). */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Length in code points. An unpaired surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
    count++;
  }
  return count;
}

export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Why PostgreSQL can't store this text, or null. */
export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'remove the NUL character';
  return text.isWellFormed() ? null : 'remove the unpaired surrogate: send whole Unicode characters';
}

export function isVisible(text: string): boolean {
  return visible.test(text);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count.toLocaleString('en')} characters`;
}

/** The correction that a text of `min` to `max` characters needs, or null. */
export function textFault(text: string, min: number, max: number): string | null {
  // The UTF-16 length limits the code point count from both sides, so most strings need no counting.
  if (text.length > 2 * max || (text.length > max && countCharacters(text) > max)) return `give at most ${characters(max)}`;
  if (text.length < min || (text.length < 2 * min && countCharacters(text) < min)) return `give at least ${characters(min)}`;
  return unstorable(text);
}

/** Text of `min` to `max` characters, both included, without NUL and unpaired surrogates. */
export function Text(min: number, max: number) {
  return z
    .string({ error: `give text of ${min > 0 ? `${min.toLocaleString('en')} to` : 'up to'} ${characters(max)}` })
    .check((ctx) => {
      const fault = textFault(ctx.value, min, max);
      if (fault) ctx.issues.push({ code: 'custom', message: fault, input: ctx.value });
    })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/** Text of up to `max` characters and any number of lines, with a visible character. */
export function Lines(max: number) {
  return Text(1, max)
    .refine((text) => text === '' || isVisible(text), 'give at least one character that can be seen')
    .meta({ pattern: '\\S' });
}

/** Controls and text direction marks. They could make a name, or a line of a mail, look like something else (behaviour §4.23). */
const misleading = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The same for JSON Schema: without `\p`, which many readers don't support. */
const misleadingRanges = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

export const isMisleading = (text: string): boolean => misleading.test(text);

/** A title or name: up to `max` characters on one line, one of them visible. */
export function Label(max: number) {
  return Lines(max)
    .refine((text) => !isMisleading(text), 'remove line breaks, control characters and text direction marks')
    .meta({ pattern: `^[^${misleadingRanges}]*[^\\s${misleadingRanges}][^${misleadingRanges}]*$` });
}

/** An item's title, behaviour §4.6. */
export const Title = Label(longest.title);

export function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** The name of a file without folders and invisible characters. */
export const baseName = (path: string): string =>
  path
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{C}/gu, '')
    .trim();

export const firstLine = (text: string): string => text.split('\n', 1).join('');

/** Our ids: 1 to 2^53−1, so that JSON keeps them exact. */
export const Id = z
  .number({ error: 'give an id: a whole number from 1 up' })
  .refine(isId, 'give an id: a whole number from 1 to 9007199254740991')
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const fromZero = 'give a whole number from 0 up';
/** The id of the last row of the previous page, 0 for the first page. */
export const AfterId = z.int(fromZero).min(0, fromZero).default(0);

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** A UUID of any version in any case, converted to lower case. */
export const Uuid = z
  .string({ error: 'give a UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11' })
  .refine(isUuid, { error: 'give a UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11', abort: true })
  .toLowerCase()
  .meta({ format: 'uuid' });

/** A LIKE pattern that matches any text containing this literal text. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Compares in constant time. The time may reveal the lengths. */
export function sameSecret(given: string | Buffer, wanted: string | Buffer): boolean {
  const bytesOf = (secret: string | Buffer) => (typeof secret === 'string' ? Buffer.from(secret) : secret);
  const [a, b] = [bytesOf(given), bytesOf(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
