/** Cursors are read back as written, and other texts are refused. */
import fc from 'fast-check';
import { beginning, cursorOf } from '../../src/changes/cursor.ts';
import { cursorText } from '../support/cursorText.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const number = (max: bigint) => fc.bigInt({ min: 1n, max }).map(String);

test('a cursor is read as it was written', (t) => {
  const cursor = fc.record({
    era: fc.integer({ min: 0, max: 999_999_999 }).map(String),
    xact: number(2n ** 63n - 1n),
    id: number(2n ** 63n - 1n),
  });
  fc.assert(fc.property(cursor, (one) => t.deepEqual(cursorOf(cursorText(one)), one)));
  t.is(cursorText(beginning), '0');
  t.deepEqual(cursorOf('0'), beginning);
});

test('a text that is no cursor is refused', (t) => {
  for (const text of ['', '1', '-1', '00', '00-1-1', '1-1', '1--1', '1-1-1-1', '1-A-1', '1-zzzzzzzzzzzzz-1', '1-1-1 ', '1234567890-1-1'])
    t.is(cursorOf(text), null, text);
});
