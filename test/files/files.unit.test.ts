/** Names, types and ranges of files. */
import fc from 'fast-check';
import { fileName } from '../../src/files/fileName.ts';
import { thumbnailTypeOf, typeOf } from '../../src/files/fileTypes.ts';
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

test('images that state very many pixels are downloads and no thumbnails; others state few', (t) => {
  const size = (side: number, bytes: 2 | 3 | 4) => {
    const text = Buffer.alloc(bytes * 2);
    for (const at of [0, bytes]) bytes === 4 ? text.writeUInt32BE(side, at) : text.writeUIntLE(bytes === 3 ? side - 1 : side, at, bytes);
    return text;
  };
  const image = (start: string, sides: Buffer) => Buffer.concat([Buffer.from(start, 'latin1'), sides, Buffer.alloc(20)]);
  const png = (side: number) => image('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', size(side, 4));
  const canvas = (side: number) => image(`RIFF\x20\0\0\0WEBPVP8X${'\0'.repeat(8)}`, size(side, 3));
  const lossy = (side: number) => image(`RIFF\x20\0\0\0WEBPVP8 ${'\0'.repeat(10)}`, size(side, 2));
  const lossless = (side: number) => {
    const bits = Buffer.alloc(4);
    bits.writeUInt32LE((side - 1) * 0x4001);
    return image('RIFF\x20\0\0\0WEBPVP8L\0\0\0\0\x2f', bits);
  };
  for (const [make, type, most] of [
    [png, 'image/png', 50_000],
    [canvas, 'image/webp', 50_000],
    [lossy, 'image/webp', 16_383],
    [lossless, 'image/webp', 16_383],
  ] as const) {
    t.deepEqual([typeOf(make(most)), thumbnailTypeOf(make(most))], ['application/octet-stream', null]);
    t.deepEqual([typeOf(make(6_000)), thumbnailTypeOf(make(6_000))], [type, null]);
    t.is(thumbnailTypeOf(make(240)), type);
  }
  for (const other of ['GIF89a', '\xff\xd8\xff\xe0', '<svg>', ''])
    t.is(thumbnailTypeOf(Buffer.from(other.padEnd(40, '\0'), 'latin1')), null, other);
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
