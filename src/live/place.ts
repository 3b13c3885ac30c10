/** A page's cursor for its browser. It is encrypted, because its numbers would reveal how much others write. */
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { CURSOR_BYTES, type Cursor, cursorBytes, cursorFrom } from '../changes/cursor.ts';
import { openBytes, sealBytes } from '../values/sealedBytes.ts';
import { type SecretKeys, validKeys } from '../values/secretKeys.ts';

/** A cursor and a minute. */
const NUMBERS = CURSOR_BYTES + 4;
/** Finding changes since an older cursor would take too long if many of them are hidden. */
const MOST_MINUTES = 60;
const minute = (): number => Math.floor(Date.now() / 60_000);

export function sealPlace(secretKey: string, cursor: Cursor): string {
  const now = Buffer.alloc(NUMBERS - CURSOR_BYTES);
  now.writeUInt32BE(minute());
  return sealBytes(keyOf(secretKey), Buffer.concat([cursorBytes(cursor), now]));
}

/** Returns null for an invalid or too old cursor. */
export function openPlace(keys: SecretKeys, text: string): Cursor | null {
  for (const key of validKeys(keys)) {
    const numbers = openBytes(keyOf(key), text, NUMBERS);
    if (numbers && minute() - numbers.readUInt32BE(CURSOR_BYTES) <= MOST_MINUTES) return cursorFrom(numbers);
  }
  return null;
}

const made = new Map<string, KeyObject>();

function keyOf(secretKey: string): KeyObject {
  const known = made.get(secretKey) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'stint: places of live pages', 32)));
  made.set(secretKey, known);
  return known;
}
