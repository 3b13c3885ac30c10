/** Building blocks for what callers send as strings and ids. Lengths are Unicode code points, never UTF-16 units (behaviour §4.6).
 *  Messages are imperative so that they read on after a field's name: "title: give at most 300 characters". */
import { z } from 'zod';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Spaces of every kind, controls and invisible format characters (zero-width joiners, directional marks). */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Length in code points. An unpaired surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.codePointAt(i)! > 0xffff) i++;
    count++;
  }
  return count;
}

/** Up to `max` code points from the start; a pair is never cut in two. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** What keeps text from being stored (PostgreSQL refuses both), or null. */
export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'take out the NUL character';
  return text.isWellFormed() ? null : 'take out the unpaired surrogate: send whole Unicode characters';
}

/** Whether text has anything to see: more than spaces and invisible characters. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count.toLocaleString('en')} characters`;
}

/** What is wrong with text of `min` to `max` characters, as what to do; null when nothing is. */
export function textFault(text: string, min: number, max: number): string | null {
  // The UTF-16 length bounds the count from both sides, so most strings are never walked.
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

/** Text of any number of lines, up to `max` characters, one of them visible. */
export function Lines(max: number) {
  return Text(1, max)
    .refine((text) => text === '' || isVisible(text), 'give at least one character that can be seen')
    .meta({ pattern: '\\S' });
}

/** Controls, and marks that make text run the other way: what is shown beside a name, or begins a line of a mail, could be made to look like
 *  something else (behaviour §4.23). */
const misleading = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The same for a JSON Schema: without `\p`, which many of its readers lack. */
const misleadingRanges = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

export const isMisleading = (text: string): boolean => misleading.test(text);

/** Text that people pick things by: a title, a name. Up to `max` characters, one of them visible, on one line. */
export function Label(max: number) {
  return Lines(max)
    .refine((text) => !isMisleading(text), 'take out line breaks and other control characters, and marks of text direction')
    .meta({ pattern: `^[^${misleadingRanges}]*[^\\s${misleadingRanges}][^${misleadingRanges}]*$` });
}

/** An item's title, behaviour §4.6. */
export const Title = Label(300);

export function isId(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** An id of ours: 1 to 2^53−1, so that it survives JSON. */
export const Id = z
  .number({ error: 'give an id: a whole number from 1 up' })
  .refine(isId, 'give an id: a whole number from 1 to 9007199254740991')
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** A UUID of any version in any case, handed on in lower case. */
export const Uuid = z
  .string({ error: 'give a UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11' })
  .refine(isUuid, { error: 'give a UUID such as 7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11', abort: true })
  .toLowerCase()
  .meta({ format: 'uuid' });
