/** Names, types and ranges of files. */
import fc from 'fast-check';
import { fileName } from '../../src/files/fileName.ts';
import { typeOf } from '../../src/files/fileTypes.ts';
import { rangeOf } from '../../src/pages/frame/sendStored.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

test('a file name loses folders, control characters and text direction marks, and keeps its extension when it is cut', (t) => {
  t.is(fileName('C:\\Users\\ana\\plan.pdf'), 'plan.pdf');
  t.is(fileName('../../etc/passwd'), 'passwd');
  t.is(fileName('in\u202evoice\u0000\r\n.pdf'), 'invoice.pdf');
  t.is(fileName('\u200b\u202e'), 'attachment');
  t.is(fileName(''), 'attachment');
  const long = fileName(`${'a'.repeat(296)}.png`);
  t.is(long.length, 200);
  t.true(long.endsWith('a.png'));
  t.is([...fileName('😀'.repeat(300))].length, 200);
});

test('converts any name to one that can be stored and shown', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = fileName(given);
      return [...name].length >= 1 && [...name].length <= 200 && !/[\p{C}/\\]/u.test(name);
    }),
  );
  t.pass();
});

test('the first bytes decide the type, not the name', (t) => {
  t.is(typeOf(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')), 'image/png');
  t.is(typeOf(Buffer.from('\xff\xd8\xff\xe0', 'latin1')), 'image/jpeg');
  t.is(typeOf(Buffer.from('GIF89a')), 'image/gif');
  t.is(typeOf(Buffer.from('RIFF\n\0\0\0WEBPVP8 ', 'latin1')), 'image/webp');
  t.is(typeOf(Buffer.from('%PDF-1.7')), 'application/pdf');
  for (const other of ['<html>', '<svg xmlns="http://www.w3.org/2000/svg">', '', ' %PDF-', 'RIFF\0\0\0\0WAVE'])
    t.is(typeOf(Buffer.from(other)), 'application/octet-stream', other);
});

test('ranges follow RFC 9110: one range, else all, else none', (t) => {
  t.deepEqual(rangeOf('bytes=0-0', 10), { start: 0, end: 0 });
  t.deepEqual(rangeOf('bytes=5-', 10), { start: 5, end: 9 });
  t.deepEqual(rangeOf('bytes=5-99', 10), { start: 5, end: 9 });
  t.deepEqual(rangeOf('bytes=-3', 10), { start: 7, end: 9 });
  t.deepEqual(rangeOf('bytes=-99', 10), { start: 0, end: 9 });
  for (const outside of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) t.is(rangeOf(outside, 10), 'none', outside);
  for (const odd of [
    '',
    'bytes=',
    'bytes=-',
    'bytes=3-2',
    'bytes=0-1,4-5',
    'items=0-1',
    'bytes=a-b',
    `bytes=${'9'.repeat(16)}-`,
    'bytes=-1-2',
  ])
    t.is(rangeOf(odd, 10), null, odd);
});
