// Encryption in the browser, for encrypted notes and for unsaved drafts.
// Must equal src/personal-notes/attachments.ts.
const ITERATIONS = 600_000;
const MAX_BYTES = 131_072;
const utf8 = new TextEncoder();

/** The user and the note of a text, from the data attributes of its form. */
export type Place = Readonly<Record<string, string | undefined>>;

const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

async function keyOf(passphrase: string, salt: Uint8Array<ArrayBuffer>, use: 'encrypt' | 'decrypt') {
  const secret = utf8.encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS };
  return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, [use]);
}

// Associated data: the ciphertext cannot be decrypted as another note or for another user.
function binding({ user, note }: Place): Uint8Array<ArrayBuffer> {
  if (!user || !note) throw new Error('This page is out of date. Copy your text, then reload the page.');
  return utf8.encode(`stint-note/2/${user}/${note}`);
}

// A fresh salt gives a fresh key, so no key uses an initialisation vector twice.
export async function encrypt(text: string, passphrase: string, place: Place): Promise<string> {
  const bytes = utf8.encode(text);
  if (bytes.length > MAX_BYTES) throw new Error('The text is longer than 128 KiB. Shorten it.');
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const how = { name: 'AES-GCM', iv, additionalData: binding(place) };
  const data = await crypto.subtle.encrypt(how, await keyOf(passphrase, salt, 'encrypt'), bytes);
  const made = { v: 2, kdf: 'PBKDF2-SHA256', iterations: ITERATIONS, salt: toBase64(salt), iv: toBase64(iv) };
  return JSON.stringify({ ...made, data: toBase64(new Uint8Array(data)) });
}

function partsOf(cipher: string): { v: number; iv: string; salt: string; data: string; origin?: Place } {
  try {
    const parts = JSON.parse(cipher);
    if ([1, 2].includes(parts.v) && parts.kdf === 'PBKDF2-SHA256' && parts.iterations === ITERATIONS) return parts;
  } catch {
    // It is not JSON.
  }
  throw new Error('This note was encrypted by another program. Open it there.');
}

export async function decrypt(cipher: string, passphrase: string, place: Place): Promise<string> {
  const parts = partsOf(cipher);
  // Version 1 has no binding. Imported notes keep the ids of their origin.
  const bound = parts.v === 2 && { additionalData: binding(parts.origin ?? place) };
  const how = { name: 'AES-GCM', iv: fromBase64(parts.iv), ...bound };
  const key = await keyOf(passphrase, fromBase64(parts.salt), 'decrypt');
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt(how, key, fromBase64(parts.data)));
  } catch {
    throw new Error('The passphrase is not correct, or the stored note was changed. Try again.');
  }
}

// Drafts. The key comes with the page, so other users of this browser only find ciphertext.
const named = (name: string) => ({ name: 'AES-GCM', additionalData: utf8.encode(name) });
const draftKey = (key: string, use: 'encrypt' | 'decrypt') => crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, [use]);

export async function seal(value: unknown, key: string, name: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ ...named(name), iv }, await draftKey(key, 'encrypt'), utf8.encode(JSON.stringify(value)));
  return `${toBase64(iv)} ${toBase64(new Uint8Array(data))}`;
}

export async function unseal(text: string, keys: readonly string[], name: string) {
  const [iv = '', data = ''] = text.split(' ');
  const how = { ...named(name), iv: fromBase64(iv) };
  for (const key of keys) {
    try {
      const bytes = await crypto.subtle.decrypt(how, await draftKey(key, 'decrypt'), fromBase64(data));
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      // Another key, or a draft of another user.
    }
  }
  return null;
}
