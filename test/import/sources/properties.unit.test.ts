/** Properties of reading CSV and of planning: no text is lost or invented, and every plan is one that items may have. */
import fc from 'fast-check';
import { entrySchemas } from '../../../src/import/schema.ts';
import { decimalsOf, numberOf } from '../../../src/import/sources/amounts.ts';
import { csvRecords } from '../../../src/import/sources/csv.ts';
import { SourceLinks } from '../../../src/import/sources/links.ts';
import { dayOrderOf, momentOf } from '../../../src/import/sources/moments.ts';
import { partsOf } from '../../../src/import/sources/texts.ts';
import { wikiToMarkdown } from '../../../src/import/sources/wiki.ts';
import { countCharacters } from '../../../src/values/text.ts';
import { suite } from '../../support/suite.ts';
import { opened, readAll } from './reading.ts';

const test = suite(import.meta.url);

const cell = fc.stringMatching(/^[a-z",;\n\r äß€=]{0,12}$/);

test('CSV records are read as they were written, whatever separator, line end and cut', async (t) => {
  const file = fc.record({
    rows: fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
    separator: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n'),
    size: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, separator, end, size }) => {
      const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator) + end).join('');
      const read: string[][] = [];
      for await (const { cells } of csvRecords(opened(text, size), { encoding: 'utf-8', delimiter: separator })) read.push(cells);
      t.deepEqual(read, rows);
    }),
    { numRuns: 200 },
  );
});

const key = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'Q');
const node = fc.record({ parentKey: fc.option(key), blockedBy: fc.array(key, { maxLength: 4 }), blocks: fc.array(key, { maxLength: 3 }) });

test('links end without cycles, only at issues of the file, and each one left out is named', (t) => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 6, maxLength: 6 }), (nodes) => {
      const links = new SourceLinks();
      const names = ['A', 'B', 'C', 'D', 'E', 'F'];
      for (const [n, one] of nodes.entries()) links.add({ key: names[n]!, aliases: [], title: `title ${n}`, ...one });
      const asked = nodes.reduce((sum, { parentKey }) => sum + (parentKey === null ? 0 : 1), 0);
      const parentFaults = links.faults().filter(({ what }) => what === 'Parent').length;
      t.is(links.counts().parents + parentFaults, asked);
      const reaches = (from: string, to: string, next: (key: string) => string[], seen = new Set<string>()): boolean =>
        next(from).some((one) => one === to || (!seen.has(one) && reaches(one, to, next, seen.add(one))));
      for (const name of names) {
        t.false(reaches(name, name, (at) => links.linksOf(at).blockedBy));
        t.false(reaches(name, name, (at) => [links.linksOf(at).parentKey].filter((above) => above !== null)));
        t.true(links.linksOf(name).blockedBy.every((blocker) => names.includes(blocker)));
      }
      const wanted = new Set(
        nodes.flatMap(({ blockedBy, blocks }, n) => [
          ...blockedBy.map((one) => `${names[n]} ${one}`),
          ...blocks.map((one) => `${one} ${names[n]}`),
        ]),
      );
      for (const name of names) for (const blocker of links.linksOf(name).blockedBy) t.true(wanted.has(`${name} ${blocker}`));
    }),
  );
});

test('parts of a text are within the limit and lose no visible letter', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 30 }), (text, max) => {
      const parts = partsOf(text, max);
      t.true(parts.every((part) => countCharacters(part) <= max));
      t.is(parts.join('').replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''));
    }),
  );
});

test('a day is read back from each shape that can only mean it', (t) => {
  const days = fc
    .date({ min: new Date('1971-01-01'), max: new Date('2068-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, (day) => {
      const [year, month, date] = day.split('-') as [string, string, string];
      t.is(momentOf(day, 'month-day', 'UTC')?.day, day);
      t.is(momentOf(`${month}/${date}/${year}`, 'month-day', 'UTC')?.day, day);
      t.is(momentOf(`${Number(date)}.${Number(month)}.${year.slice(2)} 23:59`, 'day-month', 'UTC')?.day, day);
      const order = dayOrderOf(`${date}/${month}/${year}`);
      if (Number(date) > 12) t.is(order, 'day-month');
      else t.is(order, Number(month) > 12 ? 'month-day' : 'either');
    }),
  );
});

test('numbers are read back in the notation that they show', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.constantFrom('en', 'de'), (hundredths, language) => {
      const value = hundredths / 100;
      const text = value.toLocaleString(language, { minimumFractionDigits: 2 });
      const shown = decimalsOf(text);
      t.is(shown, language === 'en' ? 'point' : 'comma');
      t.is(numberOf(text, shown!), value);
    }),
  );
});

test('wiki markup keeps every word', (t) => {
  const piece = fc.constantFrom(
    '*',
    '_',
    '{code}',
    '{quote}',
    '\n',
    '|',
    '||',
    '[',
    ']',
    '!',
    ' ',
    '-',
    '# ',
    'h1. ',
    '{{',
    '}}',
    '~',
    'word',
    'zwei',
    '(',
    '{color:red}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const markdown = wikiToMarkdown(pieces.join(''), { people: new Map(), files: new Map() });
      const count = (text: string, word: string) => text.split(word).length - 1;
      for (const word of ['word', 'zwei'])
        t.true(count(markdown, word) >= count(pieces.join(''), word), JSON.stringify([pieces.join(''), markdown]));
    }),
  );
});

const word = fc.oneof(
  fc.constantFrom(
    'Done',
    'Blocked',
    'Epic',
    'Bug',
    'Goal',
    'Release',
    'milestone',
    'High',
    '',
    '__proto__',
    '2026-02-30',
    '12/31/2025',
    '3',
    '-1',
    '1e9',
    '999999999',
  ),
  fc.string({ maxLength: 400 }),
  cell,
);
const columns = [
  'key',
  'title',
  'description',
  'type',
  'status',
  'priority',
  'labels',
  'points',
  'estimate hours',
  'assignee',
  'reporter',
  'created',
  'closed',
  'start',
  'due date',
  'sprint',
  'milestone',
  'comment',
  'attachments',
];

test('whatever a row has, its plan is an item that an import file may have', async (t) => {
  const row = fc.array(word, { minLength: columns.length, maxLength: columns.length });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('nearest' as const, 'create' as const),
      async (rows, unknownStatuses) => {
        const text = [columns, ...rows].map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\n');
        const { planned, report } = await readAll('csv', opened(text, 97), { unknownStatuses, sprints: 'milestones' });
        t.true(planned.length + report.refused.count <= rows.length);
        for (const { type, title, description, status, archived, labels, fields, comments, createdAt } of planned) {
          const { assigneeId, ...own } = fields;
          const item = { ref: 'x', type, title, description, status, archived, labels, fields: own, ...(createdAt && { createdAt }) };
          const parsed = entrySchemas.items.safeParse(item);
          t.true(parsed.success, JSON.stringify([parsed.error?.issues, item]));
          for (const { body } of comments) t.true(countCharacters(body) >= 1 && countCharacters(body) <= 12_000);
        }
      },
    ),
    { numRuns: 150 },
  );
});
