import fc from 'fast-check';
import { type FoundList, scan } from '../../src/import/file/scan.ts';
import { Places, type Source, sourceOf } from '../../src/import/file/source.ts';
import { InvalidRequest, type Path } from '../../src/values/errors.ts';
import { suite } from '../support/suite.ts';
import { runs } from '../support/thorough.ts';

const test = suite(import.meta.url);

/** Reads give at most `step` bytes, as from a slow disk. */
const slowly = (bytes: Buffer, step: number): Source => ({
  changed: () => false,
  read: (into, start, position) => (position < bytes.length ? bytes.copy(into, start, position, position + step) : 0),
});

/** The whole value, built from the results of the scan. */
function readBack(source: Source): unknown {
  const lists: { list: FoundList; entries: unknown[] }[] = [];
  const file = scan(source, (list) => {
    const entries: unknown[] = [];
    lists.push({ list, entries });
    return ({ value }) => entries.push(value);
  });
  for (const { list, entries } of lists) placeOf(file, list.path).push(...entries);
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: files of every shape
const placeOf = (file: unknown, path: Path): unknown[] => path.reduce((at: any, step) => at[step], file);

const anything = fc.jsonValue({ maxDepth: 3 });
const aList = fc.oneof({ weight: 4, arbitrary: fc.array(anything, { maxLength: 4 }) }, anything);
const workspace = fc.record(
  { name: fc.string(), items: aList, comments: aList, timeEntries: aList, planBlocks: aList },
  { requiredKeys: [] },
);
const account = fc.record(
  { users: aList, personalNotes: aList, workspaces: fc.oneof({ weight: 4, arbitrary: fc.array(workspace, { maxLength: 3 }) }, anything) },
  { requiredKeys: [] },
);
const file = fc.oneof(
  { weight: 6, arbitrary: fc.record({ accounts: fc.array(account, { maxLength: 3 }), more: anything }, { requiredKeys: ['accounts'] }) },
  anything,
);
const text = fc.tuple(file, fc.constantFrom(undefined, 1, '\t', '\r\n')).map(([value, space]) => JSON.stringify(value, null, space));

/** JSON.parse takes the last of two properties of the same name. The scan refuses them. */
const onlyTwice = (error: unknown) => error instanceof InvalidRequest && /is given twice/.test(error.message);

test('a file is parsed like JSON.parse, however few bytes a read gives', (t) => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (json, step) => {
      t.deepEqual(readBack(slowly(Buffer.from(json), step)), JSON.parse(json));
    }),
    { numRuns: runs(300) },
  );
});

test('a truncated or broken file is refused exactly when JSON.parse refuses it, and parsed the same otherwise', (t) => {
  const garbage = fc.constantFrom(
    '',
    '"',
    '\\',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '0',
    '-',
    'e',
    'true',
    ' ',
    '\n',
    '\u0001',
    '\ufeff',
    'ä',
    '/*',
  );
  fc.assert(
    fc.property(text, fc.nat(), fc.nat({ max: 3 }), garbage, fc.boolean(), (json, at, cut, added, toEnd) => {
      const place = at % (json.length + 1);
      const broken = json.slice(0, place) + added + (toEnd ? '' : json.slice(place + cut));
      // Half of a surrogate pair becomes another character in a file.
      fc.pre(broken.isWellFormed() && !broken.startsWith('\ufeff'));
      let parsed: unknown;
      let refused = false;
      try {
        parsed = JSON.parse(broken);
      } catch {
        refused = true;
      }
      try {
        const read = readBack(sourceOf(Buffer.from(broken)));
        t.false(refused, broken);
        t.deepEqual(read, parsed);
      } catch (error) {
        t.true(error instanceof InvalidRequest, `${broken}: ${error}`);
        t.true(refused || onlyTwice(error), broken);
      }
    }),
    { numRuns: runs(1_500) },
  );
});

/** The error for a refused file. */
function refusal(bytes: Buffer | string): string {
  try {
    readBack(sourceOf(Buffer.from(bytes as string)));
  } catch (error) {
    if (error instanceof InvalidRequest) return error.message;
    throw error;
  }
  return 'nothing';
}
const items = (entries: string | Buffer) =>
  Buffer.concat([Buffer.from('{"accounts":[{"workspaces":[{"items":['), Buffer.from(entries as string), Buffer.from(']}]}]}')]);

