// Encryption in the browser, for encrypted notes and for unsaved drafts.
(() => {
  // Must equal src/personal-notes/attachments.ts.
  const ITERATIONS = 600_000;
  const MAX_BYTES = 131_072;
  const utf8 = new TextEncoder();

  const toBase64 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  };
  const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  async function keyOf(passphrase, salt, use) {
    const secret = utf8.encode(passphrase.normalize('NFC'));
    const material = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
    const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS };
    return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, [use]);
  }

  // Associated data: the ciphertext cannot be decrypted as another note or for another user.
  function binding({ user, note }) {
    if (!user || !note) throw new Error('This page is out of date. Copy your text, then reload the page.');
    return utf8.encode(`stint-note/2/${user}/${note}`);
  }

  // A fresh salt gives a fresh key, so no key uses an initialisation vector twice.
  async function encrypt(text, passphrase, place) {
    const bytes = utf8.encode(text);
    if (bytes.length > MAX_BYTES) throw new Error('The text is longer than 128 KiB. Shorten it.');
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const how = { name: 'AES-GCM', iv, additionalData: binding(place) };
    const data = await crypto.subtle.encrypt(how, await keyOf(passphrase, salt, 'encrypt'), bytes);
    const made = { v: 2, kdf: 'PBKDF2-SHA256', iterations: ITERATIONS, salt: toBase64(salt), iv: toBase64(iv) };
    return JSON.stringify({ ...made, data: toBase64(new Uint8Array(data)) });
  }

  async function decrypt(cipher, passphrase, place) {
    let parts;
    try {
      parts = JSON.parse(cipher);
      if (![1, 2].includes(parts.v) || parts.kdf !== 'PBKDF2-SHA256' || parts.iterations !== ITERATIONS) throw new Error('unknown');
    } catch {
      throw new Error('This note was encrypted by another program. Open it there.');
    }
    const how: AesGcmParams = { name: 'AES-GCM', iv: fromBase64(parts.iv) };
    // Version 1 has no binding. Imported notes keep the ids of their origin.
    if (parts.v === 2) how.additionalData = binding(parts.origin ?? place);
    const key = await keyOf(passphrase, fromBase64(parts.salt), 'decrypt');
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(how, key, fromBase64(parts.data)));
    } catch {
      throw new Error('The passphrase is not correct, or the stored note was changed. Try again.');
    }
  }

  // Drafts. The key comes with the page, so other users of this browser only find ciphertext.
  const named = (name) => ({ name: 'AES-GCM', additionalData: utf8.encode(name) });
  const draftKey = (key, use) => crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, [use]);

  async function seal(value, key, name) {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const data = await crypto.subtle.encrypt({ ...named(name), iv }, await draftKey(key, 'encrypt'), utf8.encode(JSON.stringify(value)));
    return `${toBase64(iv)} ${toBase64(new Uint8Array(data))}`;
  }

  async function unseal(text, keys, name) {
    const [iv, data] = text.split(' ').map(fromBase64);
    for (const key of keys) {
      try {
        const bytes = await crypto.subtle.decrypt({ ...named(name), iv }, await draftKey(key, 'decrypt'), data);
        return JSON.parse(new TextDecoder().decode(bytes));
      } catch {
        // Another key, or a draft of another user.
      }
    }
    return null;
  }

  Object.assign(stint.notes, { encrypt, decrypt, seal, unseal });
})();
