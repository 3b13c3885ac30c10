/** Position of a reader, opaque to callers: transaction number, then id. A row with a lower id may be committed later. Pure. */
import { z } from 'zod';

/** The reader has everything up to this row. Strings, because transaction numbers have 64 bits. */
export const Cursor = z.object({ era: z.string(), xact: z.string(), id: z.string() });
export type Cursor = z.infer<typeof Cursor>;

export const beginning: Cursor = { era: '0', xact: '0', id: '0' };

const base36 = (digits: string): string => BigInt(digits).toString(36);

export const cursorText = ({ era, xact, id }: Cursor): string =>
  id === '0' && xact === '0' ? '0' : `${era}-${base36(xact)}-${base36(id)}`;

const MOST = 2n ** 63n - 1n;
/** Sorts after all rows of a transaction. */
export const LAST_ID = String(MOST);

/** Null if the text is not a valid cursor. */
export function cursorOf(text: string): Cursor | null {
  if (text === '0') return beginning;
  const [, era, xact = '', id = ''] = /^(0|[1-9]\d{0,8})-([0-9a-z]{1,13})-([0-9a-z]{1,13})$/.exec(text) ?? [];
  if (era === undefined) return null;
  const [first, second] = [fromBase36(xact), fromBase36(id)];
  return first > MOST || second > MOST ? null : { era, xact: String(first), id: String(second) };
}

function fromBase36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