const refusals: [string, Buffer | string, RegExp][] = [
  ['an empty file', '', /^The file is not JSON at byte 0: it ends too early\. Correct it, then import again\.$/],
  ['only space', ' \n', /at byte 2: it ends too early/],
  [
    'a file truncated in an entry',
    '{"accounts":[{"workspaces":[{"items":[{},{"a":"b',
    /in accounts\[0\]\.workspaces\[0\]\.items\[1\], at byte 48: it ends too early/,
  ],
  [
    'a file truncated between entries',
    '{"accounts":[{"workspaces":[{"items":[{},',
    /items\[1\].*ends too early|items\[1\].*Unexpected end/,
  ],
  ['a file truncated in an account', '{"accounts":[{"users":[', /in accounts\[0\]\.users, at byte 23: it ends too early/],
  ['two values', '{} {}', /at byte 3: there is content after its end/],
  ['entries without a comma', items('{} {}'), /in accounts\[0\]\.workspaces\[0\]\.items\[0\], at byte 41: ',' was expected/],
  ['an extra comma', items('{},'), /items\[1\]/],
  ['an entry that is no JSON', items('{"a":1},{"a":}'), /in accounts\[0\]\.workspaces\[0\]\.items\[1\].*: Unexpected token/],
  [
    'bytes that are not UTF-8',
    items(Buffer.from([0x22, 0xff, 0x22])),
    /in accounts\[0\]\.workspaces\[0\]\.items\[0\]: it has bytes that are not UTF-8/,
  ],
  ['bytes that are not UTF-8 outside of a list', Buffer.from([0x22, 0xc3, 0x28, 0x22]), /it has bytes that are not UTF-8/],
  ['UTF-16', Buffer.from('\ufeff{"accounts":[]}', 'utf16le'), /^The file is not JSON/],
  [
    'a repeated list',
    '{"accounts":[{"workspaces":[{"items":[],"items":[1]}]}]}',
    /^accounts\[0\]\.workspaces\[0\]\.items: is given twice; give it once\.$/,
  ],
  [
    'a repeated list, once written with an escape',
    '{"accounts":[{"workspaces":[{"items":[],"\\u0069tems":[1]}]}]}',
    /items: is given twice/,
  ],
  ['accounts twice', '{"accounts":[],"accounts":[]}', /^accounts: is given twice/],
];

for (const [what, bytes, message] of refusals) {
  test(`${what} is refused by name: ${message.source.slice(0, 60)}`, (t) => {
    t.regex(refusal(bytes), message);
  });
}

test('a fault outside of the long lists is named by its byte offset', (t) => {
  const before = `{"accounts":[{"workspaces":[{"items":[${JSON.stringify('ä'.repeat(500))}],"name":`;
  t.regex(refusal(`${before}nope}]}]}`), new RegExp(`at byte ${Buffer.byteLength(before) + 1}: |Unexpected token`));
});

test('a byte order mark at the start is skipped', (t) => {
  t.deepEqual(readBack(sourceOf(Buffer.from('\ufeff{"accounts":[]}'))), { accounts: [] });
});

test('entries with a hundred thousand levels, and of millions of characters, are read', (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const long = JSON.stringify('\\"'.repeat(1_000_000));
  const lengths: number[] = [];
  scan(
    sourceOf(items(`${deep},${long}`)),
    () =>
      ({ length }) =>
        lengths.push(length),
  );
  t.deepEqual(lengths, [deep.length, long.length]);
});

test('an entry can be read again by its offset', (t) => {
  const bytes = items(Array.from({ length: 2_000 }, (_none, n) => JSON.stringify({ n, text: 'ö'.repeat(n % 50) })).join(' ,\n'));
  const found: { start: number; length: number; value: unknown }[] = [];
  scan(sourceOf(bytes), () => (entry) => found.push(entry));
  const places = new Places(slowly(bytes, 1_000));
  for (const { start, length, value } of [...found].reverse()) t.deepEqual(JSON.parse(places.read(start, length).toString()), value);
});
