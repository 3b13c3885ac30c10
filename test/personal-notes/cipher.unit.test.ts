/** Accepted ciphertexts, and their sources. */
import { Cipher, isBound, MovedCipher, PBKDF2_ITERATIONS, withOrigin } from '../../src/personal-notes/attachments.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const base64 = (bytes: number) => Buffer.alloc(bytes, 5).toString('base64');
const parts = { kdf: 'PBKDF2-SHA256', iterations: PBKDF2_ITERATIONS, salt: base64(16), iv: base64(12), data: base64(40) };
const origin = { user: 3, note: 7 };
const envelope = (changes: object) => JSON.stringify({ ...parts, ...changes });

const cases: [string, string, { page: boolean; file: boolean }][] = [
  ['version 1', envelope({ v: 1 }), { page: true, file: true }],
  ['version 2', envelope({ v: 2 }), { page: true, file: false }],
  ['version 2 with an origin', envelope({ v: 2, origin }), { page: false, file: true }],
  ['version 1 with an origin, which it was never bound to', envelope({ v: 1, origin }), { page: false, file: false }],
  ['an origin without a note', envelope({ v: 2, origin: { user: 3 } }), { page: false, file: false }],
  ['an origin with something else in it', envelope({ v: 2, origin: { ...origin, text: 'x' } }), { page: false, file: false }],
  ['an origin with an invalid id', envelope({ v: 2, origin: { user: '3/7', note: 1 } }), { page: false, file: false }],
  ['an unknown version', envelope({ v: 3 }), { page: false, file: false }],
  ['no version', envelope({}), { page: false, file: false }],
  ['something else in it', envelope({ v: 2, text: 'x' }), { page: false, file: false }],
  ['text', 'plain words', { page: false, file: false }],
];

for (const [what, text, { page, file }] of cases) {
  test(`${what}: ${page ? 'accepted' : 'refused'} from a page, ${file ? 'accepted' : 'refused'} from a file`, (t) => {
    t.is(Cipher.safeParse(text).success, page);
    t.is(MovedCipher.safeParse(text).success, file);
  });
}

test('an exported note names what it was bound to: an imported one its first origin, an unbound one none', (t) => {
  const left = withOrigin(envelope({ v: 2 }), origin);
  t.deepEqual(JSON.parse(left), { ...parts, v: 2, origin });
  t.true(MovedCipher.safeParse(left).success);
  t.is(withOrigin(left, { user: 8, note: 9 }), left);
  t.is(withOrigin(envelope({ v: 1 }), origin), envelope({ v: 1 }));
  t.deepEqual([envelope({ v: 2 }), envelope({ v: 1 }), left, 'x'].map(isBound), [true, false, false, false]);
});
