/** The browser's encryption, run here: opening notes, refusals, and keys of unsaved texts. */
import { randomBytes, webcrypto } from 'node:crypto';
import { decrypt, encrypt, seal, unseal } from '../../../src/pages/static/js/notesCipher.ts';
import { Cipher, isBound, withOrigin } from '../../../src/personal-notes/attachments.ts';
import { suite } from '../../support/suite.ts';

const test = suite(import.meta.url);

const PASSPHRASE = 'blue whale over bremen';
const here = { user: '7', note: '12' };
const base64 = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(bytes as Uint8Array).toString('base64');

/** As browsers made them before ciphertexts were bound to their notes. */
async function unbound(text: string): Promise<string> {
  const [salt, iv, iterations] = [randomBytes(16), randomBytes(12), 600_000];
  const material = await webcrypto.subtle.importKey('raw', Buffer.from(PASSPHRASE), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  const key = await webcrypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
  const data = await webcrypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(text));
  return JSON.stringify({ v: 1, kdf: 'PBKDF2-SHA256', iterations, salt: base64(salt), iv: base64(iv), data: base64(data) });
}

test('a ciphertext opens with its passphrase only as its own note, also after a move to another database', async (t) => {
  const cipher = await encrypt('<p>Größenwahn 🐋</p>', PASSPHRASE, here);
  t.true(Cipher.safeParse(cipher).success);
  t.true(isBound(cipher));
  t.is(await decrypt(cipher, PASSPHRASE, here), '<p>Größenwahn 🐋</p>');
  await t.throwsAsync(decrypt(cipher, 'another', here), { message: /passphrase is not correct/ });
  await t.throwsAsync(decrypt(cipher, PASSPHRASE, { ...here, note: '13' }), {
    message: /passphrase is not correct, or the stored note was changed/,
  });
  const disguised = JSON.stringify({ ...JSON.parse(cipher), v: 1 });
  await t.throwsAsync(
    decrypt(disguised, PASSPHRASE, here),
    { message: /passphrase is not correct/ },
    'calling it an old one does not help',
  );
  const moved = withOrigin(cipher, { user: 7, note: 12 });
  t.is(await decrypt(moved, PASSPHRASE, { user: '1', note: '2' }), '<p>Größenwahn 🐋</p>');
});

test('older ciphertexts open; those of other programs, or a page without ids, get an error', async (t) => {
  t.is(await decrypt(await unbound('from long ago'), PASSPHRASE, here), 'from long ago');
  await t.throwsAsync(decrypt('<p>readable</p>', PASSPHRASE, here), { message: /another program/ });
  await t.throwsAsync(encrypt('x'.repeat(131_073), PASSPHRASE, here), { message: /128 KiB/ });
  await t.throwsAsync(encrypt('x', PASSPHRASE, { user: '', note: '' }), { message: /out of date/ });
});

test('an unsaved text opens only as itself, with its current or previous key', async (t) => {
  const [key, next, other] = [base64(randomBytes(32)), base64(randomBytes(32)), base64(randomBytes(32))];
  const kept = await seal({ html: '<p>not saved</p>' }, key!, 'stint-note/7/12');
  t.false(kept.includes('saved'));
  t.deepEqual({ ...(await unseal(kept, [next!, key!], 'stint-note/7/12')) }, { html: '<p>not saved</p>' });
  t.is(await unseal(kept, [other!], 'stint-note/7/12'), null, 'somebody else’s');
  t.is(await unseal(kept, [key!], 'stint-note/7/13'), null, 'another note’s');
});
