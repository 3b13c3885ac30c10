/** A page's cursor for its browser. It is encrypted, because its numbers would reveal how much others write. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Cursor } from '../changes/cursor.ts';
import { type SecretKeys, validKeys } from '../values/secretKeys.ts';

const [IV, NUMBERS, TAG] = [12, 24, 16];
/** Finding changes since an older cursor would take too long if many of them are hidden. */
const MOST_MINUTES = 60;
const minute = (): number => Math.floor(Date.now() / 60_000);

/** Random bytes are fetched for many cursors together, because a system call costs as much as the encryption. */
let random = Buffer.alloc(0);
const MANY = 256;

function nextIv(): Buffer {
  if (random.length === 0) random = randomBytes(IV * MANY);
  const iv = random.subarray(0, IV);
  random = random.subarray(IV);
  return iv;
}

export function sealPlace(secretKey: string, { era, xact, id }: Cursor): string {
  const numbers = Buffer.alloc(NUMBERS);
  numbers.writeUInt32BE(Number(era), 0);
  numbers.writeBigUInt64BE(BigInt(xact), 4);
  numbers.writeBigUInt64BE(BigInt(id), 12);
  numbers.writeUInt32BE(minute(), 20);
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv);
  return Buffer.concat([iv, cipher.update(numbers), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Returns null for an invalid or too old cursor. */
export function openPlace(keys: SecretKeys, text: string): Cursor | null {
  const sealed = Buffer.from(text.slice(0, 100), 'base64url');
  if (sealed.length !== IV + NUMBERS + TAG) return null;
  for (const key of validKeys(keys)) {
    const numbers = opened(key, sealed);
    if (numbers && minute() - numbers.readUInt32BE(20) <= MOST_MINUTES)
      return {
        era: String(numbers.readUInt32BE(0)),
        xact: String(numbers.readBigUInt64BE(4)),
        id: String(numbers.readBigUInt64BE(12)),
      };
  }
  return null;
}

function opened(secretKey: string, sealed: Buffer): Buffer | null {
  try {
    const cipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), sealed.subarray(0, IV), { authTagLength: TAG });
    cipher.setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([cipher.update(sealed.subarray(IV, -TAG)), cipher.final()]);
  } catch {
    return null;
  }
}

const made = new Map<string, KeyObject>();

function keyOf(secretKey: string): KeyObject {
  const known = made.get(secretKey) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'stint: places of live pages', 32)));
  made.set(secretKey, known);
  return known;
}
