/** Position of a reader, opaque to callers: transaction number, then id. A row with a lower id may be committed later. Pure. */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { openBytes, sealBytes } from '../values/sealedBytes.ts';

/** The reader has everything up to this row. Strings, because transaction numbers have 64 bits. */
export const Cursor = z.object({ era: z.string(), xact: z.string(), id: z.string() });
export type Cursor = z.infer<typeof Cursor>;

export const beginning: Cursor = { era: '0', xact: '0', id: '0' };

const MOST = 2n ** 63n - 1n;
/** Sorts after all rows of a transaction. */
export const LAST_ID = String(MOST);

/** A cursor as text that is not sealed: 0, or one from version 1.2.0 or earlier. Null if it is none. Any caller can make one up. */
export function cursorOf(text: string): Cursor | null {
  if (text === '0') return beginning;
  const [, era, xact = '', id = ''] = /^(0|[1-9]\d{0,8})-([0-9a-z]{1,13})-([0-9a-z]{1,13})$/.exec(text) ?? [];
  if (era === undefined) return null;
  const [first, second] = [fromBase36(xact), fromBase36(id)];
  return first > MOST || second > MOST ? null : { era, xact: String(first), id: String(second) };
}

/** Bytes of a cursor. */
export const CURSOR_BYTES = 20;

export function cursorBytes({ era, xact, id }: Cursor): Buffer {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt32BE(Number(era), 0);
  bytes.writeBigUInt64BE(BigInt(xact), 4);
  bytes.writeBigUInt64BE(BigInt(id), 12);
  return bytes;
}

export const cursorFrom = (bytes: Buffer): Cursor => ({
  era: String(bytes.readUInt32BE(0)),
  xact: String(bytes.readBigUInt64BE(4)),
  id: String(bytes.readBigUInt64BE(12)),
});

const SEALED = 's-';

/** A cursor as callers get it. Sealed, because its numbers tell how much others write. `key`: of the database. */
export const sealedText = (key: KeyObject, cursor: Cursor): string => SEALED + sealBytes(key, cursorBytes(cursor));

export const isSealed = (text: string): boolean => /^s-[\w-]{64}$/.test(text);

/** Null if the text was not sealed with this key. */
export function unsealed(key: KeyObject, text: string): Cursor | null {
  const bytes = openBytes(key, text.slice(SEALED.length), CURSOR_BYTES);
  return bytes && cursorFrom(bytes);
}

function fromBase36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
