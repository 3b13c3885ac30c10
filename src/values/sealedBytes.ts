/** Encrypts short values that callers keep for us (AES-256-GCM). Each sealed text of a value differs from all others. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const [IV, TAG] = [12, 16];

/** Random bytes are fetched for many values together, because a system call costs as much as the encryption. */
let random = Buffer.alloc(0);
const MANY = 256;

function nextIv(): Buffer {
  if (random.length === 0) random = randomBytes(IV * MANY);
  const iv = random.subarray(0, IV);
  random = random.subarray(IV);
  return iv;
}

export function sealBytes(key: KeyObject, bytes: Buffer): string {
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Null unless the text was sealed with this key and holds so many bytes. */
export function openBytes(key: KeyObject, text: string, length: number): Buffer | null {
  const sealed = Buffer.from(text.slice(0, 2 * (IV + length + TAG)), 'base64url');
  if (sealed.length !== IV + length + TAG) return null;
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV), { authTagLength: TAG });
    cipher.setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([cipher.update(sealed.subarray(IV, -TAG)), cipher.final()]);
  } catch {
    return null;
  }
}
