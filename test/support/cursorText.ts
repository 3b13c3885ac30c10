/** Cursors that are not sealed, as earlier versions gave them. */
import type { Cursor } from '../../src/changes/cursor.ts';

const base36 = (digits: string): string => BigInt(digits).toString(36);

export const cursorText = ({ era, xact, id }: Cursor): string =>
  id === '0' && xact === '0' ? '0' : `${era}-${base36(xact)}-${base36(id)}`;
