import fc from 'fast-check';
import { z } from 'zod';
import {
  countCharacters,
  firstCharacters,
  Id,
  isId,
  isUuid,
  isVisible,
  Label,
  Lines,
  Text,
  Title,
  textFault,
  Uuid,
  unstorable,
} from '../../src/values/text.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

/** Any code points, often astral ones. */
const words = fc.string({
  unit: fc.oneof(fc.constantFrom('a', 'é', '𝒳', '👩‍🚀', ' '), fc.constantFrom('\u{10ffff}', '\u{1f600}')),
  maxLength: 40,
});
const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

test('lengths are code points, not UTF-16 units', (t) => {
  fc.assert(fc.property(words, (text) => countCharacters(text) === [...text].length));
  t.true(Text(1, 2).safeParse('😀😀').success);
  t.false(Text(1, 2).safeParse('😀😀a').success);
  t.false(Text(2, 3).safeParse('😀').success);
});

test('text is accepted exactly when its length is within the limits', (t) => {
  const limits = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  fc.assert(
    fc.property(words, limits, (text, [min, max]) => {
      const count = [...text].length;
      return (textFault(text, min, max) === null) === (count >= min && count <= max);
    }),
  );
  t.pass();
});

test('shortening a text never splits a character', (t) => {
  fc.assert(fc.property(words, fc.nat(20), (text, max) => firstCharacters(text, max) === [...text].slice(0, max).join('')));
  t.pass();
});

test('NUL and unpaired surrogates are refused at every position', (t) => {
  for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', 'x\ud83d']) {
    t.truthy(unstorable(text));
    t.false(Text(0, 10).safeParse(text).success);
  }
  t.is(unstorable('tab\t newline\n astral 😀 \u0001'), null);
});

test('messages say what to do', (t) => {
  t.is(message(Text(1, 12_000), ''), 'give at least 1 character');
  t.is(message(Text(1, 12_000), 'x'.repeat(12_001)), 'give at most 12,000 characters');
  t.is(message(Text(1, 300), 7), 'give text of 1 to 300 characters');
  t.is(message(Text(0, 300), null), 'give text of up to 300 characters');
  t.is(message(Text(0, 9), '\0'), 'remove the NUL character');
  t.regex(message(Text(0, 9), '\ud800')!, /^remove the unpaired surrogate/);
  t.regex(message(Title, ' \t')!, /can be seen/);
  t.regex(message(Id, 0)!, /whole number from 1/);
  t.regex(message(Uuid, 'x')!, /^give a UUID such as/);
});

test('a title needs a visible character', (t) => {
  for (const text of ['', ' ', '\t\n', '\u00a0', '\u3000', '\u200b', '\u2060\ufeff', '\u202e', '\u0001'])
    t.false(Title.safeParse(text).success, JSON.stringify(text));
  for (const text of ['x', ' x ', '.', '名', '👩‍🚀', '\u200bx']) t.true(Title.safeParse(text).success && isVisible(text), text);
  t.true(Title.safeParse('😀'.repeat(300)).success);
  t.false(Title.safeParse('x'.repeat(301)).success);
  t.false(Label(2).safeParse('abc').success);
});

test('ids are the positive integers that JSON represents exactly', (t) => {
  for (const id of [1, 2 ** 31, 2 ** 53 - 1]) t.true(Id.safeParse(id).success && isId(id));
  for (const id of [0, -0, -1, 1.5, 2 ** 53, 1e300, Number.NaN, Infinity, '1', null, true, 1n, [1]])
    t.false(Id.safeParse(id).success, String(id));
});

test('UUIDs of any case are converted to lower case', (t) => {
  fc.assert(fc.property(fc.uuid(), fc.boolean(), (id, upper) => Uuid.parse(upper ? id.toUpperCase() : id) === id));
  t.true(isUuid('01890A5D-AC96-774B-BCCE-B302099A8057'));
  const id = '7d9f0c9e-52c4-4f0e-9a39-3b1f6a2d8c11';
  for (const text of [
    '',
    id.slice(1),
    `${id}0`,
    `{${id}}`,
    `urn:uuid:${id}`,
    `${id}\n`,
    ` ${id}`,
    id.replace('7', 'g'),
    id.replaceAll('-', ''),
  ]) {
    t.false(Uuid.safeParse(text).success, text);
  }
});

test('the published pattern of titles and comments refuses exactly the invalid texts, except invisible ones', (t) => {
  const character = fc.oneof(
    fc.constantFrom(...' \n\t\u0001\u00a0\u200b\u200e\u202e\u2028\u2066\ufeffa'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const text = fc.array(character, { minLength: 1, maxLength: 4 }).map((all) => all.join('').replaceAll('\0', ''));
  for (const schema of [Title, Lines(12_000)]) {
    const { pattern } = z.toJSONSchema(schema) as { pattern: string };
    const published = new RegExp(pattern);
    fc.assert(
      fc.property(
        text.filter((one) => one !== '' && one.isWellFormed()),
        (one) => schema.safeParse(one).success === (published.test(one) && isVisible(one)),
      ),
      { numRuns: runs(2000) },
    );
  }
  t.pass();
});

test('the JSON schema of the input has the limits', (t) => {
  const shape = z.strictObject({
    body: Text(1, 12_000).describe('Note'),
    description: Text(0, 50_000).optional(),
    id: Id,
    requestId: Uuid,
  });
  t.deepEqual(z.toJSONSchema(shape, { io: 'input' }).properties, {
    body: { type: 'string', minLength: 1, maxLength: 12_000, description: 'Note' },
    description: { type: 'string', maxLength: 50_000 },
    id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    requestId: { type: 'string', format: 'uuid' },
  });
});
